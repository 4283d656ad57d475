package admin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// receiver answers every request with 202 and returns its address.
func receiver(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/hook"
}

// TestWebhookLogHeaders: the log shows no header that the subscription got after the attempt.
func TestWebhookLogHeaders(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	at := "/webhooks/" +
		c.must(t, 201, "POST", "/webhooks",
			map[string]any{"url": receiver(t), "events": []string{"*"}}).text(t, "id")
	c.must(t, 200, "POST", at+"/test", nil)
	c.must(t, 200, "PUT", at, `{"headers":{"X-Later":"never sent"}}`)
	_, log, found := strings.Cut(b.get(t, at).Body.String(), `id="log"`)
	if !found || strings.Contains(log, "X-Later") {
		t.Errorf("the log shows what was not sent: %s", log)
	}
	for _, want := range []string{"X-Service-Event: webhook.test", "X-Service-Attempt: 1",
		"Webhook-Timestamp: 1", "X-Service-Signature: …"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q: %s", want, log)
		}
	}
}

// TestWebhookWithoutEvents: an empty list means no list, and the page says so.
func TestWebhookWithoutEvents(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	for _, body := range []string{`{"url":"http://127.0.0.1:9/a"}`,
		`{"url":"http://127.0.0.1:9/a","events":[]}`} {
		a := c.must(t, 201, "POST", "/webhooks", body)
		if events, ok := a.at(t, "events").([]any); !ok || len(events) != 0 {
			t.Errorf("created %s", a.Body)
		}
		if !contains(b.get(t, "/webhooks/"+a.text(t, "id")), "nothing is sent but tests") {
			t.Error("the page does not warn")
		}
	}
	at := "/webhooks/" +
		c.must(t, 201, "POST", "/webhooks", `{"url":"http://127.0.0.1:9/a","events":["*"]}`).text(t, "id")
	c.must(t, 200, "PUT", at, `{"events":[]}`)
}

// TestRotateSecret: a rotation takes a secret by the rules of a create, and nothing else.
func TestRotateSecret(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	rotate := "/webhooks/" +
		c.must(t, 201, "POST", "/webhooks", `{"url":"http://127.0.0.1:9/a"}`).text(t, "id") + "/rotate-secret"
	for body, want := range map[string]string{
		`{"secret":"short"}`:                                   "secret",
		`{"secret":"whsec_ this is not base64 at all"}`:        "secret",
		`{"secret":["a secret of enough length"]}`:             "secret",
		`{"Secret":"a secret of enough length","name":"Name"}`: "Secret name",
	} {
		if got := strings.Join(keysOf(c.must(t, 422, "POST", rotate, body).Error.Details), " "); got != want {
			t.Errorf("%s: problems of %s, want %s", body, got, want)
		}
	}
	c.must(t, 400, "POST", rotate, `[]`)
	if got := c.must(t, 200, "POST", rotate,
		`{"secret":"a secret of enough length"}`).text(t, "secret"); got != "a secret of enough length" {
		t.Errorf("chose %q", got)
	}
	for _, body := range []any{nil, `{}`, `{"secret":null}`, `{"secret":""}`} {
		if got := c.must(t, 200, "POST", rotate, body).text(t, "secret"); !strings.HasPrefix(got, "whsec_") {
			t.Errorf("%v: made %q", body, got)
		}
	}
}

// TestWebhooksAreMasked: whoever cannot edit a subscription sees the origin of its address and
// which extra headers it has, not more.
func TestWebhooksAreMasked(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	at := "/webhooks/" +
		c.must(t, 201, "POST", "/webhooks",
			`{"url":"http://127.0.0.1:9/hooks/topsecret?token=topsecret","headers":{"Authorization":"Bearer topsecret"}}`).text(
			t,
			"id")
	c.must(t, 200, "POST", at+"/test", nil)
	for _, role := range []string{"viewer", "editor"} {
		c.must(t, 201, "POST", "/users", user(role+"@example.com", role))
		who, b := s.as(t, role+"@example.com"), s.browseAs(t, role+"@example.com")
		for _, path := range []string{"/webhooks", at} {
			if a := who.must(t, 200, "GET", path, nil); contains(a, "topsecret") ||
				!contains(a, `"Authorization":"••••"`) || !contains(a, `"url":"http://127.0.0.1:9"`) {
				t.Errorf("%s reads %s", role, a.Body)
			}
			if contains(b.get(t, path), "topsecret") {
				t.Errorf("%s sees the value at %s", role, path)
			}
		}
		if !contains(who.must(t, 200, "GET", at, nil), `"target_url":"http://127.0.0.1:9"`) {
			t.Errorf("%s does not see where the attempt went", role)
		}
		if !contains(b.get(t, at), "Authorization: ••••") {
			t.Errorf("%s does not see that there is a header", role)
		}
	}
	read := s.as(t, "viewer@example.com").must(t, 200, "GET", at, nil).at(t, "headers")
	if got := keysOf(c.must(t, 422, "PUT", at, map[string]any{"headers": read}).Error.Details); len(got) != 1 ||
		got[0] != "headers" {
		t.Errorf("problems %v", got)
	}
	c.must(t, 422, "POST", "/webhooks", map[string]any{"url": "http://127.0.0.1:9/a", "headers": read})
	b := s.browse(t)
	if a := b.post(t, at, url.Values{"_csrf": {b.get(t, at).csrf(t)}, "_method": {"PUT"},
		"headers": {"Authorization: ••••"}}); a.Code != 422 ||
		!contains(a, "is masked") {
		t.Errorf("by the page: %d %s", a.Code, a.Body)
	}
	if contains(c.must(t, 200, "GET", "/activity", nil), "topsecret") {
		t.Error("the activity log has the address")
	}
	if !contains(c.must(t, 200, "GET", at, nil),
		`"target_url":"http://127.0.0.1:9/hooks/topsecret?token=topsecret"`) {
		t.Error("an admin does not read the address of an attempt")
	}
	if !contains(c.must(t, 200, "GET", at, nil), "Bearer topsecret") ||
		!contains(b.get(t, at), "Bearer topsecret") {
		t.Error("an admin does not read the value, or it has changed")
	}
}
