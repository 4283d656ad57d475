package admin_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestMenuForm edits the items of a menu by its form without scripts.
func TestMenuForm(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", map[string]any{"slug": "pages", "name": "Pages", "url": "/{slug}"})
	e := c.must(t, 201, "POST", "/models/pages/entries", `{"title":"Firm","status":"published"}`).text(t, "id")
	form := b.get(t, "/menus/create")
	if !contains(form, "Items in English") {
		t.Fatalf("the form: %s", form.Body)
	}
	token := form.csrf(t)
	send := func(path string, more ...string) answer {
		v := url.Values{"_csrf": {token}, "name": {"Main"}, "slug": {"main"}, "items.en._rows": {""}}
		for i := 0; i < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		return b.post(t, path, v)
	}
	if a := send("/menus", "_do", "add items.en"); a.Code != 200 || !contains(a, `name="items.en.0.href"`) {
		t.Errorf("another item: %d %s", a.Code, a.Body)
	}
	if a := send("/menus", "items.en.0.href", "jobs"); a.Code != 422 || !contains(a, "must be a path") {
		t.Errorf("a wrong address: %d %s", a.Code, a.Body)
	}
	if a := send("/menus", "items.en.0._id", "first", "items.en.0.entry", "pages/"+e, "items.en.0.children.0.label",
		"Jobs", "items.en.0.children.0.href", "/jobs", "items.en.0.children.0.target", "true"); a.Code != 303 {
		t.Fatalf("the menu: %d %s", a.Code, a.Body)
	}
	a := c.must(t, 200, "GET", "/menus/main", nil)
	if a.text(t, "items", "en", 0, "id") != "first" || a.text(t, "items", "en", 0, "entry", "id") != e ||
		a.text(t, "items", "en", 0, "children", 0, "target") != "_blank" {
		t.Errorf("the menu is %s", a.Body)
	}
	page := b.get(t, "/menus/main")
	for _, text := range []string{"Items in English", ">Firm<", "Firm › Jobs", "/jobs",
		"/admin/models/pages/entries/" + e} {
		if !contains(page, text) {
			t.Errorf("the page of the menu lacks %s: %s", text, page.Body)
		}
	}
	below := a.text(t, "items", "en", 0, "children", 0, "id")
	edit := b.get(t, "/menus/main/edit")
	for _, text := range []string{"1. Firm", "1. Jobs", `value="/jobs"`, `name="items.en.0.children.0._id" value="` +
		below + `"`} {
		if !strings.Contains(edit.Body.String(), text) {
			t.Errorf("the form lacks %s: %s", text, edit.Body)
		}
	}
	if a := send("/menus/main", "_method", "PUT", "items.en.0._id", below, "items.en.0.label", "Jobs", "items.en.0.href",
		"/jobs",
		"items.en.1._id", below, "items.en.1.label", "Press"); a.Code != 303 {
		t.Fatalf("the change: %d %s", a.Code, a.Body)
	}
	a = c.must(t, 200, "GET", "/menus/main", nil)
	if a.text(t, "items", "en", 0, "id") != below || a.text(t, "items", "en", 1, "label") != "Press" ||
		a.text(t, "items", "en", 1, "id") == below || a.at(t, "items", "en", 0, "target") != nil {
		t.Errorf("the menu is now %s", a.Body)
	}
	if a := send("/menus/main", "_method", "PUT"); a.Code != 303 {
		t.Fatalf("no items: %d %s", a.Code, a.Body)
	}
	if a := c.must(t, 200, "GET", "/menus/main", nil); strings.Contains(a.Body.String(), "Jobs") {
		t.Errorf("items are left: %s", a.Body)
	}
}

// TestMenuLevels moves items of a menu below others and out again by the buttons of its form.
func TestMenuLevels(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/menus", `{"slug":"main","name":"Main","items":{"en":[{"label":"A","children":[{"label":"B",
		"children":[{"label":"C","children":[{"label":"D"}]}]}]},{"label":"E"},{"label":"F","children":[{"label":"G"}]}]}}`)
	page := b.get(t, "/menus/main/edit")
	token, html := page.csrf(t), page.Body.String()
	press := func(step string) {
		t.Helper()
		if !strings.Contains(html, `value="`+step+`"`) {
			t.Fatalf("the form has no button %q", step)
		}
		v := formValues(html)
		v.Set("_csrf", token)
		v.Set("_do", step)
		html = b.post(t, "/menus/main", v).Body.String()
	}
	press("put items.en.2 items.en.1.children.0")                       // F below E
	press("put items.en.0.children.0.children.0 items.en.0.children.1") // C beside B
	if !strings.Contains(html, `value="put items.en.1 items.en.0.children.2"`) {
		t.Error("E, which has two levels below, may stand on the second level")
	}
	v := formValues(html)
	v.Set("_csrf", token)
	if a := b.post(t, "/menus/main", v); a.Code != 303 {
		t.Fatalf("the save: %d %s", a.Code, a.Body)
	}
	if got := c.must(t, 200, "GET", "/menus/main", nil); shape(got.at(t, "items", "en")) != "A(B C(D)) E(F(G))" {
		t.Errorf("the items are %s", shape(got.at(t, "items", "en")))
	}
	press("put items.en.1 items.en.0.children.2")
	if strings.Contains(html, `value="put items.en.0.children.2 items.en.0.children.1.children.1"`) {
		t.Error("an item can be moved below the fourth level")
	}
}

// formValues returns what a form would send.
func formValues(html string) url.Values {
	v := url.Values{}
	for _, m := range regexp.MustCompile(
		`<input [^>]*name="(items\.[^"]*|name|slug|_version|_method)"[^>]*>`).FindAllStringSubmatch(html, -1) {
		value := regexp.MustCompile(` value="([^"]*)"`).FindStringSubmatch(m[0])
		if value != nil && (!strings.Contains(m[0], `type="checkbox"`) || strings.Contains(m[0], " checked")) {
			v.Set(m[1], value[1])
		}
	}
	return v
}

// shape writes items as their labels, with those below in brackets.
func shape(items any) string {
	var parts []string
	for _, item := range items.([]any) {
		m := item.(map[string]any)
		part, _ := m["label"].(string)
		if below, _ := m["children"].([]any); len(below) > 0 {
			part += "(" + shape(below) + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

// TestMenuInOneLocale changes a menu as somebody whose role holds for one locale.
func TestMenuInOneLocale(t *testing.T) {
	s := newSite(t)
	admin := s.as(t, adminEmail)
	admin.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	admin.must(t, 201, "POST", "/roles",
		`{"slug":"german","name":"German","rules":[{"models":["menus"],"locales":["de"],"actions":["read","write","publish","delete"]}]}`)
	items := func(english, german string) string {
		return `{"en":[{"id":"e","label":"` + english + `"}],"de":[{"id":"d","label":"` + german + `"}]}`
	}
	admin.must(t, 201, "POST", "/menus", `{"slug":"main","name":"Main","items":`+items("Jobs", "Arbeit")+`}`)
	c := s.newUser(t, "german")
	c.must(t, 200, "PUT", "/menus/main", `{"items":`+items("Jobs", "Stellen")+`}`)
	c.must(t, 200, "PUT", "/menus/main", `{"name":"Menu"}`)
	for what, body := range map[string]string{"another locale": `{"items":` + items("Work", "Stellen") + `}`,
		"one that is left out": `{"items":{"de":[]}}`, "the address": `{"slug":"other"}`} {
		if a := c.do(t, "PUT", "/menus/main", body); a.Code != 403 {
			t.Errorf("%s: %d %s", what, a.Code, a.Body)
		}
	}
	c.must(t, 403, "DELETE", "/menus/main", nil)
	b := s.browseAs(t, c.must(t, 200, "GET", "/me", nil).text(t, "email"))
	form := b.get(t, "/menus/main/edit")
	if !contains(form, "items.de.0.label") || contains(form, "items.en") {
		t.Errorf("the form: %s", form.Body)
	}
	sent := b.post(t, "/menus/main", url.Values{"_csrf": {form.csrf(t)}, "_method": {"PUT"}, "name": {"Menu"},
		"slug": {"main"}, "items.de._rows": {""}, "items.de.0._id": {"d"}, "items.de.0.label": {"Karriere"}})
	if sent.Code != 303 {
		t.Errorf("the form of German items: %d %s", sent.Code, sent.Body)
	}
	if a := admin.must(t, 200, "GET", "/menus/main", nil); a.text(t, "items", "en", 0, "label") != "Jobs" ||
		a.text(t, "items", "de", 0, "label") != "Karriere" {
		t.Errorf("the menu is %s", a.Body)
	}
}

// TestTextsInOneLocale changes settings and alternative texts as somebody whose role holds for one locale.
func TestTextsInOneLocale(t *testing.T) {
	s := newSite(t)
	admin := s.as(t, adminEmail)
	admin.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	admin.must(t, 201, "POST", "/roles", `{"slug":"german","name":"German",
		"rules":[{"models":["media","settings"],"locales":["de"]}]}`)
	admin.must(t, 200, "PUT", "/settings", `[{"group":"shop","key":"hours","value":"Daily","is_public":true,
		"is_translatable":true,"translations":{"en":"Every day","de":"Immer"}},{"group":"shop","key":"secret","value":"hidden"}]`)
	id := admin.upload(t, 201, "a.txt", []byte("text"), map[string]string{"alt": "A"}).text(t, "id")
	admin.must(t, 200, "PUT", "/media/"+id, `{"alts":{"en":"Lamp","de":"Leuchte"}}`)
	c := s.newUser(t, "german")
	setting := func(body string) string { return `[{"group":"shop","key":"hours",` + body + `}]` }
	a := c.must(t, 200, "PUT", "/settings", setting(`"value":"Daily","translations":{"en":"Every day","de":"Jederzeit"}`))
	if contains(a, "hidden") {
		t.Errorf("the answer shows a private setting: %s", a.Body)
	}
	c.must(t, 200, "PUT", "/media/"+id, `{"name":"b.txt","alt":"A","alts":{"en":"Lamp","de":"Lampe"}}`)
	c.upload(t, 201, "c.txt", []byte("text"), map[string]string{"alt": "C", "alts": `{"de":"D"}`})
	for what, try := range map[string]struct{ method, path, body string }{
		"another locale": {"PUT", "/settings", setting(`"translations":{"en":"Never","de":"Jederzeit"}`)},
		"one left out":   {"PUT", "/settings", setting(`"translations":{"de":"Jederzeit"}`)},
		"private":        {"PUT", "/settings", setting(`"is_public":false`)},
		"shared":         {"PUT", "/settings", `[{"group":"site","key":"url","value":"https://example.com"}]`},
		"removed":        {"DELETE", "/settings/shop/hours", ""},
		"a text":         {"PUT", "/media/" + id, `{"alts":{"en":"Light"}}`},
		"a text removed": {"PUT", "/media/" + id, `{"alts":null}`},
		"direct upload":  {"POST", "/media/direct", `{"name":"d.txt","mime":"text/plain","size":1,"alts":{"en":"D"}}`},
	} {
		if a := c.do(t, try.method, try.path, try.body); a.Code != 403 || !contains(a, `\"en\"`) {
			t.Errorf("%s: %d %s", what, a.Code, a.Body)
		}
	}
	c.upload(t, 403, "d.txt", []byte("text"), map[string]string{"alts": `{"en":"D"}`})
	b := s.browseAs(t, c.must(t, 200, "GET", "/me", nil).text(t, "email"))
	form := b.get(t, "/media/"+id+"/edit")
	if !contains(form, `"alts.de"`) || contains(form, `"alts.en"`) {
		t.Errorf("the form: %s", form.Body)
	}
	c.must(t, 200, "PUT", "/media/"+id, `{"alt":"B"}`) // nobody reads it: both locales have their own
	admin.must(t, 200, "PUT", "/media/"+id, `{"alts":{"en":""}}`)
	if form := b.get(t, "/media/"+id+"/edit"); contains(form, `name="alt"`) || !contains(form, `"alts.de"`) {
		t.Errorf("the form where English readers get the text for all: %s", form.Body)
	}
	c.must(t, 403, "PUT", "/media/"+id, `{"alt":"C"}`)
	sent := b.post(t, "/media/"+id, url.Values{"_csrf": {form.csrf(t)}, "_method": {"PUT"}, "name": {"b.txt"},
		"alts.de": {"Licht"}})
	if sent.Code != 303 {
		t.Errorf("the form of the German text: %d %s", sent.Code, sent.Body)
	}
	if a := admin.must(t, 200, "GET", "/media/"+id, nil); a.text(t, "alts", "de") != "Licht" || a.text(t, "alt") != "B" {
		t.Errorf("the file is %s", a.Body)
	}
}

// TestMenuOfHiddenEntries: an entry that one may not read is added to a menu like one that does not exist. One that
// stands there already can be sent back.
func TestMenuOfHiddenEntries(t *testing.T) {
	s := newSite(t)
	admin := s.as(t, adminEmail)
	admin.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	admin.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","localized":true}`)
	admin.must(t, 201, "POST", "/menus", `{"slug":"main","name":"Main","items":{}}`)
	admin.must(t, 201, "POST", "/roles",
		`{"slug":"german","name":"German","rules":[{"models":["menus","posts"],"locales":["de"]}]}`)
	c := s.newUser(t, "german")
	const none = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	add := func(code int, id string) string {
		a := c.must(t, code, "POST", "/menus/entries", `{"menu":"main","model":"posts","ids":["`+id+`"]}`)
		return strings.ReplaceAll(a.Body.String(), id, none)
	}
	for _, status := range []string{"draft", "published"} {
		created := func(locale string) string {
			return admin.must(t, 201, "POST", "/models/posts/entries",
				`{"title":"One","status":"`+status+`","locale":"`+locale+`"}`).text(t, "id")
		}
		if got := add(422, created("en")); got != add(422, none) {
			t.Errorf("%s: %s", status, got)
		}
		add(200, created("de"))
	}
	admin.must(t, 201, "POST", "/models", `{"slug":"hidden","name":"Hidden"}`)
	hidden := admin.must(t, 201, "POST", "/models/hidden/entries", `{"title":"One"}`).text(t, "id")
	german := func(entry, more string) string {
		return `{"items":{"de":[{"id":"h","entry":` + entry + `}` + more + `]}}`
	}
	stands := `{"model":"hidden","id":"` + hidden + `"}`
	admin.must(t, 200, "PUT", "/menus/main", german(stands, ""))
	c.must(t, 200, "PUT", "/menus/main", german(stands, `,{"label":"New","href":"/new"}`))
	c.must(t, 422, "PUT", "/menus/main", german(`{"model":"posts","id":"`+hidden+`"}`, ""))
}
