package admin_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	nethtml "golang.org/x/net/html"

	"headless/pkg/must"
	"headless/pkg/table"
)

var inputs = regexp.MustCompile(`(?s)<input type="hidden" name="([^"]*)" value="([^"]*)">|<textarea [^>]*name="([^"]*)"[^>]*>\n(.*?)</textarea>`)

// sendAgain returns the values that the page of a refused form sends again.
func sendAgain(t *testing.T, a answer) url.Values {
	t.Helper()
	_, rest, found := strings.Cut(a.Body.String(), "What you typed is below")
	rest, _, _ = strings.Cut(rest, "</form>")
	if !found || !strings.Contains(rest, "Send again") {
		t.Fatalf("a page without what was typed: %d %s", a.Code, a.Body)
	}
	form := url.Values{}
	for _, m := range inputs.FindAllStringSubmatch(rest, -1) {
		form.Add(m[1]+m[3], html.UnescapeString(m[2]+m[4]))
	}
	return form
}

// TestTypedTextOutlivesRefusal: a comment has no page of its own with its form, and no page can read its form while
// the table fails. The page that says why a text was refused has the text, and sends it again.
func TestTypedTextOutlivesRefusal(t *testing.T) {
	var down atomic.Bool
	s := newSiteOn(t, func(file table.Table) table.Table {
		return table.NewFaulty(file, func(table.Call) table.Fault {
			if down.Load() {
				return table.Fault{Kind: table.Throttled}
			}
			return table.Fault{}
		})
	})
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages","fields":[{"name":"body","type":"textarea"}]}`)
	at := "/models/pages/entries/" + c.must(t, 201, "POST", "/models/pages/entries", `{"title":"Before"}`).text(t, "id")
	const text = "Nine o'clock?\n<Really>"
	comment := func() url.Values {
		return url.Values{"_csrf": {b.get(t, at+"/review").csrf(t)}, "field": {"data.body"}, "text": {text}, "quote": {""}}
	}
	check := func(what string, a answer, status int) {
		t.Helper()
		form := sendAgain(t, a)
		if a.Code != status || form.Get("text") != text || form.Get("field") != "data.body" {
			t.Fatalf("%s: %d %v %s", what, a.Code, form, a.Body)
		}
		if list := c.must(t, 200, "GET", at+"/comments", nil).Data.([]any); len(list) != 0 {
			t.Fatalf("%s: saved unseen: %v", what, list)
		}
		if a := b.post(t, at+"/comments", form); a.Code != 303 {
			t.Fatalf("%s: sent again: %d %s", what, a.Code, a.Body)
		}
		comments := c.must(t, 200, "GET", at+"/comments", nil)
		if comments.text(t, 0, "text") != text {
			t.Errorf("%s: sent again: %s", what, comments.Body)
		}
		c.must(t, 204, "DELETE", at+"/comments/"+comments.text(t, 0, "id"), nil)
	}

	form := comment()
	down.Store(true)
	refused := b.post(t, at+"/comments", form)
	down.Store(false)
	check("while the table fails", refused, 503)

	form = comment()
	form.Set("assignee", "nobody who is known")
	refused = b.post(t, at+"/comments", form)
	if again := sendAgain(t, refused); refused.Code != 422 || again.Get("text") != text {
		t.Errorf("a comment for nobody: %d %v", refused.Code, again)
	}

	form = comment()
	if a := b.post(t, "/logout", url.Values{"_csrf": form["_csrf"]}); a.Code != 303 {
		t.Fatal(a.Code)
	}
	refused = b.post(t, at+"/comments", form)
	signIn := url.Values{"email": {adminEmail}, "password": {password}}
	for _, m := range hidden.FindAllStringSubmatch(refused.Body.String(), -1) {
		signIn.Set(m[1], html.UnescapeString(m[2]))
	}
	if refused.Code != 401 || !signIn.Has("_kept") {
		t.Fatalf("after the session: %d %s", refused.Code, refused.Body)
	}
	resumed := b.post(t, "/login", signIn)
	b.cookie = resumed.Result().Cookies()[0]
	check("signed in again", resumed, 200)

	stale := comment()
	stale["_csrf"] = form["_csrf"]
	check("signed in again in another tab", b.post(t, at+"/comments", stale), 403)

	r := httptest.NewRequest("POST", "http://example.com/admin"+at+"/comments", strings.NewReader(comment().Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	r.AddCookie(b.cookie)
	if a := s.send(t, r); a.Code != 403 || contains(a, "Really") {
		t.Errorf("a form of another site: %d %s", a.Code, a.Body)
	}
}

// TestErrorPagesSpeak: error pages had names of HTTP statuses as titles and keys of JSON in their reasons, and lost a
// comment of one word.
func TestErrorPagesSpeak(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages","fields":[]}`)
	at := "/models/pages/entries/" + c.must(t, 201, "POST", "/models/pages/entries", `{"title":"Before"}`).text(t, "id")
	const nobody = "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	csrf := b.get(t, at+"/review").csrf(t)
	comment := func(text, assignee string) answer {
		return b.post(t, at+"/comments", url.Values{"_csrf": {csrf}, "text": {text}, "assignee": {assignee}})
	}
	for _, row := range []struct {
		a      answer
		status int
		want   []string
	}{
		{comment("", ""), 422, []string{"<h1 title=\"Some values are not accepted\"",
			"Comment: is required"}},
		{comment("OK", nobody), 422, []string{"Assign to: ", `>Comment</label><textarea id="kept-2" name="text"`}},
		{b.get(t, "/nowhere"), 404, []string{"<h1 title=\"Not found\""}},
		{b.post(t, "/me", url.Values{"_csrf": {csrf}}), 405, []string{"<h1 title=\"This is not possible here\""}},
		{b.get(t, "/activity?page=x"), 400, []string{"<h1 title=\"This request is not valid\""}},
	} {
		page := row.a.Body.String()
		page = page[strings.Index(page, "<main"):]
		for _, want := range row.want {
			if row.a.Code != row.status || !strings.Contains(page, want) ||
				strings.Contains(page, http.StatusText(row.status)+"<") || strings.Contains(page, "<code>text</code>") {
				t.Errorf("%d without %q: %s", row.a.Code, want, page)
			}
		}
	}
	if form := sendAgain(t, comment("OK", nobody)); form.Get("text") != "OK" {
		t.Errorf("a comment of one word: %v", form)
	}
	c.must(t, 204, "DELETE", at, nil)
	for path, method := range map[string]string{at + "/nowhere/draft": "", at + "/draft": "PUT", at + "/comments": "",
		"/releases/" + nobody: "PUT", "/menus/nowhere": "PUT", "/webhooks/" + nobody: "PUT", "/me": ""} {
		a := b.post(t, path, url.Values{"_csrf": {csrf}, "_method": {method}, "title": {"Lantern"}, "text": {"Warm"}})
		page := a.Body.String()
		page = page[strings.Index(page, "<main"):]
		if a.Code != 404 && a.Code != 405 || strings.Contains(page, "Send again") ||
			!strings.Contains(page, "readonly>\nLantern</textarea>") || !strings.Contains(page, "readonly>\nWarm</textarea>") {
			t.Errorf("%s is gone, and typed words can only be copied: %d %s", path, a.Code, page)
		}
	}
}

// TestRefusalsLeadOn: a page that refuses something names the fields by their labels, and has a link to go on.
func TestRefusalsLeadOn(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models",
		`{"name":"Pages","slug":"pages","fields":[{"name":"body","label":"Main text","type":"textarea","required":true}]}`)
	at := "/models/pages/entries/" + c.must(t, 201, "POST", "/models/pages/entries",
		`{"title":"Old","data":{"body":"Text"}}`).text(t, "id")
	c.must(t, 200, "PUT", at+"/draft", `{"data":{"body":""}}`)
	csrf := url.Values{"_csrf": {b.get(t, at+"/draft").csrf(t)}}
	if a := b.post(t, at+"/publish", csrf); a.Code != 422 || !contains(a, "Some fields are missing or invalid.") ||
		!contains(a, "Main text") || contains(a, "<code>data.body") || !contains(a, `href="/admin`+at+`"`) {
		t.Errorf("changes that cannot be published: %d %s", a.Code, a.Body.String()[strings.Index(a.Body.String(), "<main"):])
	}
	r := httptest.NewRequest("POST", "http://example.com/admin"+at+"/review/approve", strings.NewReader(csrf.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Referer", "http://example.com/admin"+at+"/review")
	r.AddCookie(b.cookie)
	if a := s.send(t, r); a.Code < 400 || !contains(a, `<a class="button" href="/admin`+at+`/review">Go back</a>`) {
		t.Errorf("no way back: %d %s", a.Code, a.Body)
	}
	b.post(t, "/totp", url.Values{"_csrf": csrf["_csrf"], "password": {password}})
	if a := b.post(t, "/totp/confirm", url.Values{"_csrf": csrf["_csrf"], "code": {"000000"}}); a.Code != 422 ||
		!contains(a, `href="/admin/totp"`) {
		t.Errorf("a wrong code leads nowhere, and the secret is gone: %d %s", a.Code, a.Body)
	}
	visitor := browser{s, nil}
	typed := url.Values{"password": {"purple horse battery"}}
	for path, form := range map[string]url.Values{"/password/reset?token=old": typed,
		"/invitations/accept?token=old": typed, "/profile/email?token=old": {}} {
		a := visitor.post(t, path, form)
		if a.Code != 422 || !contains(a, "This link is wrong, expired or used already.") || contains(a, "token is") {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
	}
}

var anyInput = regexp.MustCompile(`<(?:input|textarea)[^>]* name="([^"]+)"(?:[^>]* value="([^"]*)")?`)

// TestKeptFormsHoldNoSecret: the sign-in page that keeps a form after its session ended keeps typed texts, but no
// password, code or other secret.
func TestKeptFormsHoldNoSecret(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 200, "PUT", "/settings", `[{"group":"shop","key":"api_key","value":"","is_public":false}]`)
	b := s.browse(t)
	_, codes := s.useTOTP(t, c)
	code := codes[9].(string)
	for at, secret := range map[string]string{"/totp": "code", "/totp/recovery": "code", "/settings": "shop.api_key",
		"/profile": "password"} {
		form := url.Values{}
		for _, m := range anyInput.FindAllStringSubmatch(b.get(t, at).Body.String(), -1) {
			form.Add(html.UnescapeString(m[1]), html.UnescapeString(m[2]))
		}
		if !form.Has(secret) {
			t.Fatalf("%s has no %s: %v", at, secret, form)
		}
		form.Set(secret, code)
		form.Set("note", "a typed note")
		a := browser{s, nil}.post(t, at, form)
		if a.Code != 401 || !contains(a, "a&#43;typed&#43;note") || contains(a, code) {
			t.Errorf("%s keeps %d %v", at, a.Code, hidden.FindAllString(a.Body.String(), -1))
		}
	}
}

// formOn returns the values of the form on a page, and its path.
func formOn(t *testing.T, a answer) (form url.Values, action string) {
	t.Helper()
	_, main, _ := strings.Cut(a.Body.String(), "<main")
	root, err := nethtml.Parse(strings.NewReader(main))
	must.Do(t, err)
	for n := range root.Descendants() {
		switch n.Data {
		case "form":
			if form != nil {
				return form, action
			}
			if slices.Contains(strings.Fields(attr(n, "class")), "form") {
				form, action = url.Values{}, strings.TrimPrefix(attr(n, "action"), "/admin")
			}
		case "input", "textarea", "select":
			switch kind := attr(n, "type"); {
			case form == nil, attr(n, "name") == "", kind == "file",
				(kind == "checkbox" || kind == "radio") && !has(n, "checked"):
			case n.Data == "input":
				form.Add(attr(n, "name"), attr(n, "value"))
			default:
				form.Add(attr(n, "name"), filled(n))
			}
		}
	}
	return form, action
}

// TestTypedTextOutlivesItsInput: while a form is open, somebody removes a field or a language that has an input in it.
// A step keeps the text of that input. The form that comes back from a save shows it, and saves the rest. An input that
// was left alone stops nobody.
func TestTypedTextOutlivesItsInput(t *testing.T) {
	const words = "Three\r\nlamps, <still> warm"
	model := func(fields string) string { return `{"name":"Pages","slug":"pages","fields":[` + fields + `]}` }
	const intro, body = `{"name":"intro","type":"text"}`, `{"name":"body","type":"textarea"}`
	const parts = `{"name":"parts","type":"list","fields":[{"name":"text","type":"textarea"}]}`
	noGerman := func(t *testing.T, c client) { c.must(t, 204, "DELETE", "/locales/de", nil) }
	for name, row := range map[string]struct {
		path, input string
		remove      func(t *testing.T, c client)
	}{
		"entry":         {"", "data.body", nil},
		"rows":          {"", "data.parts.0.text", nil},
		"entry unmoved": {"", "", nil},
		"new entry":     {"/models/pages/entries/create", "data.body", nil},
		"settings":      {"/settings", "site.name.de", noGerman},
		"menu":          {"/menus/main/edit", "items.de.0.label", noGerman},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			c, b := s.as(t, adminEmail), s.browse(t)
			c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
			c.must(t, 201, "POST", "/menus", `{"name":"Main","slug":"main","items":{"en":[],"de":[]}}`)
			c.must(t, 201, "POST", "/models", model(intro+","+body+","+parts))
			path := row.path
			if path == "" {
				path = "/models/pages/entries/" + c.must(t, 201, "POST", "/models/pages/entries",
					`{"title":"Before","data":{"intro":"A","body":"Was\nhere","parts":[{"text":"Old\nrow"}]}}`).text(t, "id")
			}
			page := b.get(t, path)
			form, action := formOn(t, page)
			if row.input != "" {
				form.Set(row.input, words)
			}
			if form.Has("title") {
				form.Set("title", "After")
			}
			if row.remove == nil {
				c.must(t, 200, "PUT", "/models/pages", model(intro))
			} else {
				row.remove(t, c)
			}
			for _, step := range []string{"resume", "up tags 1"} {
				form.Set("_do", step)
				a := b.post(t, action, form)
				if form, action = formOn(t, a); a.Code != 200 || row.input != "" &&
					strings.ReplaceAll(form.Get(row.input), "\r", "") != strings.ReplaceAll(words, "\r", "") {
					t.Fatalf("the step %s loses what was typed: %d %v", step, a.Code, form)
				}
			}
			form.Del("_do")
			a := b.post(t, action, form)
			if row.input == "" {
				if a.Code != 303 {
					t.Fatalf("refused: %d %s", a.Code, a.Body)
				}
				return
			}
			_, stray, found := strings.Cut(a.Body.String(), "no longer has these inputs")
			stray, _, _ = strings.Cut(stray, "</div>")
			if a.Code != 422 || !found || !strings.Contains(stray, strings.TrimPrefix(row.input, "data.")) ||
				!strings.Contains(strings.ReplaceAll(html.UnescapeString(stray), "\r", ""), strings.ReplaceAll(words, "\r", "")) {
				_, main, _ := strings.Cut(a.Body.String(), "<main")
				t.Fatalf("what was typed is lost: %d %s", a.Code, main)
			}
			again, action := formOn(t, a)
			if a := b.post(t, action, again); a.Code != 303 {
				t.Errorf("the other inputs are not saved: %d %s", a.Code, a.Body)
			}
		})
	}
}

// TestRetypeDropsRules: whoever changes the type of a field gives up the rules of the former type. The form does not
// keep them as words whose input was lost.
func TestRetypeDropsRules(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models",
		`{"name":"Pages","slug":"pages","fields":[{"name":"kind","type":"select","options":["alpha","beta"],"help":"Help"}]}`)
	form, action := formOn(t, b.get(t, "/models/pages/edit"))
	form.Set("fields.0.type", "text")
	form.Set("_do", "retype fields.0")
	form, _ = formOn(t, b.post(t, action, form))
	if form.Has("fields.0.options") || form.Get("fields.0.help") != "Help" {
		t.Errorf("the field of another type has %v", form)
	}
}

// TestFormFieldsHaveOwnRules: the form of a form shows options for the types that have them, and those of a former type
// do not stand in the way.
func TestFormFieldsHaveOwnRules(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/forms", `{"name":"Contact","slug":"contact","fields":[{"name":"topic","type":"select",`+
		`"options":["alpha","beta"],"max":9},{"name":"text","type":"textarea","max":50},{"name":"plan","type":"file",`+
		`"mimes":["image/*"]}]}`)
	form, action := formOn(t, b.get(t, "/forms/contact/edit"))
	for name, want := range map[string]bool{"0.options": true, "0.mimes": false, "0.max": true, "1.options": false,
		"1.mimes": false, "1.max": true, "2.options": false, "2.mimes": true, "2.max": false} {
		if form.Has("fields."+name) != want {
			t.Errorf("an input for %s is there: %t", name, !want)
		}
	}
	form.Set("fields.0.type", "text")
	form.Set("fields.1.type", "radio") // whose options the form does not have yet
	form.Set("fields.2.type", "file")
	a := b.post(t, action, form)
	if a.Code != 422 || !contains(a, "must hold at least one option") {
		t.Errorf("radio buttons without options: %d %s", a.Code, a.Body)
	}
	form, _ = formOn(t, a)
	form.Set("fields.1.options", "one\ntwo")
	if a := b.post(t, action, form); a.Code != 303 {
		t.Errorf("fields of other types: %d %s", a.Code, a.Body)
	}
	form, _ = formOn(t, b.get(t, "/forms/contact/edit"))
	form.Set("fields.0.type", "select")
	form.Set("_do", "retype fields.0")
	form, _ = formOn(t, b.post(t, action, form))
	if form.Get("fields.0.options") != "" || !form.Has("fields.0.options") || form.Get("fields.0.max") != "9" ||
		form.Get("fields.1.options") != "one\ntwo" {
		t.Errorf("the field of another type has %v", form)
	}
}
