package admin_test

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var versionField = regexp.MustCompile(`name="_version" value="([0-9a-f]+)"`)

func (a answer) version(t *testing.T) string {
	t.Helper()
	m := versionField.FindStringSubmatch(a.Body.String())
	if m == nil {
		t.Fatalf("no version in %s", a.Body)
	}
	return m[1]
}

// TestEditsOfTwo has two people edit the same thing, of every kind: the second is told, keeps what
// was typed, and decides.
func TestEditsOfTwo(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models",
		`{"name":"Pages","slug":"pages","fields":[{"name":"n","type":"number"},{"name":"extra","type":"json"}]}`)
	c.must(t, 201, "POST", "/forms",
		`{"name":"Contact","slug":"contact","fields":[{"name":"a","type":"text"}],"recaptcha":{"site_key":"x","secret_key":"y"}}`)
	folder := c.must(t, 201, "POST", "/media/folders", `{"name":"Blog"}`).text(t, "id")
	made := func(path, body string) string {
		return path + "/" +
			c.must(t, 201, "POST", path, body).text(t, "id")
	}
	for name, row := range map[string]struct{ at, field, json string }{
		"entry": {made("/models/pages/entries",
			`{"title":"One","data":{"n":1.50,"extra":{"b":1,"a":[2]}}}`), "title", `{"seo":{"title":"T"}}`},
		"file": {"/media/" +
			c.upload(t, 201, "a.txt", []byte("x"), map[string]string{"folder_id": folder}).text(t,
				"id"), "alt", `{"caption":"C"}`},
		"folder": {made("/media/folders", `{"name":"News"}`), "name", `{"name":"Renamed"}`},
		"form":   {"/forms/contact", "name", `{"success_message":"Thanks"}`},
		"model":  {"/models/pages", "name", `{"max_per_page":10}`},
		"locale": {"/locales/en", "name", `{"native_name":"Inglese"}`},
		"key":    {made("/keys", `{"name":"Web","scopes":["read"]}`), "name", `{"rate_limit":7}`},
		"webhook": {made("/webhooks", `{"url":"http://127.0.0.1:9/a","events":["*"]}`), "name",
			`{"description":"D"}`},
		"user": {made("/users", `{"email":"ada@example.com","password":"`+password+`"}`), "name",
			`{"role":"editor"}`},
	} {
		t.Run(name, func(t *testing.T) {
			page := b.get(t, row.at+"/edit")
			edit := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"},
				"_version": {page.version(t)}, row.field: {"first"}}
			if a := b.post(t, row.at, edit); a.Code != 303 {
				t.Fatalf("alone: %d %s", a.Code, a.Body)
			}
			edit.Set("_version", b.get(t, row.at+"/edit").version(t))
			was := c.must(t, 200, "GET", row.at, nil).text(t, row.field)
			now := c.must(t, 200, "PUT", row.at, row.json).text(t, row.field)
			edit.Set(row.field, `<b>typed`)
			a := b.post(t, row.at, edit)
			if a.Code != 412 || !contains(a, "has changed this") && !contains(a, "have changed this") ||
				!contains(a, "&lt;b&gt;typed") ||
				!contains(a, `<a href="/admin`+row.at+`" target="_blank">Show the current version`) {
				t.Fatalf("after another: %d %s", a.Code, a.Body)
			}
			if got := c.must(t, 200, "GET", row.at, nil).text(t, row.field); was != "first" || got != now {
				t.Errorf("the edit was saved: %q", got)
			}
			edit.Set(row.field, "second")
			edit.Set("_version", a.version(t))
			if a := b.post(t, row.at, edit); a.Code != 303 {
				t.Errorf("knowingly: %d %s", a.Code, a.Body)
			}
			edit.Del("_version") // as a single button
			if a := b.post(t, row.at, edit); a.Code != 303 {
				t.Errorf("without a version: %d %s", a.Code, a.Body)
			}
		})
	}
}

// TestPlansOfTwo has two people plan one entry: the later form says that there is another plan.
func TestPlansOfTwo(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages"}`)
	at := "/models/pages/entries/" + c.must(t, 201, "POST", "/models/pages/entries", `{"title":"One"}`).text(t, "id") +
		"/schedule"
	page := b.get(t, at)
	next, after := strconv.Itoa(time.Now().Year()+1)+"-01-01T00:00:00Z", strconv.Itoa(time.Now().Year()+2)+"-01-01T00:00"
	edit := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "_version": {page.version(t)},
		"publish_at": {""}, "unpublish_at": {after}}
	next = c.must(t, 200, "PUT", at, map[string]any{"publish_at": next}).text(t, "publish_at")
	a := b.post(t, at, edit)
	if a.Code != 412 || !contains(a, "You have changed this in another window") || !contains(a, after) ||
		c.must(t, 200, "GET", at, nil).text(t, "publish_at") != next {
		t.Errorf("over another plan: %d %s", a.Code, a.Body)
	}
	edit.Set("_version", a.version(t))
	if a := b.post(t, at, edit); a.Code != 303 {
		t.Errorf("knowingly: %d %s", a.Code, a.Body)
	}
}

// TestSettingsForm changes settings on their page: each error stands beside its field, and
// nothing of another's is overwritten unseen.
func TestSettingsForm(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	page := b.get(t, "/settings")
	edit := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "_version": {page.version(t)},
		"site.name": {"ACME"}, "site.name.de": {strings.Repeat("ä", 10_001)},
		"_new.group": {"mail"}, "_new.key": {"Not a key"}, "_new.is_public": {"false", "true"}}
	a := b.post(t, "/settings", edit)
	if a.Code != 422 || !contains(a, `value="ACME"`) || !contains(a, `value="Not a key"`) ||
		strings.Count(a.Body.String(), `aria-invalid="true"`) != 2 || !contains(a, `lang="de"`) {
		t.Fatalf("wrong: %d %s", a.Code, a.Body)
	}
	c.must(t, 200, "PUT", "/settings", `[{"group":"site","key":"tagline","value":"Theirs"}]`)
	edit.Set("site.name.de", "Äcme")
	edit.Set("_new.key", "token")
	edit.Set("site.tagline", "Mine")
	if a = b.post(t, "/settings", edit); a.Code != 412 || !contains(a, `value="Mine"`) {
		t.Fatalf("after another: %d %s", a.Code, a.Body)
	}
	edit.Set("_version", a.version(t))
	if a = b.post(t, "/settings", edit); a.Code != 303 {
		t.Fatalf("knowingly: %d %s", a.Code, a.Body)
	}
	a = c.must(t, 200, "GET", "/settings", nil)
	if a.text(t, 0, "value") != "ACME" || a.text(t, 0, "translations", "de") != "Äcme" ||
		a.text(t, 1, "value") != "Mine" || !contains(a, `"group":"mail","key":"token"`) {
		t.Errorf("saved %s", a.Body)
	}
}

// TestVersionStays: a form that comes back for another reason still edits the version it was made
// on.
func TestVersionStays(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages"}`)
	page := b.get(t, "/models/pages/edit")
	edit := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "_version": {page.version(t)},
		"name": {""}}
	if got := b.post(t, "/models/pages", edit).version(t); got != page.version(t) {
		t.Error("a refused form has another version")
	}
	c.must(t, 200, "PUT", "/models/pages", `{"name":"Other"}`)
	edit.Set("_do", "add fields")
	if got := b.post(t, "/models/pages", edit).version(t); got != page.version(t) {
		t.Error("a step made the version a new one")
	}
	edit.Del("_do")
	if a := b.post(t, "/models/pages", edit); a.Code != 412 { // the name is wrong too
		t.Errorf("%d %s", a.Code, a.Body)
	}
}

// TestEditsAtOnce has many edits of one version arrive together: one is saved.
func TestEditsAtOnce(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/forms", `{"name":"Contact","slug":"contact"}`)
	page := b.get(t, "/forms/contact/edit")
	var mu sync.Mutex
	codes := map[int]int{}
	parallel(8, func(i int) {
		a := b.post(t, "/forms/contact", url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"},
			"_version": {page.version(t)}, "success_message": {string(rune('a' + i))}})
		mu.Lock()
		defer mu.Unlock()
		codes[a.Code]++
	})
	if codes[303] != 1 || codes[412] != 7 {
		t.Errorf("answers by status: %v", codes)
	}
}

// TestTextsOfTwo has two people write the missing texts of the same findings. The form of the second one neither
// empties nor replaces a text of the first one unseen, and comes back with its own texts.
func TestTextsOfTwo(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages","fields":[{"name":"cover","type":"media"}]}`)
	file := c.upload(t, 201, "a.png", picture(t), nil).text(t, "id")
	var ids []string
	query := url.Values{}
	for _, title := range []string{"Mine", "Theirs", "Both"} {
		id := c.must(t, 201, "POST", "/models/pages/entries",
			map[string]any{"title": title, "status": "published", "data": map[string]any{"cover": file}}).text(t, "id")
		ids = append(ids, id)
		query.Add("ids", "seo.title|"+id+"|seo.title")
	}
	query.Add("ids", "alt.missing|"+ids[0]+"|data.cover")
	path := "/health/texts?" + query.Encode()
	form, action := formOn(t, b.get(t, path))
	form.Set("title-"+ids[0], "My title")
	form.Set("title-"+ids[2], "My words")
	form.Set("alt-"+file, "My lamp")
	for _, id := range ids[1:] {
		c.must(t, 200, "PUT", "/models/pages/entries/"+id, `{"seo":{"title":"Their words"}}`)
	}
	c.must(t, 200, "PUT", "/media/"+file, `{"alt":"Their lamp"}`)
	a := b.post(t, action, form)
	if a.Code != 422 || !contains(a, "was changed by somebody else too") || !contains(a, "Somebody else: Their words") ||
		!contains(a, "My words") || !contains(a, "My lamp") {
		t.Errorf("refused without the texts of both: %d %s", a.Code, a.Body)
	}
	titles := func(want ...string) {
		t.Helper()
		for i, id := range ids {
			e := c.must(t, 200, "GET", "/models/pages/entries/"+id, nil)
			if got := e.text(t, "seo", "title"); got != want[i] {
				t.Errorf("the title is %q, not %q", got, want[i])
			}
		}
	}
	titles("My title", "Their words", "Their words")
	if got := c.must(t, 200, "GET", "/media/"+file, nil).text(t, "alt"); got != "Their lamp" {
		t.Errorf("the text of the file is %q", got)
	}
	form, action = formOn(t, a)
	if a := b.post(t, action, form); a.Code != 303 {
		t.Errorf("knowingly: %d %s", a.Code, a.Body)
	}
	titles("My title", "Their words", "My words")
}

// TestOvertakenFormsShowSaved: a form that somebody else has overtaken names the saved value beside each field, also in
// rows, and above the form the values of rows that it does not have.
func TestOvertakenFormsShowSaved(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages"}`)
	items := func(ids ...string) string {
		list := make([]string, len(ids))
		for i, id := range ids {
			list[i] = `{"action":"publish","model":"pages","id":"` + id + `"}`
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	one := c.must(t, 201, "POST", "/models/pages/entries", `{"title":"The lamp"}`).text(t, "id")
	two := c.must(t, 201, "POST", "/models/pages/entries", `{"title":"The chair"}`).text(t, "id")
	release := "/releases/" + c.must(t, 201, "POST", "/releases", `{"name":"Spring","items":`+items(one)+`}`).text(t, "id")
	hook := "/webhooks/" + c.must(t, 201, "POST", "/webhooks",
		`{"name":"Search","url":"http://127.0.0.1:9/a","events":["*"],"description":"Index"}`).text(t, "id")
	c.must(t, 201, "POST", "/menus",
		`{"name":"Main","slug":"main","items":{"en":[{"id":"aa","label":"Shop","href":"/shop"}]}}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"writer","name":"Writer","rules":[{"models":["pages"]}]}`)
	for at, row := range map[string]struct {
		json      string
		want, not []string
	}{
		hook: {`{"events":["entry.created"],"description":"For the shop","is_active":false}`, []string{
			"Saved now: Entry created (entry.created)", "Saved now: For the shop", "Saved now: No"},
			[]string{"Saved now: http", "Saved now: 0", "Saved now: Yes"}},
		release: {`{"items":` + items(one, two) + `,"publish_at":"2030-01-02T03:04:05Z"}`, []string{
			"Saved now: The lamp, The chair", "Saved now: 2 Jan 2030, 03:04 UTC"}, nil},
		"/menus/main": {`{"items":{"en":[{"id":"bb","label":"News","href":"/news"},
			{"id":"aa","label":"Shop","href":"/shops"}]}}`, []string{
			"Saved now: /shops", "Saved now: News"}, []string{"Saved now: Shop"}},
		"/roles/writer": {`{"rules":[{"models":["pages"],"actions":["read","write"]},{"models":["pages"]}]}`, []string{
			"Saved now: Read, Write", "Rule 2 › Models and areas: Saved now: Pages"},
			nil},
	} {
		t.Run(at, func(t *testing.T) {
			form, action := formOn(t, b.get(t, at+"/edit"))
			c.must(t, 200, "PUT", at, row.json)
			form.Set("name", "Mine")
			a := b.post(t, action, form)
			if a.Code != 412 || !contains(a, `value="Mine"`) {
				t.Fatalf("%d %s", a.Code, a.Body)
			}
			for _, text := range append(row.want, row.not...) {
				if want := slices.Contains(row.want, text); contains(a, text) != want {
					t.Errorf("%q is there: %t", text, !want)
				}
			}
			if t.Failed() {
				t.Log(a.Body)
			}
		})
	}
}
