package clients_test

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"headless/pkg/docs"
	"headless/pkg/must"
	"headless/scripts/internal/service"
)

// content is what the example sites show: posts, and a tree of pages in two languages.
type content struct{ post, company, jobs string } // ids

// addContent makes it. previewURL is the template of links to previews.
func addContent(t *testing.T, admin *service.Admin, previewURL string) content {
	t.Helper()
	admin.Do("POST", "/admin/locales", map[string]any{"code": "de", "name": "German", "native_name": "Deutsch"}, nil)
	applyGuideSchema(t, admin, func(path string) string { return strings.ReplaceAll(previewURL, "{path}", path) })
	page := func(title string, more map[string]any) (id string) {
		entry := map[string]any{"title": title, "status": "published",
			"data": map[string]any{"body": "About *" + title + "*"}}
		for name, v := range more {
			entry[name] = v
		}
		var made struct{ ID string }
		admin.Do("POST", "/admin/models/pages/entries", entry, &made)
		return made.ID
	}
	page("Start", map[string]any{"data": map[string]any{}}) // pages have no text at first
	c := content{post: addPost(admin, "Hello", "This is **bold**."), company: page("Company", nil)}
	c.jobs = page("Jobs", map[string]any{"parent": c.company})
	page("Firma", map[string]any{"locale": "de", "translation_of": c.company})
	page("Stellen", map[string]any{"locale": "de", "translation_of": c.jobs})
	admin.Do("POST", "/admin/menus", map[string]any{"slug": "main", "name": "Main", "items": map[string]any{"en": []any{
		map[string]any{"entry": map[string]any{"model": "pages", "id": c.company},
			"children": []any{map[string]any{"label": "Write to us", "href": "mailto:hello@example.com"}}}}}}, nil)
	for from, to := range map[string]any{"/offers": "/company", "/closed": nil} {
		status := map[bool]int{true: http.StatusGone, false: http.StatusFound}[to == nil]
		admin.Do("POST", "/admin/redirects", map[string]any{"from": from, "to": to, "status": status}, nil)
	}
	return c
}

// applyGuideSchema applies the schema of the guides. previewOf returns the template of previews for a path.
func applyGuideSchema(t *testing.T, admin *service.Admin, previewOf func(path string) string) {
	t.Helper()
	for _, file := range guideFile.FindAllStringSubmatch(docs.Text("sites"), -1) {
		if file[1] != "guide.json" {
			continue
		}
		const here = "http://localhost:4000"
		text := strings.NewReplacer(here+"/posts/{slug}?preview={token}", previewOf("/posts/{slug}"),
			here+"/{slug}?preview={token}", previewOf("/company/{slug}"),
			here+"/?preview={token}", previewOf("/")).Replace(file[2])
		var plan map[string]any
		admin.Do("POST", "/admin/schema/plan", map[string]any{"schema": json.RawMessage(text)}, &plan)
		admin.Do("POST", "/admin/schema/apply", map[string]any{"schema": json.RawMessage(text), "plan_id": plan["plan_id"]},
			nil)
		return
	}
	t.Fatal("the guides have no schema")
}

func addPost(admin *service.Admin, title, body string) string {
	var made struct{ ID string }
	admin.Do("POST", "/admin/models/posts/entries", map[string]any{
		"title": title, "status": "published", "data": map[string]any{"body": body},
	}, &made)
	return made.ID
}

// pages are those of an example site that is served.
type pages struct {
	t          *testing.T
	base, root string // of the site, and of the service
	admin      *service.Admin
	content    content
}

// check looks at what the catch-all route of a site answers.
func (p pages) check() {
	p.t.Helper()
	visitor := &http.Client{Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	jobs := p.base + "/company/jobs"
	for _, text := range []string{"<h1>Jobs</h1>", "About <em>Jobs</em>",
		`href="mailto:hello@example.com">Write to us</a>`, // in the menu
		`"Breadcrumbs"><a href="/company">`, `href="/de/firma/stellen"`} {
		shows(p.t, visitor, jobs, text)
	}
	shows(p.t, visitor, p.base+"/de/firma/stellen", `lang="de"`)
	p.answers(visitor, "/offers", http.StatusFound, "/company")
	p.answers(visitor, "/closed", http.StatusGone, "")
	p.answers(visitor, "/nothing", http.StatusNotFound, "")
	p.preview(visitor, jobs)

	p.admin.Do("PUT", "/admin/models/pages/entries/"+p.content.company, map[string]any{"slug": "about", "title": "About"},
		nil)
	shows(p.t, visitor, p.base+"/about/jobs", `href="/about">About</a>`)
	p.answers(visitor, "/company/jobs", http.StatusMovedPermanently, "/about/jobs")
}

// answers waits until a path has the status and leads to a path.
func (p pages) answers(c *http.Client, path string, status int, to string) {
	p.t.Helper()
	got, location := 0, ""
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		resp, err := c.Get(p.base + path)
		if err != nil {
			continue // the server starts
		}
		resp.Body.Close()
		got, location = resp.StatusCode, strings.TrimPrefix(resp.Header.Get("Location"), p.base)
		if got == status && location == to {
			return
		}
	}
	p.t.Errorf("%s: %d to %q, want %d to %q", path, got, location, status, to)
}

// preview looks at the previews of a page and of the site, and that visitors see neither.
func (p pages) preview(visitor *http.Client, page string) {
	p.t.Helper()
	p.admin.Do("PUT", "/admin/models/pages/entries/"+p.content.jobs+"/draft", map[string]any{"title": "A draft"}, nil)
	var one, all struct{ ID, URL string }
	p.admin.Do("POST", "/admin/models/pages/entries/"+p.content.jobs+"/preview", map[string]any{}, &one)
	p.admin.Do("POST", "/admin/previews", map[string]any{"drafts": true}, &all)
	const mark = "\u200b\u200b\u200b\u200b"
	editor := p.editor()
	shows(p.t, editor, one.URL, "<h1>A draft"+mark)
	shows(p.t, editor, one.URL, p.root+"/assets/preview.js")
	shows(p.t, editor, one.URL, "<title>A draft</title>")
	if _, text := get(p.t, editor, one.URL); strings.Contains(text, "0 changes") {
		p.t.Errorf("the preview of an entry counts changes: %s", text)
	}
	shows(p.t, editor, p.base+"/company", "<h1>Company</h1>") // not of this token

	reviewer := p.editor()
	shows(p.t, reviewer, all.URL, "<h1>Start")
	shows(p.t, reviewer, page, "<h1>A draft"+mark)
	shows(p.t, reviewer, page, "Preview of all drafts · 1 change")
	shows(p.t, reviewer, p.base+"/nothing", "leave")
	p.answers(reviewer, "/nothing", http.StatusNotFound, "")
	p.admin.Do("DELETE", "/admin/previews/"+all.ID, nil, nil)
	shows(p.t, reviewer, page, "is published")
	if _, text := get(p.t, reviewer, page); strings.Contains(text, "Preview of") {
		p.t.Errorf("the bar names a preview that has ended: %s", text)
	}
	p.answers(visitor, strings.TrimPrefix(page, p.base), http.StatusOK, "")
	if _, text := get(p.t, visitor, page); strings.Contains(text, "A draft") || strings.Contains(text, mark) ||
		strings.Contains(text, "preview.js") {
		p.t.Errorf("a visitor sees the draft: %s", text)
	}
}

// bars looks at the bar that the packages show in previews of a post, and at their cookie: over https, browsers keep it
// in a frame of another site.
func (p pages) bars() {
	p.t.Helper()
	at := "/admin/models/posts/entries/" + p.content.post + "/preview"
	var made struct{ URL string }
	p.admin.Do("POST", at, map[string]any{}, &made)
	link, editor := made.URL, p.editor()
	shows(p.t, editor, link, "Preview of a draft · ")
	shows(p.t, editor, link, `data-cms="posts/`+p.content.post+`#data.body"`)
	r, err := http.NewRequestWithContext(p.t.Context(), "GET", link, nil)
	must.Do(p.t, err)
	r.Header.Set("X-Forwarded-Proto", "https")
	resp, err := http.DefaultTransport.RoundTrip(r)
	must.Do(p.t, err)
	resp.Body.Close()
	for _, c := range resp.Cookies() {
		if c.Name == "cms-preview" && (c.SameSite != http.SameSiteNoneMode || !c.Secure) {
			p.t.Errorf("a frame does not keep the cookie %s", c)
		}
	}
	p.admin.Do("DELETE", at, nil, nil)
	shows(p.t, editor, p.base+"/posts/hello", "You see what is published · ")
}

// editor returns a client that keeps cookies.
func (p pages) editor() *http.Client {
	jar, err := cookiejar.New(nil)
	must.Do(p.t, err)
	return &http.Client{Timeout: 30 * time.Second, Jar: jar}
}

// sideBySide opens previews of two entries in one browser: each of them is shown, until a preview of the site takes
// their place. To leave it leads back to the page.
func (p pages) sideBySide() {
	p.t.Helper()
	editor := p.editor()
	link := func(at string, body any) string {
		p.t.Helper()
		var made struct{ URL string }
		p.admin.Do("POST", at, body, &made)
		return made.URL
	}
	post := "/admin/models/posts/entries/" + p.content.post
	p.admin.Do("PUT", post+"/draft", map[string]any{"title": "A new post"}, nil)
	shows(p.t, editor, link(post+"/preview", map[string]any{}), "<h1>A new post")
	other := "/admin/models/posts/entries/" + addPost(p.admin, "Beside it", "Text")
	shows(p.t, editor, link(other+"/preview", map[string]any{}), "<h1>Beside it")
	shows(p.t, editor, p.base+"/posts/hello", "<h1>A new post")

	next := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	shows(p.t, editor, link("/admin/previews", map[string]any{"at": next}), "Preview of ")
	shows(p.t, editor, p.base+"/posts/hello", "<h1>Hello")
	leave, err := http.NewRequestWithContext(p.t.Context(), "GET", p.base+"/api/draft/end", nil)
	must.Do(p.t, err)
	leave.Header.Set("Referer", p.base+"/posts/hello")
	resp, err := editor.Do(leave)
	must.Do(p.t, err)
	resp.Body.Close()
	if got := resp.Request.URL.Path; got != "/posts/hello" {
		p.t.Errorf("to leave the preview leads to %s", got)
	}
	if _, text := get(p.t, editor, p.base+"/posts/hello"); strings.Contains(text, "/assets/preview.js") {
		p.t.Errorf("the preview is not left: %s", text)
	}
}
