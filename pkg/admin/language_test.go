package admin_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestLanguageOfTheBrowser: without a choice, pages are in the language that the browser prefers, also
// for those who are not signed in. Programs get English.
func TestLanguageOfTheBrowser(t *testing.T) {
	s := newSite(t)
	for header, want := range map[string]string{
		"de-AT, en;q=0.8": `<html lang="de" dir="ltr">`, "ar": `<html lang="ar" dir="rtl">`,
		"tlh": `<html lang="en" dir="ltr">`} {
		r := httptest.NewRequest("GET", "/admin/login", nil)
		r.Header.Set("Accept", "text/html")
		r.Header.Set("Accept-Language", header)
		a := s.send(t, r)
		if !strings.Contains(a.Body.String(), want) || !strings.Contains(a.Header().Get("Vary"), "Accept-Language") {
			t.Errorf("%s: %s, Vary %q", header, a.Body, a.Header().Get("Vary"))
		}
	}
}

// TestLanguageOfTheProfile: the profile chooses the language of the pages, of their scripts, and of the
// errors that scripts show. Content is never translated.
func TestLanguageOfTheProfile(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models",
		`{"slug":"words","name":"Delete","kind":"collection","fields":[{"name":"save","label":"Save","type":"text"}]}`)
	id := c.must(t, 201, "POST", "/models/words/entries",
		`{"title":"Cancel","data":{"save":"Publish"},"status":"published"}`).text(t, "id")
	c.must(t, 422, "PUT", "/profile", `{"language":"tlh"}`)
	b.post(t, "/profile", url.Values{"_csrf": {b.get(t, "/profile").csrf(t)}, "_method": {"PUT"}, "language": {"de"},
		"email": {adminEmail}, "mail": {"true"}})
	if got := c.must(t, 200, "GET", "/profile", nil).text(t, "language"); got != "de" {
		t.Fatalf("the profile has %q", got)
	}
	page := b.get(t, "/models/words/entries/"+id).Body.String()
	for _, want := range []string{`<html lang="de" dir="ltr">`, ">Delete</a>", `<h1 title="Cancel">Cancel</h1>`,
		">Save</label>",
		`value="Publish"`,
		"Veröffentlicht", "&amp;lang=de"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of an entry lacks %q", want)
		}
	}
	if !contains(b.get(t, "/locales"), "Von links nach rechts") {
		t.Error("the list of locales says the direction of English in a code")
	}
	if !contains(b.get(t, "/roles"), "Redaktion") {
		t.Error("the list of roles names a built-in role in English")
	}
	c.must(t, 201, "POST", "/locales", `{"code":"fr","name":"French","native_name":"Français"}`)
	if contains(b.get(t, "/locales/fr"), `<span class="muted">–</span>`) {
		t.Error("a locale that is not the default lacks something")
	}
	guide := b.get(t, "/help").Body.String()
	for _, want := range []string{`guide" lang="de" dir="ltr">`, "Sich zurechtfinden",
		"Der Adminbereich: eine Anleitung für Redakteure</h1>"} {
		if !strings.Contains(guide, want) {
			t.Errorf("the page of the guide lacks %q", want)
		}
	}
	r := httptest.NewRequest("GET", "/admin/assets/entry.js?lang=de", nil)
	if script := s.send(t, r).Body.String(); strings.Contains(script, "Saving…") || !strings.Contains(script,
		"Wird gespeichert") {
		t.Error("the script is not in German")
	}
	r = httptest.NewRequest("GET", "/admin/models/nope", nil)
	r.Header.Set("Accept", "application/json")
	r.AddCookie(b.cookie)
	if got := s.send(t, r).Error.Message; got == c.do(t, "GET", "/models/nope", nil).Error.Message {
		t.Errorf("scripts and programs are both told %q", got)
	}
	c.must(t, 200, "PUT", "/profile", `{"language":""}`)
	if page := b.get(t, "/profile").Body.String(); !strings.Contains(page, `<html lang="en"`) {
		t.Error("without a choice the page is not in English")
	}
}

// TestManyLocales: missing translations have a line each on the page of an entry and a mark each in its row only where
// they are few.
func TestManyLocales(t *testing.T) {
	s := newSite(t)
	b, c := s.browse(t), s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"words","name":"Words","localized":true}`)
	item := "/models/words/entries/" + c.must(t, 201, "POST", "/models/words/entries", `{"title":"One"}`).text(t, "id")
	const each, all, mark, marks = `<span lang="de">German (de)</span> <span class="badge grey">missing`, `>9 missing<`,
		`title="German: missing, translate"`, `title="9 missing"`
	for i, code := range strings.Fields("de fr es it nl sv da fi pl") {
		if i == 8 {
			page, list := b.get(t, item), b.get(t, "/models/words/entries")
			if !contains(page, each) || contains(page, all) || !contains(list, mark) || contains(list, marks) {
				t.Errorf("with eight missing: %s %s", page.Body, list.Body)
			}
		}
		c.must(t, 201, "POST", "/locales", `{"code":"`+code+`","name":"German"}`)
	}
	page, list := b.get(t, item), b.get(t, "/models/words/entries")
	if contains(page, each) || !contains(page, all) || contains(list, mark) || !contains(list, marks) {
		t.Errorf("with nine missing: %s %s", page.Body, list.Body)
	}
	made := b.post(t, item+"/translate", url.Values{"_csrf": {page.csrf(t)}, "locale": {"it"}, "texts": {"copy"}})
	if page := b.get(t, strings.TrimPrefix(made.Header().Get("Location"), "/admin")); !contains(page, `<span lang="it">`) {
		t.Errorf("translated into one of many: %d %s", made.Code, page.Body)
	}
}

// TestCommas: parts of a line, such as who saved and when, and the items of a list have the comma of the language.
func TestCommas(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models",
		`{"slug":"words","name":"Words","fields":[{"name":"a","type":"text"},{"name":"b","type":"text"}]}`)
	at := "/models/words/entries/" + c.must(t, 201, "POST", "/models/words/entries",
		`{"title":"One","data":{"a":"1","b":"1"}}`).text(t, "id")
	c.must(t, 200, "PUT", at, `{"data":{"a":"2","b":"2"}}`)
	for language, comma := range map[string]string{"en": ", ", "ar": "، ", "ja": "、"} {
		c.must(t, 200, "PUT", "/profile", map[string]any{"language": language})
		page := strings.NewReplacer("\u2068", "", "\u2069", "").Replace(b.get(t, at+"/revisions").Body.String())
		if !strings.Contains(page, comma+"<time") || !strings.Contains(page, "<small>a"+comma+"b</small>") {
			t.Errorf("%s: %s", language, page)
		}
	}
}
