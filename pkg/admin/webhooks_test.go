package admin_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// receiver answers every request with 202 and returns its address.
func receiver(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
	t.Cleanup(server.Close)
	return server.URL + "/hook"
}

// TestWebhookLogHeaders: the log shows no header that the subscription got after the attempt.
func TestWebhookLogHeaders(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	at := "/webhooks/" + c.must(t, 201, "POST", "/webhooks", map[string]any{"url": receiver(t), "events": []string{"*"}}).text(t, "id")
	c.must(t, 200, "POST", at+"/test", nil)
	c.must(t, 200, "PUT", at, `{"headers":{"X-Later":"never sent"}}`)
	_, log, found := strings.Cut(b.get(t, at).Body.String(), `id="log"`)
	if !found || strings.Contains(log, "X-Later") {
		t.Errorf("the log shows what was not sent: %s", log)
	}
	for _, want := range []string{"X-Service-Event: webhook.test", "X-Service-Attempt: 1", "Webhook-Timestamp: 1", "X-Service-Signature: (not kept)"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q: %s", want, log)
		}
	}
}

// TestWebhookWithoutEvents: an empty list is as good as none, and the page says what comes of it.
func TestWebhookWithoutEvents(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	for _, body := range []string{`{"url":"http://127.0.0.1:9/a"}`, `{"url":"http://127.0.0.1:9/a","events":[]}`} {
		a := c.must(t, 201, "POST", "/webhooks", body)
		if events, ok := a.at(t, "events").([]any); !ok || len(events) != 0 {
			t.Errorf("created %s", a.Body)
		}
		if !contains(b.get(t, "/webhooks/"+a.text(t, "id")), "nothing is sent but tests") {
			t.Error("the page does not warn")
		}
	}
	at := "/webhooks/" + c.must(t, 201, "POST", "/webhooks", `{"url":"http://127.0.0.1:9/a","events":["*"]}`).text(t, "id")
	c.must(t, 200, "PUT", at, `{"events":[]}`)
}
