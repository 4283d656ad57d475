package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestFormSteps asks for rows in between: the form comes back with the typed values, and nothing is
// saved.
func TestFormSteps(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	token := b.get(t, "/forms/create").csrf(t)
	form := func(more ...string) url.Values {
		v := url.Values{"_csrf": {token}, "name": {`<b>"Contact"</b>`}, "slug": {"contact"},
			"recaptcha.secret_key": {"typed"}, "fields._rows": {""},
			"fields.0.name": {"email"}, "fields.0.type": {"email"},
			"fields.0.required": {"false", "true"}, "fields.1.name": {"topic"},
			"fields.1.type": {"select"}, "fields.1.options": {"a\r\nb"}}
		for i := 0; i < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		return v
	}
	for do, want := range map[string][]string{
		"add fields": {`name="fields.2.name"`, `value="email"`},
		"up fields.1": {`name="fields.0.name" type="text" value="topic"`,
			`name="fields.1.name" type="text" value="email"`},
		"move fields.0 1": {`name="fields.0.name" type="text" value="topic"`,
			`name="fields.1.name" type="text" value="email"`},
		"copy fields.0": {`name="fields.0.name" type="text" value="email"`,
			`name="fields.1.name" type="text" value="email"`,
			`name="fields.2.name" type="text" value="topic"`},
		"insert fields.1": {`name="fields.1.name" type="text" value=""`,
			`name="fields.2.name" type="text" value="topic"`},
		"remove fields.0":                {`name="fields.0.name" type="text" value="topic"`},
		"up fields.99999999999999999999": {`name="fields.0.name" type="text" value="email"`},
		"nonsense":                       {`name="fields.1.name" type="text" value="topic"`},
	} {
		a := b.post(t, "/forms", form("_do", do))
		if a.Code != 200 || !contains(a, `&lt;b&gt;&#34;Contact&#34;&lt;/b&gt;`) ||
			!contains(a, `value="typed"`) || contains(a, `role="alert"`) {
			t.Errorf("%s: %d %s", do, a.Code, a.Body)
		}
		for _, part := range want {
			if !contains(a, part) {
				t.Errorf("%s: no %s in %s", do, part, a.Body)
			}
		}
	}
	if a := c.must(t, 200, "GET", "/forms", nil); a.Meta["total"] != 0.0 {
		t.Errorf("a step saved: %s", a.Body)
	}
	if a := b.post(t, "/forms", form("_do", "add fields", "_csrf", "x")); a.Code != 403 {
		t.Errorf("without the token: %d", a.Code)
	}
	if a := b.post(t, "/logout", url.Values{"_csrf": {token}, "_do": {"add fields"}}); a.Code != 400 {
		t.Errorf("where there is no form: %d", a.Code)
	}
	if a := b.post(t, "/forms", form("fields.0.max", "many")); a.Code != 422 ||
		!contains(a, "must be a whole number") {
		t.Errorf("wrong: %d %s", a.Code, a.Body)
	}
	if a := b.post(t, "/forms", form("fields.0.type", "honeypot", "fields.0.required", "true")); a.Code != 422 ||
		!contains(a, "people leave a honeypot empty") {
		t.Errorf("wrong: %d %s", a.Code, a.Body)
	}
	if a := b.post(t, "/forms", form("recaptcha.secret_key", "", "fields.0.max", "50", "fields.2.name", " ",
		"fields.2.type", "text")); a.Code != 303 {
		t.Errorf("right: %d %s", a.Code, a.Body)
	}
	a := c.must(t, 200, "GET", "/forms/contact", nil)
	if a.at(t, "fields", 0, "max") != 50.0 || a.at(t, "fields", 1, "options", 1) != "b" ||
		len(a.at(t, "fields").([]any)) != 2 {
		t.Errorf("saved %s", a.Body)
	}
	if a := b.post(t, "/forms/contact",
		url.Values{"_csrf": {token}, "_method": {"PUT"}, "fields._rows": {""}}); a.Code != 303 {
		t.Errorf("the last row removed: %d %s", a.Code, a.Body)
	}
	if a := c.must(t, 200, "GET", "/forms/contact", nil); len(a.at(t, "fields").([]any)) != 0 {
		t.Errorf("rows are left: %s", a.Body)
	}
}

// TestPicks chooses files and entries by a page that needs no scripts.
func TestPicks(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Authors","slug":"authors"}`)
	c.must(t, 201, "POST", "/models",
		`{"name":"Posts","slug":"posts","fields":[{"name":"cover","type":"media"},{"name":"sheet","type":"media","mimes":["text/csv"]},
		{"name":"parts","type":"list","fields":[{"name":"by","type":"relation","model":"authors","many":true}]}]}`)
	var files []string
	for _, name := range []string{"one.txt", "two <b>.txt"} {
		files = append(files, c.upload(t, 201, name, []byte("text"), nil).text(t, "id"))
	}
	ada := c.must(t, 201, "POST", "/models/authors/entries", `{"title":"Ada \"<i>\""}`).text(t, "id")
	token := b.get(t, "/").csrf(t)
	const at = "/models/posts/entries"
	form := func(more ...string) url.Values {
		v := url.Values{"_csrf": {token}, "title": {"Typed"}, "data.cover": {"", files[0]},
			"data.parts._rows": {""}, "data.parts.0.by": {"", ada, "gone"}}
		for i := 0; i < len(more); i += 2 {
			v.Set(more[i], more[i+1])
		}
		return v
	}
	has := func(name string, a answer, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if a.Code != 200 ||
				strings.Contains(a.Body.String(),
					strings.TrimPrefix(part, "!")) == strings.HasPrefix(part, "!") {
				t.Errorf("%s: %d, %s in %s", name, a.Code, part, a.Body)
			}
		}
	}
	const titleKept = `Typed</textarea>`
	has("pick", b.post(t, at, form("_do", "pick data.cover")), titleKept, "two &lt;b&gt;.txt",
		`value="`+files[0]+`" checked`, `value="`+files[1]+`">`, `name="_q"`, "1–2 of 2",
		`name="_do" value="find data.cover" formnovalidate>Submit`)
	has("find", b.post(t, at, form("_do", "find data.cover", "_q", "two")), titleKept,
		"two &lt;b&gt;.txt", "1–1 of 1", `value="two"`)
	has("find nothing", b.post(t, at, form("_do", "find data.cover", "_q", "three")), titleKept,
		"Nothing found", "one.txt")
	has("another page", b.post(t, at, form("_do", "find data.cover 7")), titleKept, "Nothing found")
	has("of a type", b.post(t, at, form("_do", "pick data.sheet")), "Nothing found", "Takes CSV files.")
	has("done", b.post(t, at, form("_do", "done data.cover")), titleKept, "one.txt", "!name=\"_q\"",
		"!two &lt;b&gt;")
	has("entries", b.post(t, at, form("_do", "pick data.parts.0.by")), "Ada &#34;&lt;i&gt;&#34;",
		"gone", "deleted", "!<i>", `value="up data.parts.0.by `+ada+`"`)
	has("a row more", b.post(t, at, form("_do", "add data.parts")), `id="f-data.parts.1"`,
		`value="`+ada+`" checked`)
	if a := b.post(t, at, form()); a.Code != 422 || !contains(a, "Ada &#34;") || !contains(a, "one.txt") {
		t.Errorf("refused: %d %s", a.Code, a.Body)
	}
	v := form()
	v["data.parts.0.by"] = []string{"", ada}
	a := b.post(t, at, v)
	item, _, _ := strings.Cut(strings.TrimPrefix(a.Header().Get("Location"), "/admin"), "?")
	if a.Code != 303 || c.must(t, 200, "GET", item, nil).text(t, "data", "cover") != files[0] {
		t.Fatalf("saved: %d %s", a.Code, a.Body)
	}
	has("detail", b.get(t, item), "one.txt", `href="/admin/media/`+files[0]+`"`)
	if a := b.post(t, item, url.Values{"_csrf": {token}, "_method": {"PUT"}, "data.cover": {""},
		"data.parts._rows": {""}}); a.Code != 303 {
		t.Fatalf("emptied: %d %s", a.Code, a.Body)
	}
	if e := c.must(t, 200, "GET", item, nil); e.at(t, "data", "cover") != nil ||
		e.at(t, "data", "parts") != nil {
		t.Errorf("left: %s", e.Body)
	}
	if csp := b.get(t, item+"/edit").Header().Get("Content-Security-Policy"); !strings.Contains(csp,
		"script-src 'self'; font-src 'self'; connect-src 'self';") {
		t.Errorf("policy %q", csp)
	}
}

// TestRareRulesOfFields asks for the inputs that few fields need. The page of a model with many
// fields used to have them for each.
func TestRareRulesOfFields(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", map[string]any{"name": "Films", "slug": "films",
		"fields": []any{map[string]any{"name": "plain", "type": "text"},
			map[string]any{"name": "placed", "type": "text", "tab": "Film"}}})
	page := b.get(t, "/models/films/edit")
	for _, name := range []string{"default", "translatable", "tab", "column", "shown_if", "shown_for"} {
		if contains(page, `name="fields.0.`+name+`"`) || !contains(page, `name="fields.1.`+name+`"`) {
			t.Errorf("%s is shown for another field than the one with a tab", name)
		}
	}
	form := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "name": {"Films"}, "slug": {"films"},
		"fields._rows": {""}, "fields.0.was": {"plain"}, "fields.0.name": {"plain"}, "fields.0.type": {"text"},
		"_do": {"more fields.0 default"}}
	asked := b.post(t, "/models/films", form)
	for _, part := range []string{`name="fields.0.default" type="text" value=""`, `name="fields.0.tab"`,
		`<details open><summary>More`} {
		if !contains(asked, part) {
			t.Errorf("no %s in %s", part, asked.Body)
		}
	}
}

// TestModelChoices: what readers see and the order of lists are chosen, and follow a field that is
// renamed.
func TestModelChoices(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/models",
		`{"name":"Posts","slug":"posts","localized":true,"fields":[{"name":"day","label":"Day","type":"date"},{"name":"secret","type":"text"}],"visible_fields":["day"],"default_sort":"-data.day,title,slug"}`)
	page := b.get(t, "/models/posts/edit")
	for _, want := range []string{`name="visible_fields" value="day" checked> <bdi>Day<`,
		`name="visible_fields" value="secret"> <bdi>secret<`,
		`<option value="-data.day" selected>Day, descending</option>`, `<option value="title,slug" selected>`,
		`name="translate" value="de"> <bdi>German<`} {
		if !contains(page, want) {
			t.Errorf("no %s in the form", want)
		}
	}
	form := url.Values{"_csrf": {page.csrf(t)}, "_method": {"PUT"}, "name": {"Posts"}, "slug": {"posts"},
		"localized": {"true"}, "kind": {"collection"}, "fields._rows": {""},
		"fields.0.was": {"day"}, "fields.0.name": {"date"}, "fields.0.label": {"Day"}, "fields.0.type": {"date"},
		"fields.1.was": {"secret"}, "fields.1.name": {"secret"}, "fields.1.type": {"text"},
		"visible_fields": {"", "day"}, "default_sort": {"-data.day"}, "_then_sort": {"title"}, "translate": {"", "de"}}
	if a := b.post(t, "/models/posts", form); a.Code != 303 {
		t.Fatalf("saved: %d %s", a.Code, a.Body)
	}
	a := c.must(t, 200, "GET", "/models/posts", nil)
	if a.text(t, "default_sort") != "-data.date,title" || a.at(t, "visible_fields", 0) != "date" ||
		a.at(t, "translate", 0) != "de" {
		t.Errorf("saved %s", a.Body)
	}
}
