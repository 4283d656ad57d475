package kit

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"headless/pkg/must"
)

// Browser uses the admin area as a person does: pages, forms and a session cookie.
type Browser struct {
	s   *Suite
	jar *cookiejar.Jar
}

// NewBrowser returns a browser without cookies.
func (s *Suite) NewBrowser(t *testing.T) *Browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must.Do(t, err)
	return &Browser{s, jar}
}

// SignedIn returns a browser of a user who has the Password.
func (s *Suite) SignedIn(t *testing.T, email string) *Browser {
	t.Helper()
	b := s.NewBrowser(t)
	b.SignIn(t, email, Password).HasStatus(t, "sign-in", http.StatusSeeOther)
	return b
}

// Path returns the path, below AdminBase, that a page leads to after a form.
func (p Page) Path(t *testing.T, what string) string {
	t.Helper()
	p.HasStatus(t, what, http.StatusSeeOther)
	path, ok := strings.CutPrefix(p.Header.Get("Location"), AdminBase)
	if !ok {
		t.Fatalf("%s: to %q", what, p.Header.Get("Location"))
	}
	return path
}

// Page is a response as a browser gets it.
type Page struct {
	Answer
	HTML string
}

var hiddenInput = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*>`)

// Hidden collects the hidden fields of the page's forms.
func (p Page) Hidden() url.Values {
	fields := url.Values{}
	attribute := func(tag, name string) string {
		if m := regexp.MustCompile(` ` + name + `="([^"]*)"`).FindStringSubmatch(tag); m != nil {
			return strings.NewReplacer("&#43;", "+", "&amp;", "&", "&#34;", `"`).Replace(m[1])
		}
		return ""
	}
	for _, tag := range hiddenInput.FindAllString(p.HTML, -1) {
		if name := attribute(tag, "name"); name != "_method" {
			fields.Set(name, attribute(tag, "value"))
		}
	}
	return fields
}

// Open sends a request as a browser does. With fields it is the POST of a form.
func (b *Browser) Open(t *testing.T, path string, fields url.Values, headers ...string) Page {
	t.Helper()
	method, body := http.MethodGet, io.Reader(nil)
	if fields != nil {
		method, body = http.MethodPost, strings.NewReader(fields.Encode())
	}
	req, err := http.NewRequestWithContext(t.Context(), method, b.s.Target.BaseURL+AdminBase+path, body)
	must.Do(t, err)
	req.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	if fields != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", b.s.Target.BaseURL)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	for _, c := range b.jar.Cookies(req.URL) {
		req.AddCookie(c)
	}
	a := Exchange(t, b.s.HTTP, req)
	got := (&http.Response{Header: a.Header}).Cookies()
	for _, c := range got {
		c.Secure = false // a local stack speaks plain HTTP, also under names that are not localhost
	}
	b.jar.SetCookies(req.URL, got)
	return Page{a, string(a.Raw)}
}

// SignIn opens the sign-in page and posts its form.
func (b *Browser) SignIn(t *testing.T, email, password string) Page {
	t.Helper()
	p := b.Open(t, "/login", nil)
	p.HTML, _, _ = strings.Cut(p.HTML, "</form>") // the form of passkeys comes after it
	fields := p.Hidden()
	fields.Set("email", email)
	fields.Set("password", password)
	return b.Open(t, "/login", fields)
}
