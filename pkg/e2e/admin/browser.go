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
	if p := b.Open(t, "/webhooks", forged, "Origin", "https://evil.example", "Sec-Fetch-Site",
		"cross-site"); p.Status != 403 {
		t.Errorf("a form of another site: %d", p.Status)
	}
	if p := b.Open(t, "/webhooks", forged); p.Status != 403 {
		t.Errorf("a form without its token: %d", p.Status)
	}
	p := b.Open(t, "/webhooks", fields)
	if p.Status != 303 {
		t.Fatalf("create: %d %s", p.Status, p.HTML)
	}
	for _, want := range []bool{true, false} {
		to := strings.TrimPrefix(p.Header.Get("Location"), kit.AdminBase)
		if shown := b.Open(t, to, nil); shown.Status != 200 ||
			strings.Contains(shown.HTML, "whsec_") != want {
			t.Errorf("the page after the form: %d; the secret is shown the first time only: want %t", shown.Status, want)
		}
	}
	made := kit.Find(s.Admin(t).Get(t, "/webhooks?per_page=100").Get("data"), "name", name)
	if made == nil || kit.Compare(made["events"], kit.List{"entry.created", "entry.deleted"}) != nil {
		t.Fatalf("made %v", made)
	}
	detail := b.Open(t, "/webhooks/"+kit.Str(made["id"]), nil)
	if detail.Status != 200 || strings.Contains(detail.HTML, name) ||
		!strings.Contains(detail.HTML, "&lt;b&gt;hook") {
		t.Errorf("detail: %d, or the name is not escaped", detail.Status)
	}
	if p := b.Open(t, "/webhooks/"+kit.Str(made["id"])+"/edit", nil); p.Status != 200 {
		t.Errorf("edit: %d", p.Status)
	}
	remove := detail.Hidden()
	remove.Set("_method", "DELETE")
	if p := b.Open(t, "/webhooks/"+kit.Str(made["id"]), remove); p.Status != 303 {
		t.Errorf("delete: %d", p.Status)
	}
	s.Admin(t).Step(t, kit.Step{Call: "GET /webhooks/" + kit.Str(made["id"]), Code: "NOT_FOUND"})
	bad := b.Open(t, "/webhooks/create", nil).Hidden()
	bad.Set("url", "nowhere")
	if p := b.Open(t, "/webhooks", bad); p.Status != 422 || !strings.Contains(p.HTML, "nowhere") {
		t.Errorf("an invalid form: %d, or its values are lost", p.Status)
	}
}
