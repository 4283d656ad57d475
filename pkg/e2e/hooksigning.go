package e2e

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// webhookLimit checks that a burst of events is spread over time if the requests per second are
// limited, and that all of it arrives.
func webhookLimit(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	r := newReceiver(t)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}, "requests_per_second": 2})
	if a := s.detail(t, hook); compare(a.get("data.requests_per_second"), 2) != nil {
		t.Errorf("%s", a.Raw)
	}
	for i := range 6 {
		k.create(t, model, obj{"title": fmt.Sprint("Limited ", i)})
	}
	got := r.wait(t, s, 6)
	if took := got[5].time.Sub(got[0].time).Seconds(); took < 1 {
		t.Errorf("6 requests took %.1f s", took)
	}
	for _, n := range []any{-1, 1001, 0.5} {
		s.admin(t).step(t, step{
			call: "PUT /webhooks/" + hook, body: obj{"requests_per_second": n}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"requests_per_second"},
		})
	}
}

// webhookPausedByItself checks that the user who last saved a subscription gets a mail if the
// service pauses it.
func webhookPausedByItself(t *testing.T, s *suite) {
	model := s.model(t, nil)
	r := newReceiver(t, 410)
	email, _, c := s.user(t, "admin")
	hook := c.ok(t, 201, "POST /webhooks", obj{"name": "Search index", "url": r.url,
		"events": list{"entry.*"}, "models": list{model}}).str(t, "data.id")
	t.Cleanup(func() { s.unsubscribe(t, hook) })
	s.key(t, nil).create(t, model, obj{"title": "x"})
	s.settled(t, hook, "failed")
	var mails string
	s.eventually(t, "a mail about the pause", func() bool {
		_, mails = s.mailTo(t, email, 0)
		return strings.Contains(mails, "/admin/webhooks/"+hook)
	})
	if !strings.Contains(mails, "Search index") || !strings.Contains(mails, "410 Gone") {
		t.Errorf("the mail says %s", mails)
	}
	a := s.admin(t).ok(t, 200, "GET /activity?filter[subject_id]="+hook, nil)
	if compare(a.get("data.0.event"), "webhook.paused") != nil {
		t.Errorf("%s", a.Raw)
	}
}

// webhookEd25519 checks that the public key of a subscription verifies its requests, and changes
// with the secret.
func webhookEd25519(t *testing.T, s *suite) {
	model, k, admin := s.model(t, nil), s.key(t, nil), s.admin(t)
	r := newReceiver(t)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}})
	if a := s.detail(t, hook); a.get("data.ed25519") != false || a.get("data.public_key") != nil {
		t.Errorf("%s", a.Raw)
	}
	public := admin.step(t, step{call: "PUT /webhooks/" + hook, body: obj{"ed25519": true},
		status: 200, want: obj{
			"data.public_key": matches("^whpk_[A-Za-z0-9+/]{43}=$"),
		}}).str(t, "data.public_key")
	k.create(t, model, obj{"title": "Signed"})
	d := r.wait(t, s, 1)[0]
	d.check(t, s, hookSecret)
	if !verifiesEd25519(t, public, d) {
		t.Errorf("%s does not verify %v", public, d.header)
	}
	if a := admin.ok(t, 200, "POST /webhooks/"+hook+"/rotate-secret", obj{}); a.str(t,
		"data.public_key") == public {
		t.Error("the public key outlived its secret")
	}
}

func verifiesEd25519(t *testing.T, public string, d delivery) bool {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(public, "whpk_"))
	if err != nil || len(key) != ed25519.PublicKeySize {
		t.Fatalf("public key %q: %v", public, err)
	}
	message := d.header.Get("Webhook-Id") + "." + d.header.Get("Webhook-Timestamp") + "." + string(d.raw)
	for _, signature := range strings.Fields(d.header.Get("Webhook-Signature")) {
		encoded, ok := strings.CutPrefix(signature, "v1a,")
		if raw, err := base64.StdEncoding.DecodeString(encoded); ok && err == nil &&
			ed25519.Verify(key, []byte(message), raw) {
			return true
		}
	}
	return false
}

// webhookBody checks that a subscription sends the body of its template, and that the log shows it.
func webhookBody(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	r := newReceiver(t)
	template := `{"event_type": "content", "client_payload": {"event": "{{event}}", "id": "{{delivery}}", "at": "{{time}}"}}`
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}, "body": template})
	if a := s.detail(t, hook); a.get("data.body") != template {
		t.Errorf("%s", a.Raw)
	}
	k.create(t, model, obj{"title": "Templated"})
	got := r.wait(t, s, 1)[0]
	want := `{"event_type": "content", "client_payload": {"event": "entry.created", "id": "` +
		got.id() + `", "at": "20`
	if !strings.HasPrefix(string(got.raw), want) {
		t.Errorf("the body is %s, want %s", got.raw, want)
	}
	for _, bad := range []string{"event={{event}}", `{"model": "{{model}}"}`, strings.Repeat(" ", 5000)} {
		s.admin(t).step(t, step{
			call: "PUT /webhooks/" + hook, body: obj{"body": bad}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"body"},
		})
	}
}
