package admin

import (
	"net/url"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// adminPages checks the HTML side against decisions §9: pages, cookie, redirects, protection of
// forms, _method.
func adminPages(t *testing.T, s *kit.Suite) {
	visitor := s.NewBrowser(t)
	p := visitor.Open(t, "/login", nil)
	if p.Status != 200 || !strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") ||
		!strings.Contains(strings.ToLower(p.HTML), "<form") {
		t.Errorf("sign-in page: %d %s", p.Status, p.Header.Get("Content-Type"))
	}
	if policy := p.Header.Get("Content-Security-Policy"); !strings.Contains(policy,
		"default-src") || strings.Contains(policy, "unsafe-inline") {
		t.Errorf("content policy %q", policy)
	}
	if p := visitor.Open(t, "/webhooks", nil); p.Status != 302 && p.Status != 303 ||
		!strings.Contains(p.Header.Get("Location"), "/admin/login") {
		t.Errorf("without a session: %d to %q", p.Status, p.Header.Get("Location"))
	}
	email, _, _ := s.User(t, "admin")
	if p := visitor.SignIn(t, email, "a wrong password 1"); p.Status == 303 ||
		len(p.Header.Values("Set-Cookie")) > 0 && strings.Contains(p.Header.Get("Set-Cookie"), "session=") {
		t.Errorf("a wrong password: %d %v", p.Status, p.Header)
	}

	b := s.NewBrowser(t)
	p = b.SignIn(t, email, kit.Password)
	cookie := p.Header.Get("Set-Cookie")
	if p.Status != 303 || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") {
		t.Fatalf("sign-in: %d, cookie %q", p.Status, cookie)
	}
	for _, path := range []string{"/", "/models", "/models/create", "/media", "/locales",
		"/settings", "/forms", "/keys", "/keys/create", "/webhooks", "/webhooks/create", "/users",
		"/activity", "/requests", "/trash"} {
		t.Run("page "+path, func(t *testing.T) {
			p := b.Open(t, path, nil)
			if p.Status != 200 || !strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") ||
				!strings.Contains(p.HTML, "</html>") {
				t.Errorf("%d %s", p.Status, p.Header.Get("Content-Type"))
			}
		})
	}
	t.Run("forms", func(t *testing.T) { browserForms(t, s, b) })
}

// browserForms makes and deletes a subscription with forms alone.
func browserForms(t *testing.T, s *kit.Suite, b *kit.Browser) {
	name := kit.Unique("<b>hook</b>")
	fields := b.Open(t, "/webhooks/create", nil).Hidden()
	fields.Set("name", name)
	fields.Set("url", kit.NewReceiver(t).URL)
	fields.Set("events", "entry.created\nentry.deleted")
	forged := url.Values{"name": fields["name"], "url": fields["url"], "events": fields["events"]}
	b.Open(t, "/webhooks", forged, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site").
		HasStatus(t, "a form of another site", 403)
	b.Open(t, "/webhooks", forged).HasStatus(t, "a form without its token", 403)
	to := b.Open(t, "/webhooks", fields).Path(t, "create")
	for _, want := range []bool{true, false} {
		shown := b.Open(t, to, nil)
		shown.HasStatus(t, "the page after the form", 200)
		kit.Same(t, "the secret is shown the first time only", strings.Contains(shown.HTML, "whsec_"), want)
	}
	made := kit.Find(s.Admin(t).Get(t, "/webhooks?per_page=100").Get("data"), "name", name)
	if made == nil || kit.Compare(made["events"], kit.List{"entry.created", "entry.deleted"}) != nil {
		t.Fatalf("made %v", made)
	}
	at := "/webhooks/" + kit.Str(made["id"])
	detail := b.Open(t, at, nil)
	detail.HasStatus(t, "detail", 200)
	detail.Contains(t, "an escaped name", "&lt;b&gt;hook")
	detail.Lacks(t, "an escaped name", name)
	b.Open(t, at+"/edit", nil).HasStatus(t, "edit", 200)
	remove := detail.Hidden()
	remove.Set("_method", "DELETE")
	b.Open(t, at, remove).HasStatus(t, "delete", 303)
	s.Admin(t).Step(t, kit.Step{Call: "GET " + at, Code: "NOT_FOUND"})
	bad := b.Open(t, "/webhooks/create", nil).Hidden()
	bad.Set("url", "nowhere")
	refused := b.Open(t, "/webhooks", bad)
	refused.HasStatus(t, "an invalid form", 422)
	refused.Contains(t, "its values", "nowhere")
}
