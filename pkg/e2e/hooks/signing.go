package hooks

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// webhookLimit checks that a burst of events is spread over time if the requests per second are
// limited, and that all of it arrives.
func webhookLimit(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, nil), s.Key(t, nil)
	r := kit.NewReceiver(t)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}, "requests_per_second": 2})
	detail(t, s, hook).Has(t, "the webhook", kit.Obj{"data.requests_per_second": 2})
	for i := range 6 {
		k.Create(t, model, kit.Obj{"title": fmt.Sprint("Limited ", i)})
	}
	got := r.Wait(t, s, 6)
	if took := got[5].Time.Sub(got[0].Time).Seconds(); took < 1 {
		t.Errorf("6 requests took %.1f s", took)
	}
	for _, n := range []any{-1, 1001, 0.5} {
		s.Admin(t).Step(t, kit.Step{Call: "PUT /webhooks/" + hook, Body: kit.Obj{"requests_per_second": n},
			Invalid: "requests_per_second"})
	}
}

// webhookPausedByItself checks that the user who last saved a subscription gets a mail if the
// service pauses it.
func webhookPausedByItself(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	r := kit.NewReceiver(t, 410)
	email, _, c := s.User(t, "admin")
	hook := c.Post(t, "/webhooks", kit.Obj{"name": "Search index", "url": r.URL,
		"events": kit.List{"entry.*"}, "models": kit.List{model}}).Str(t, "data.id")
	t.Cleanup(func() { s.Unsubscribe(t, hook) })
	s.Key(t, nil).Create(t, model, kit.Obj{"title": "x"})
	settled(t, s, hook, "failed")
	var mails string
	s.Eventually(t, "a mail about the pause", func() bool {
		_, mails = s.WaitForMail(t, email, 0)
		return strings.Contains(mails, "/admin/webhooks/"+hook)
	})
	if !strings.Contains(mails, "Search index") || !strings.Contains(mails, "410 Gone") {
		t.Errorf("the mail says %s", mails)
	}
	a := s.Admin(t).Get(t, "/activity?filter[subject_id]="+hook)
	a.Has(t, "the newest record", kit.Obj{"data.0.event": "webhook.paused"})
}

// webhookEd25519 checks that the public key of a subscription verifies its requests, and changes
// with the secret.
func webhookEd25519(t *testing.T, s *kit.Suite) {
	model, k, admin := s.Model(t, nil), s.Key(t, nil), s.Admin(t)
	r := kit.NewReceiver(t)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}})
	detail(t, s, hook).Has(t, "the webhook", kit.Obj{"data.ed25519": false, "data.public_key": nil})
	public := admin.Step(t, kit.Step{Call: "PUT /webhooks/" + hook, Body: kit.Obj{"ed25519": true},
		Want: kit.Obj{"data.public_key": kit.Matches("^whpk_[A-Za-z0-9+/]{43}=$")}}).Str(t, "data.public_key")
	k.Create(t, model, kit.Obj{"title": "Signed"})
	d := r.Wait(t, s, 1)[0]
	d.Check(t, s, kit.HookSecret)
	if !verifiesEd25519(t, public, d) {
		t.Errorf("%s does not verify %v", public, d.Header)
	}
	if a := admin.OK(t, 200, "POST /webhooks/"+hook+"/rotate-secret", kit.Obj{}); a.Str(t, "data.public_key") == public {
		t.Error("the public key outlived its secret")
	}
}

func verifiesEd25519(t *testing.T, public string, d kit.Delivery) bool {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(public, "whpk_"))
	if err != nil || len(key) != ed25519.PublicKeySize {
		t.Fatalf("public key %q: %v", public, err)
	}
	message := d.Header.Get("Webhook-Id") + "." + d.Header.Get("Webhook-Timestamp") + "." + string(d.Raw)
	for _, signature := range strings.Fields(d.Header.Get("Webhook-Signature")) {
		encoded, ok := strings.CutPrefix(signature, "v1a,")
		if raw, err := base64.StdEncoding.DecodeString(encoded); ok && err == nil &&
			ed25519.Verify(key, []byte(message), raw) {
			return true
		}
	}
	return false
}

// webhookBody checks that a subscription sends the body of its template, and that the log shows it.
func webhookBody(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, nil), s.Key(t, nil)
	r := kit.NewReceiver(t)
	template := `{"event_type": "content", "client_payload": {"event": "{{event}}", "id": "{{delivery}}", "at": "{{time}}"}}`
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}, "body": template})
	detail(t, s, hook).Has(t, "the webhook", kit.Obj{"data.body": template})
	k.Create(t, model, kit.Obj{"title": "Templated"})
	got := r.Wait(t, s, 1)[0]
	want := `{"event_type": "content", "client_payload": {"event": "entry.created", "id": "` +
		got.ID() + `", "at": "20`
	if !strings.HasPrefix(string(got.Raw), want) {
		t.Errorf("the body is %s, want %s", got.Raw, want)
	}
	for _, bad := range []string{"event={{event}}", `{"model": "{{model}}"}`, strings.Repeat(" ", 5000)} {
		s.Admin(t).Step(t, kit.Step{Call: "PUT /webhooks/" + hook, Body: kit.Obj{"body": bad}, Invalid: "body"})
	}
}
