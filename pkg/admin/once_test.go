package admin_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var secretOnPage = regexp.MustCompile(`<code tabindex="0">([^<]+)</code>`)

// follow goes where a form leads, as a browser does, and gives the secret that the page shows, the
// only time that it does.
func (b browser) follow(t *testing.T, a answer) string {
	t.Helper()
	to := strings.TrimPrefix(a.Header().Get("Location"), "/admin")
	item, _, _ := strings.Cut(to, "?")
	cookies := a.Result().Cookies()
	if a.Code != http.StatusSeeOther || len(cookies) != 1 || a.Body.Len() > 0 {
		t.Fatalf("%d %v %s", a.Code, a.Header(), a.Body)
	}
	once := cookies[0]
	if once.Path != "/admin"+item || !once.HttpOnly || !once.Secure ||
		once.SameSite != http.SameSiteStrictMode || once.MaxAge < 1 || once.MaxAge > 60 {
		t.Errorf("cookie %v", once)
	}
	page := b.get(t, to, once)
	m := secretOnPage.FindStringSubmatch(page.Body.String())
	if page.Code != 200 || m == nil || !contains(page, "not shown again") ||
		page.Header().Get("Cache-Control") != "private, no-store" {
		t.Fatalf("no secret at %s: %d %v %s", to, page.Code, page.Header(), page.Body)
	}
	if !slices.ContainsFunc(page.Result().Cookies(), func(gone *http.Cookie) bool {
		return gone.Name == once.Name && gone.Path == once.Path && gone.MaxAge < 0
	}) {
		t.Errorf("the cookie stays: %v", page.Result().Cookies())
	}
	if again := b.get(t, to); contains(again, "not shown again") ||
		secretOnPage.MatchString(again.Body.String()) {
		t.Error("the page shows the secret again")
	}
	if strings.Contains(to, m[1]) || strings.Contains(to, "sec") {
		t.Errorf("the secret is in the address %s", to)
	}
	return strings.ReplaceAll(m[1], "&#43;", "+")
}

// TestSecretsAreShownOnce: forms that make a secret redirect, so that loading the page again
// neither repeats them nor shows it.
func TestSecretsAreShownOnce(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	token := b.get(t, "/").csrf(t)
	for path, row := range map[string]struct {
		form   url.Values
		rotate string
		prefix string
	}{
		"/keys":     {url.Values{"name": {"Site"}}, "/rotate", "sk_"},
		"/webhooks": {url.Values{"url": {"http://127.0.0.1:9/a"}}, "/rotate-secret", "whsec_"},
	} {
		t.Run(path, func(t *testing.T) {
			row.form.Set("_csrf", token)
			first := b.follow(t, b.post(t, path, row.form))
			list := c.must(t, 200, "GET", path, nil)
			if list.Meta["total"] != 1.0 || contains(list, first) {
				t.Errorf("list %s", list.Body)
			}
			at := path + "/" + list.text(t, 0, "id")
			second := b.follow(t, b.post(t, at+row.rotate, url.Values{"_csrf": {token}}))
			if !strings.HasPrefix(first, row.prefix) || !strings.HasPrefix(second, row.prefix) ||
				first == second {
				t.Errorf("secrets %q and %q", first, second)
			}
			if a := b.get(t, at, &http.Cookie{Name: "headless_once", Value: "no base64!"}); a.Code != 200 ||
				contains(a, "not shown again") {
				t.Errorf("a broken cookie: %d", a.Code)
			}
			a := c.must(t, 200, "POST", at+row.rotate, nil)
			if len(a.Result().Cookies()) > 0 || !strings.HasPrefix(a.text(t, "secret"), row.prefix) {
				t.Errorf("JSON: %v %s", a.Header(), a.Body)
			}
		})
	}
	chosen := `<b>“a chosen” secret; 24=+`
	if got := b.follow(t,
		b.post(t, "/webhooks", url.Values{"_csrf": {token}, "url": {"http://127.0.0.1:9/a"},
			"secret": {chosen}})); got != "&lt;b&gt;“a chosen” secret; 24=+" {
		t.Errorf("a chosen secret is shown as %q", got)
	}
}

// TestWebhookTestForm: the button redirects too; the page has the answer from the log.
func TestWebhookTestForm(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	at := "/webhooks/" + c.must(t, 201, "POST", "/webhooks", map[string]any{"url": receiver(t)}).text(t, "id")
	a := b.post(t, at+"/test", url.Values{"_csrf": {b.get(t, at).csrf(t)}})
	to := strings.TrimPrefix(a.Header().Get("Location"), "/admin")
	if a.Code != 303 || !strings.HasPrefix(to, at+"?test=") {
		t.Fatalf("%d %v", a.Code, a.Header())
	}
	for range 2 { // again: nothing more is sent
		if page := b.get(t, to); page.Code != 200 || !contains(page, "Answer to the test") ||
			!contains(page, `<span class="badge good">202</span>`) {
			t.Errorf("%d %s", page.Code, page.Body)
		}
	}
	if log := c.must(t, 200, "GET", at, nil).at(t, "deliveries").([]any); len(log) != 1 {
		t.Errorf("%d deliveries", len(log))
	}
	if contains(b.get(t, at+"?test=nothing"), "Answer to the test") {
		t.Error("the page answers for a test that was not made")
	}
}
