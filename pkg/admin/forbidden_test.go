package admin_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/html"

	"headless/pkg/cms"
	"headless/pkg/forms"
	"headless/pkg/health"
	"headless/pkg/must"
	"headless/pkg/table"
)

// frozenTable refuses all writes once it is frozen: what a role may do then fails without any change, and what it may
// not do is still forbidden.
type frozenTable struct {
	table.Table
	frozen atomic.Bool
}

var errFrozen = errors.New("the table is frozen")

func (f *frozenTable) Write(ctx context.Context, ops []table.Op) error {
	if f.frozen.Load() {
		return errFrozen
	}
	return f.Table.Write(ctx, ops)
}

// narrowRoles are roles that may do some things and not others.
var narrowRoles = map[string]string{
	"reader":     `[{"actions":["read"]}]`,
	"writer":     `[{"actions":["read","write"]}]`,
	"publisher":  `[{"actions":["read","publish"]}]`,
	"deleter":    `[{"actions":["read","delete"]}]`,
	"sweeper":    `[{"actions":["read","write","delete"]}]`,
	"approver":   `[{"actions":["read","approve"]}]`,
	"releaser":   `[{"actions":["read","write","publish"]}]`,
	"newsroom":   `[{"models":["posts"]},{"actions":["read"]}]`,
	"author":     `[{"models":["posts"]}]`,
	"translator": `[{"actions":["read"]},{"models":["posts","topics"],"locales":["de"],"actions":["write"]}]`,
	"librarian":  `[{"models":["media"],"actions":["read","write"]}]`,
	"clerk":      `[{"models":["forms"],"actions":["read","write"]},{"models":["posts"],"actions":["read"]}]`,
	"cleaner":    `[{"models":["forms","media"],"actions":["read","delete"]}]`,
	"keeper":     `[{"models":["redirects","menus","settings"],"actions":["read","write","publish"]},{"models":["pages"],"actions":["read"]}]`,
	"captioner":  `[{"actions":["read"]},{"models":["media","menus"],"locales":["de"],"actions":["write","publish"]}]`,
	"outsider":   `[]`,
	"viewer":     "", "editor": "",
}

// stillOffered are forms that a role needs, so that the pages do not just show nothing.
var stillOffered = map[string][]string{
	"writer": {"POST /admin/trash/", "POST /admin/media ", "PATCH /admin/forms/contact/submissions/",
		"POST /admin/previews "},
	"sweeper": {"DELETE /admin/trash/", "DELETE /admin/media/folders/"},
	"releaser": {"PUT /admin/media/", "POST /admin/media/several action=tag", "PUT /admin/forms/contact ",
		"POST /admin/releases "},
	"cleaner":    {"DELETE /admin/forms/contact/submissions/"},
	"librarian":  {"POST /admin/media ", "POST /admin/media/folders "},
	"clerk":      {"POST /admin/forms/contact/submissions status=read"},
	"captioner":  {"PUT /admin/media/", "PUT /admin/menus/main "},
	"translator": {"POST /admin/models/posts/entries?draft=true "},
	"keeper":     {"PUT /admin/menus/main ", "POST /admin/redirects.csv "},
	"viewer":     {"GET /admin/trash", "GET /admin/media"},
	"editor":     {"DELETE /admin/media/", "POST /admin/media/several =", "DELETE /admin/trash/", "PUT /admin/releases/"},
}

// fullSite is a site with something of each kind, and a user of each role. Its table can be frozen.
func fullSite(t *testing.T) (*site, *frozenTable) {
	t.Helper()
	var frozen *frozenTable
	s := newSiteOn(t, func(file table.Table) table.Table {
		frozen = &frozenTable{Table: file}
		return frozen
	})
	c := s.as(t, adminEmail)
	add := func(path, body string) string {
		t.Helper()
		a := c.do(t, "POST", path, body)
		if a.Code > 202 {
			t.Fatalf("%s: %d %s", path, a.Code, a.Body)
		}
		id, _ := a.Data.(map[string]any)["id"].(string)
		return id
	}
	add("/locales", `{"code":"de","name":"German","is_active":true}`)
	add("/models", `{"slug":"topics","name":"Topics","fields":[]}`)
	add("/models", `{"slug":"pages","name":"Pages","tree":true,"url":"/{path}","fields":[]}`)
	add("/models", `{"slug":"posts","name":"Posts","localized":true,"url":"/{locale}/{slug}","preview_url":"https://example.com/{slug}",
		"fields":[{"name":"body","label":"Body","type":"richtext"},{"name":"picture","label":"Picture","type":"media"},
		{"name":"topic","label":"Topic","type":"relation","model":"topics"},{"name":"link","label":"Link","type":"relation","models":["topics","pages"]},
		{"name":"parts","label":"Parts","type":"blocks","fields":[{"name":"quote","label":"Quote","type":"group","fields":[{"name":"text","label":"Text","type":"text"}]}]}]}`)
	add("/models", `{"slug":"news","name":"News","review":1,"fields":[{"name":"body","label":"Body","type":"textarea"}]}`)
	folder := add("/media/folders", `{"name":"Covers"}`)
	var picture bytes.Buffer
	must.Do(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))))
	cover := c.upload(t, 201, "cover.png", picture.Bytes(), map[string]string{"folder_id": folder}).text(t, "id")
	c.upload(t, 201, "notes.txt", []byte("text"), nil)
	add("/forms", `{"name":"Contact","slug":"contact","fields":[{"name":"email","label":"Address","type":"email"}]}`)
	for range 2 {
		if _, err := s.on.Submissions.Submit(t.Context(), cms.Actor{}, nil, "contact",
			map[string]any{"email": "a@example.com"}, forms.Visitor{Address: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}
	add("/redirects", `{"from":"/old","to":"/new"}`)
	add("/targets", `{"name":"Site","provider":"url","build_url":"https://builds.example.com/x"}`)
	for _, model := range []string{"topics", "pages", "posts", "news"} {
		at := "/models/" + model + "/entries"
		entry := func(data string) string {
			return add(at, `{"title":"`+model+` title","status":"draft"`+data+`}`)
		}
		data := ""
		if model == "posts" {
			data = `,"data":{"body":"[Dead](https://example.com)","picture":"` + cover + `"}`
		}
		live, draft, gone := entry(data), entry(""), entry("")
		add("/models/"+model+"/views", `{"name":"Mine `+model+`","query":{"q":"title"},"shared":true}`)
		c.must(t, 204, "DELETE", at+"/"+gone, nil)
		add("/releases", `{"name":"R","items":[{"model":"`+model+`","id":"`+draft+`","action":"publish"}]}`)
		add("/jobs", `{"action":"archive","model":"`+model+`","ids":["`+draft+`"]}`)
		add(at+"/"+draft+"/review", `{"note":"Look."}`)
		add(at+"/"+draft+"/comments", `{"text":"Hm."}`)
		if model == "news" {
			continue // publishing needs an approval
		}
		c.must(t, 200, "PUT", at+"/"+draft+"/schedule", map[string]any{"publish_at": s.now().AddDate(0, 0, 2)})
		add(at+"/"+live+"/publish", `{}`)
		c.must(t, 200, "PUT", at+"/"+live+"/draft", `{"title":"Changed"}`)
		if model == "posts" {
			now, err := s.on.Entries.Store.Site(t.Context())
			must.Do(t, err)
			checks := health.Checks{Store: s.on.Entries.Store} // the picture has no alternative text
			must.Do(t, checks.Work(t.Context(), []string{"e/" + now.Models[model].ID + "/" + live}))
			add(at+"/"+live+"/translate", `{"locale":"de"}`)
			add("/models/posts/presets", `{"name":"P","values":{"body":"x"}}`)
		}
		if model == "pages" {
			c.must(t, 201, "POST", "/menus", `{"slug":"main","name":"Main","items":{"en":[{"label":"A","entry":{"model":"pages","id":"`+live+`"}}]}}`)
		}
	}
	for _, role := range slices.Sorted(maps.Keys(narrowRoles)) {
		if rules := narrowRoles[role]; rules != "" {
			add("/roles", `{"slug":"`+role+`","name":"`+role+`","rules":`+rules+`}`)
		}
		add("/users", `{"email":"`+role+`@example.com","role":"`+role+`","password":"`+password+`"}`)
	}
	return s, frozen
}

// TestNothingDrawnIsForbidden follows the links and sends the forms of all pages that a user of a narrow role gets to:
// none of them is forbidden, or leads to what the user may not see.
func TestNothingDrawnIsForbidden(t *testing.T) {
	s, frozen := fullSite(t)
	users := map[string]browser{}
	for role := range narrowRoles {
		users[role] = s.browseAs(t, role+"@example.com")
	}
	frozen.frozen.Store(true)
	for role, b := range users {
		t.Run(role, func(t *testing.T) {
			w := &walker{browser: b, seen: map[string]bool{}}
			w.open(t, "/admin/", "")
			for len(w.todo) > 0 {
				next := w.todo[0]
				w.todo = w.todo[1:]
				next()
			}
			t.Log(w.pages, "pages,", w.forms, "forms")
			for _, want := range stillOffered[role] {
				if !slices.ContainsFunc(slices.Collect(maps.Keys(w.seen)),
					func(key string) bool { return strings.HasPrefix(key, want) }) {
					t.Errorf("no page offers %s", want)
				}
			}
		})
	}
}

// walker is a user who opens all links and sends all forms.
type walker struct {
	browser
	seen         map[string]bool
	todo         []func()
	pages, forms int
}

// once runs a step later, unless one of the same key was taken.
func (w *walker) once(key string, step func()) {
	if !w.seen[key] {
		w.seen[key] = true
		w.todo = append(w.todo, step)
	}
}

var refusal = regexp.MustCompile(`You have no[^<]*|Requires the[^<]*|Your role[^<]*|There is no[^<]*`)

// judge fails if an answer says that the user may not do what a page offers.
func (w *walker) judge(t *testing.T, a answer, what, on string) {
	t.Helper()
	to := a.Header().Get("Location")
	if a.Code == 403 || a.Code == 404 || strings.Contains(to, "ok=some") {
		says := refusal.FindString(a.Body.String())
		t.Errorf("%s on %s: %d %s %s", what, on, a.Code, to, html.UnescapeString(says))
		return
	}
	if to, _, _ = strings.Cut(to, "#"); strings.HasPrefix(to, "/admin/") {
		w.open(t, to, what)
	} else if strings.HasPrefix(a.Header().Get("Content-Type"), "text/html") {
		w.read(t, a, what)
	}
}

// open opens a link later. Of links that differ in the values of their parameters only, one is enough.
func (w *walker) open(t *testing.T, address, on string) {
	u, err := url.Parse(address)
	must.Do(t, err)
	key := "GET " + u.Path + "?" + strings.Join(slices.Sorted(maps.Keys(u.Query())), "&") + u.Query().Get("ok")
	w.once(key, func() {
		w.pages++
		w.judge(t, w.get(t, strings.TrimPrefix(u.RequestURI(), "/admin")), "GET "+u.RequestURI(), on)
	})
}

// read notes the links and forms of a page.
func (w *walker) read(t *testing.T, a answer, what string) {
	page := "/admin/"
	if address, ok := strings.CutPrefix(what, "GET "); ok {
		page = address
	}
	root, err := html.Parse(a.Body)
	must.Do(t, err)
	base, err := url.Parse(page)
	must.Do(t, err)
	resolved := func(ref string) string {
		u, err := base.Parse(ref)
		if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, "/admin/") {
			return ""
		}
		return u.RequestURI()
	}
	fields := map[*html.Node][]*html.Node{}
	byID := map[string]*html.Node{}
	var walk func(n, form *html.Node)
	walk = func(n, form *html.Node) {
		for _, name := range []string{"href", "data-add", "data-new", "data-source"} {
			if to := resolved(attr(n, name)); attr(n, name) != "" && to != "" && n.Data != "link" {
				w.open(t, to, what)
			}
		}
		for slug := range strings.FieldsSeq(attr(n, "data-makes")) { // picker.js links to them
			w.open(t, "/admin/models/"+slug+"/entries/create", what)
		}
		switch n.Data {
		case "template":
			return
		case "fieldset":
			if has(n, "disabled") {
				return // shown, not to be changed
			}
		case "form":
			form = n
			byID[attr(n, "id")] = n
		case "input", "textarea", "select", "button":
			fields[form] = append(fields[form], n)
		}
		for child := range n.ChildNodes() {
			walk(child, form)
		}
	}
	walk(root, nil)
	for _, n := range fields[nil] { // those of a form elsewhere
		form := byID[attr(n, "form")]
		fields[form] = append(fields[form], n)
	}
	delete(fields, nil)
	for form, inputs := range fields {
		for _, button := range inputs {
			if button.Data == "button" && attr(button, "type") != "button" && attr(button, "name") != "_do" {
				w.send(t, form, inputs, button, resolved, what)
			}
		}
	}
}

// send sends a form later.
func (w *walker) send(t *testing.T, form *html.Node, inputs []*html.Node, button *html.Node,
	resolved func(string) string, on string) {
	to := resolved(cmp.Or(attr(button, "formaction"), attr(form, "action")))
	values, file := url.Values{}, ""
	if name := attr(button, "name"); name != "" {
		values.Add(name, attr(button, "value"))
	}
	for _, n := range inputs {
		name, value := attr(n, "name"), attr(n, "value")
		switch kind := attr(n, "type"); {
		case name == "" || n.Data == "button":
		case kind == "file":
			file = name
		case kind == "checkbox" && name != "all" && name != "ids" && !has(n, "checked"),
			kind == "radio" && !has(n, "checked"), name == "all":
		case n.Data == "textarea" || n.Data == "select":
			values.Add(name, filled(n))
		case value == "" && has(n, "required"):
			values.Add(name, map[string]string{"email": "x@example.com", "url": "https://x.example.com/", "number": "1",
				"date": "2099-01-01", "datetime-local": "2099-01-01T00:00"}[kind])
			if values.Get(name) == "" {
				values.Set(name, "x")
			}
		default:
			values.Add(name, value)
		}
	}
	if !strings.EqualFold(attr(form, "method"), "post") {
		w.open(t, strings.Split(to, "?")[0]+"?"+values.Encode(), on)
		return
	}
	method := cmp.Or(values.Get("_method"), "POST")
	what := method + " " + to + " " + attr(button, "name") + "=" + attr(button, "value")
	key := what + strings.Join(slices.Sorted(maps.Keys(values)), "&") + values.Get("status") + values.Get("ids")
	w.once(key, func() {
		w.forms++
		w.judge(t, w.sendForm(t, to, values, file), what, on)
	})
}

func (w *walker) sendForm(t *testing.T, to string, values url.Values, file string) answer {
	var body bytes.Buffer
	r := httptest.NewRequest(http.MethodPost, to, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if file != "" {
		m := multipart.NewWriter(&body)
		for name, list := range values {
			for _, v := range list {
				_ = m.WriteField(name, v)
			}
		}
		part, err := m.CreateFormFile(file, "x.txt")
		must.Do(t, err)
		fmt.Fprint(part, "text")
		_ = m.Close()
		r = httptest.NewRequest(http.MethodPost, to, &body)
		r.Header.Set("Content-Type", m.FormDataContentType())
	}
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.AddCookie(w.cookie)
	return w.browser.send(t, r)
}

// filled returns the value of a text or a choice, with something where a value is required.
func filled(n *html.Node) string {
	if n.Data == "textarea" {
		if n.FirstChild != nil {
			return n.FirstChild.Data
		}
		if has(n, "required") {
			return "x"
		}
		return ""
	}
	value, chosen := "", false
	for option := range n.Descendants() {
		if option.Data == "option" && !chosen && (has(option, "selected") || value == "") {
			value, chosen = attr(option, "value"), has(option, "selected")
		}
	}
	return value
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}
