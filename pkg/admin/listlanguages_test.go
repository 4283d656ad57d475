package admin_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// listTitles are the titles of the rows of a list.
func (a answer) listTitles() string {
	var titles []string
	rows := regexp.MustCompile(`<a class="row"[^>]*>.*?<span>([^<]*)`)
	for _, row := range rows.FindAllStringSubmatch(a.Body.String(), -1) {
		titles = append(titles, row[1])
	}
	return strings.Join(titles, ", ")
}

// marks are the marks of the translations in a list: what they say and where they lead, without ids.
func (a answer) marks() string {
	var marks []string
	ids := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)
	cells := regexp.MustCompile(`class="mark [a-z]*"(?: href="([^"]*)")? title="([^"]*)"`)
	for _, mark := range cells.FindAllStringSubmatch(a.Body.String(), -1) {
		_, to, _ := strings.Cut(mark[1], "/entries/")
		marks = append(marks, mark[2]+" "+ids.ReplaceAllString(to, "#"))
	}
	return strings.Join(marks, "; ")
}

// TestListInOneLanguage: the page of a list that is opened without filters shows one language, says what it leaves
// out, and remembers another choice. Lists with filters, and those of programs, are in all languages.
func TestListInOneLanguage(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	for _, l := range []string{`"de","name":"German"`, `"fr","name":"French"`} {
		c.must(t, 201, "POST", "/locales", `{"code":`+l+`}`)
	}
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","localized":true}`)
	at := "/models/posts/entries"
	lamp := c.must(t, 201, "POST", at, `{"title":"Lamp","status":"published"}`).text(t, "id")
	of := `"translation_of":"` + lamp + `"`
	german := c.must(t, 201, "POST", at, `{"title":"Lampe","locale":"de","status":"published",`+of+`}`).text(t, "id")
	c.must(t, 201, "POST", at, `{"title":"Nur hier","locale":"de"}`)

	page, left := b.get(t, at), "1 entry in another language is not translated to "
	if got := page.listTitles(); got != "Lamp" || !contains(page, left+"English") {
		t.Errorf("the list opens with %q: %s", got, page.Body)
	}
	if got := page.marks(); got != "German: published #; French: missing, translate #/translate?locale=fr" {
		t.Errorf("the marks are %q", got)
	}
	if got := b.get(t, at+"?filter[missing]=en").listTitles(); got != "Nur hier" {
		t.Errorf("what is not translated to English is %q", got)
	}
	if got := b.get(t, at+"?filter[status]=published&sort=title").listTitles(); got != "Lamp, Lampe" {
		t.Errorf("all that is published is %q", got)
	}
	page = b.get(t, at+"?filter[locale]=en&q=hier")
	if got := page.listTitles(); got != "" || !contains(page, "Look in all languages") {
		t.Errorf("a search in English finds %q: %s", got, page.Body)
	}
	chosen := b.get(t, at+"?filter[locale]=any&sort=title")
	if got := chosen.listTitles(); got != "Lamp, Lampe, Nur hier" {
		t.Errorf("all languages show %q", got)
	}
	if again := b.get(t, at, chosen.Result().Cookies()...); !strings.Contains(again.Header().Get("Location"),
		"filter%5Blocale%5D=any") {
		t.Errorf("the list forgets that all languages were chosen: %d %v", again.Code, again.Header())
	}
	if n := c.must(t, 200, "GET", at, nil).Meta["total"]; n != 3.0 {
		t.Errorf("programs are told of %v entries", n)
	}

	c.must(t, 200, "PUT", at+"/"+german+"/draft", `{"title":"Lampen"}`)
	s.ahead.Add(int64(1e9))
	c.must(t, 200, "PUT", at+"/"+lamp, `{"title":"Lamps"}`)
	if got := b.get(t, at).marks(); !strings.HasPrefix(got, "German: published, changed, outdated #; French: missing") {
		t.Errorf("after a change of the original the marks are %q", got)
	}
	if page := b.get(t, at+"/"+german); !contains(page, ">outdated<") {
		t.Errorf("the page of the translation: %s", page.Body)
	}

	form := b.get(t, at+"/"+lamp+"/translate?locale=fr")
	made := b.post(t, at+"/"+lamp+"/translate", url.Values{"_csrf": {form.csrf(t)}, "locale": {"fr"}, "texts": {"empty"}})
	if !contains(form, `<option value="fr" selected>French`) || contains(form, "German") || made.Code != 303 {
		t.Errorf("the page that translates: %s, then %d %s", form.Body, made.Code, made.Body)
	}
	if form := b.get(t, at+"/"+lamp+"/translate"); form.Code != 404 {
		t.Errorf("with all translations the page is %d", form.Code)
	}
}

// TestListOfOneLanguage: a role of one language sees its own first, and of others only what it may read.
func TestListOfOneLanguage(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	for _, l := range []string{`"de","name":"German"`, `"fr","name":"French"`} {
		c.must(t, 201, "POST", "/locales", `{"code":`+l+`}`)
	}
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","localized":true}`)
	at := "/models/posts/entries"
	lamp := c.must(t, 201, "POST", at, `{"title":"Lamp","status":"published"}`).text(t, "id")
	c.must(t, 201, "POST", at, `{"title":"Lampe à huile","locale":"fr","translation_of":"`+lamp+`"}`)
	for role, rules := range map[string]string{"german": `{"locales":["de"]}`,
		"both":   `{"locales":["de"]},{"locales":["en"],"actions":["read"]}`,
		"reader": `{"locales":["en","de"],"actions":["read"]}`} {
		c.must(t, 201, "POST", "/roles", `{"slug":"`+role+`","name":"`+role+`","rules":[`+rules+`]}`)
		c.must(t, 201, "POST", "/users", user(role+"@example.com", role))
	}
	german, both, reader := s.browseAs(t, "german@example.com"), s.browseAs(t, "both@example.com"),
		s.browseAs(t, "reader@example.com")
	page := both.get(t, at)
	if got := page.listTitles(); got != "" || !contains(page, "1 entry in another language is not translated to German") {
		t.Errorf("who writes German opens %q: %s", got, page.Body)
	}
	page = both.get(t, at+"?filter[missing]=de")
	if got := page.listTitles() + ": " + page.marks(); got != "Lamp: German: missing, translate #/translate?locale=de" {
		t.Errorf("who writes German has to translate %q", got)
	}
	page = reader.get(t, at)
	if got := page.listTitles() + ": " + page.marks(); got != "Lamp: German: missing " {
		t.Errorf("who only reads opens %q", got)
	}
	for _, page := range []answer{german.get(t, at), german.get(t, at+"?filter[missing]=de"), page} {
		if page.Code != 200 || contains(page, "French") || contains(page, ">fr<") {
			t.Errorf("a language that may not be read is shown: %s", page.Body)
		}
	}
	if page := german.get(t, at); contains(page, "English") || contains(page, "not translated") {
		t.Errorf("who reads German only: %s", page.Body)
	}
}
