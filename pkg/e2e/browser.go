package e2e

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// browser uses the admin area as a person does: pages, forms and a session cookie.
type browser struct {
	s   *suite
	jar *cookiejar.Jar
}

func (s *suite) newBrowser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{s, jar}
}

// page is a response as a browser gets it.
type page struct {
	status int
	header http.Header
	html   string
}

var hiddenInput = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*>`)

// hidden collects the hidden fields of the page's forms.
func (p page) hidden() url.Values {
	fields := url.Values{}
	attribute := func(tag, name string) string {
		if m := regexp.MustCompile(` ` + name + `="([^"]*)"`).FindStringSubmatch(tag); m != nil {
			return strings.NewReplacer("&#43;", "+", "&amp;", "&", "&#34;", `"`).Replace(m[1])
		}
		return ""
	}
	for _, tag := range hiddenInput.FindAllString(p.html, -1) {
		if name := attribute(tag, "name"); name != "_method" {
			fields.Set(name, attribute(tag, "value"))
		}
	}
	return fields
}

// open sends a request as a browser does. With fields it is the POST of a form.
func (b *browser) open(t *testing.T, path string, fields url.Values, headers ...string) page {
	t.Helper()
	method, body := http.MethodGet, io.Reader(nil)
	if fields != nil {
		method, body = http.MethodPost, strings.NewReader(fields.Encode())
	}
	req, err := http.NewRequestWithContext(t.Context(), method, b.s.target.BaseURL+adminBase+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if fields != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", b.s.target.BaseURL)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	for _, c := range b.jar.Cookies(req.URL) {
		req.AddCookie(c)
	}
	resp, err := b.s.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	html, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	got := resp.Cookies()
	for _, c := range got {
		c.Secure = false // a local stack speaks plain HTTP, also under names that are not localhost
	}
	b.jar.SetCookies(req.URL, got)
	return page{resp.StatusCode, resp.Header, string(html)}
}

// signIn opens the sign-in page and posts its form.
func (b *browser) signIn(t *testing.T, email, password string) page {
	t.Helper()
	p := b.open(t, "/login", nil)
	p.html, _, _ = strings.Cut(p.html, "</form>") // the form of passkeys comes after it
	fields := p.hidden()
	fields.Set("email", email)
	fields.Set("password", password)
	return b.open(t, "/login", fields)
}

// adminPages checks the HTML side against decisions §9: pages, cookie, redirects, protection of
// forms, _method.
func adminPages(t *testing.T, s *suite) {
	visitor := s.newBrowser(t)
	p := visitor.open(t, "/login", nil)
	if p.status != 200 || !strings.HasPrefix(p.header.Get("Content-Type"), "text/html") ||
		!strings.Contains(strings.ToLower(p.html), "<form") {
		t.Errorf("sign-in page: %d %s", p.status, p.header.Get("Content-Type"))
	}
	if policy := p.header.Get("Content-Security-Policy"); !strings.Contains(policy,
		"default-src") || strings.Contains(policy, "unsafe-inline") {
		t.Errorf("content policy %q", policy)
	}
	if p := visitor.open(t, "/webhooks", nil); p.status != 302 && p.status != 303 ||
		!strings.Contains(p.header.Get("Location"), "/admin/login") {
		t.Errorf("without a session: %d to %q", p.status, p.header.Get("Location"))
	}
	email, _, _ := s.user(t, "admin")
	if p := visitor.signIn(t, email, "a wrong password 1"); p.status == 303 ||
		len(p.header.Values("Set-Cookie")) > 0 && strings.Contains(p.header.Get("Set-Cookie"), "session=") {
		t.Errorf("a wrong password: %d %v", p.status, p.header)
	}

	b := s.newBrowser(t)
	p = b.signIn(t, email, password)
	cookie := p.header.Get("Set-Cookie")
	if p.status != 303 || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
		t.Fatalf("sign-in: %d, cookie %q", p.status, cookie)
	}
	for _, path := range []string{"/", "/models", "/models/create", "/media", "/locales",
		"/settings", "/forms", "/keys", "/keys/create", "/webhooks", "/webhooks/create", "/users",
		"/activity", "/requests", "/trash"} {
		t.Run("page "+path, func(t *testing.T) {
			p := b.open(t, path, nil)
			if p.status != 200 || !strings.HasPrefix(p.header.Get("Content-Type"), "text/html") ||
				!strings.Contains(p.html, "</html>") {
				t.Errorf("%d %s", p.status, p.header.Get("Content-Type"))
			}
		})
	}
	t.Run("forms", func(t *testing.T) { browserForms(t, s, b) })
}

// browserForms makes and deletes a subscription with forms alone.
func browserForms(t *testing.T, s *suite, b *browser) {
	name := unique("<b>hook</b>")
	fields := b.open(t, "/webhooks/create", nil).hidden()
	fields.Set("name", name)
	fields.Set("url", newReceiver(t).url)
	fields.Set("events", "entry.created\nentry.deleted")
	forged := url.Values{"name": fields["name"], "url": fields["url"], "events": fields["events"]}
	if p := b.open(t, "/webhooks", forged, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"); p.status != 403 {
		t.Errorf("a form of another site: %d", p.status)
	}
	if p := b.open(t, "/webhooks", forged); p.status != 403 {
		t.Errorf("a form without its token: %d", p.status)
	}
	p := b.open(t, "/webhooks", fields)
	if p.status != 303 {
		t.Fatalf("create: %d %s", p.status, p.html)
	}
	for _, want := range []bool{true, false} {
		to := strings.TrimPrefix(p.header.Get("Location"), adminBase)
		if shown := b.open(t, to, nil); shown.status != 200 ||
			strings.Contains(shown.html, "whsec_") != want {
			t.Errorf("the page after the form: %d; the secret is shown the first time only: want %t",
				shown.status, want)
		}
	}
	made := find(s.admin(t).ok(t, 200, "GET /webhooks?per_page=100", nil).get("data"), "name", name)
	if made == nil || compare(made["events"], list{"entry.created", "entry.deleted"}) != nil {
		t.Fatalf("made %v", made)
	}
	detail := b.open(t, "/webhooks/"+str(made["id"]), nil)
	if detail.status != 200 || strings.Contains(detail.html, name) ||
		!strings.Contains(detail.html, "&lt;b&gt;hook") {
		t.Errorf("detail: %d, or the name is not escaped", detail.status)
	}
	if p := b.open(t, "/webhooks/"+str(made["id"])+"/edit", nil); p.status != 200 {
		t.Errorf("edit: %d", p.status)
	}
	remove := detail.hidden()
	remove.Set("_method", "DELETE")
	if p := b.open(t, "/webhooks/"+str(made["id"]), remove); p.status != 303 {
		t.Errorf("delete: %d", p.status)
	}
	s.admin(t).step(t, step{call: "GET /webhooks/" + str(made["id"]), status: 404, code: "NOT_FOUND"})
	bad := b.open(t, "/webhooks/create", nil).hidden()
	bad.Set("url", "nowhere")
	if p := b.open(t, "/webhooks", bad); p.status != 422 || !strings.Contains(p.html, "nowhere") {
		t.Errorf("an invalid form: %d, or its values are lost", p.status)
	}
}
