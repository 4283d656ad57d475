package hooks

import (
	"encoding/base64"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Webhooks has the scenarios of subscriptions and their deliveries.
var Webhooks = []kit.Scenario{
	{Name: "webhooks/listen", Run: listening},
	{Name: "webhooks/manage", Run: manageWebhooks},
	{Name: "webhooks/refused", Run: refusedWebhooks},
	{Name: "webhooks/signature", Run: webhookSignature},
	{Name: "webhooks/retry", Run: webhookRetry},
	{Name: "webhooks/redeliver", Run: webhookRedelivery},
	{Name: "webhooks/replay", Run: webhookReplay},
	{Name: "webhooks/gone", Run: webhookGone},
	{Name: "webhooks/test", Run: webhookTest},
	{Name: "webhooks/pause", Run: webhookPause},
	{Name: "webhooks/rotate", Run: webhookRotation},
	{Name: "webhooks/isolation", Run: webhookIsolation},
	{Name: "webhooks/paused by itself", Run: webhookPausedByItself},
	{Name: "webhooks/limit", Run: webhookLimit},
	{Name: "webhooks/body", Run: webhookBody},
	{Name: "webhooks/ed25519", Run: webhookEd25519},
	{Name: "webhooks/audit stream", Run: auditStream},
}

func manageWebhooks(t *testing.T, s *kit.Suite) {
	admin := s.Admin(t)
	model, url := s.Model(t, nil), kit.NewReceiver(t).URL
	made := admin.Step(t, kit.Step{Call: "POST /webhooks", Body: kit.Obj{"url": url, "events": kit.List{"user.created"}},
		Status: 201, Want: kit.Obj{
			"data.name": "", "data.url": url, "data.events": kit.List{"user.created"},
			"data.models": kit.List{}, "data.is_active": true, "data.description": "",
			"data.headers": kit.Obj{}, "data.secret": kit.Matches("^whsec_[A-Za-z0-9+/]{43}=$"),
			"data.created_at": kit.Timestamp, "data.updated_at": kit.Timestamp,
		}})
	one, secret := "/webhooks/"+made.Str(t, "data.id"), made.Str(t, "data.secret")
	if b, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_")); err != nil ||
		len(b) != 32 {
		t.Errorf("the secret has %d bytes, %v", len(b), err)
	}
	admin.Run(t,
		kit.Step{Name: "read", Call: "GET " + one,
			Want: kit.Obj{"data.deliveries": kit.Present, "data.secret": nil, "data.is_active": true}},
		kit.Step{Name: "update", Call: "PUT " + one, Body: kit.Obj{"name": "N", "events": kit.List{"entry.*"},
			"models": kit.List{model}, "headers": kit.Obj{"X-Extra": "1"}}, Want: kit.Obj{
			"data.name": "N", "data.events": kit.List{"entry.*"}, "data.models": kit.List{model},
			"data.headers": kit.Obj{"X-Extra": "1"}, "data.url": url, "data.secret": nil,
		}},
		kit.Step{Name: "pause", Call: "PATCH " + one + "/toggle-active", Want: kit.Obj{"data.is_active": false}},
		kit.Step{Name: "resume", Call: "PATCH " + one + "/toggle-active", Want: kit.Obj{"data.is_active": true}},
		kit.Step{Name: "list", Call: "GET /webhooks?per_page=1",
			Want: kit.Obj{"meta.page": 1, "meta.per_page": 1, "meta.total": kit.Present}},
		kit.Step{Name: "delete", Call: "DELETE " + one, Status: 204},
		kit.Step{Name: "gone", Call: "GET " + one, Code: "NOT_FOUND"},
		kit.Step{Name: "gone, toggle", Call: "PATCH " + one + "/toggle-active", Code: "NOT_FOUND"},
		kit.Step{Name: "gone, test", Call: "POST " + one + "/test", Code: "NOT_FOUND"},
	)
	admin.Get(t, "/webhooks?per_page=100").Lacks(t, "the list", secret)
}

func refusedWebhooks(t *testing.T, s *kit.Suite) {
	for name, row := range map[string]struct {
		body    kit.Obj
		details string
	}{
		"no address":     {kit.Obj{"events": kit.List{"*"}}, "url"},
		"not an address": {kit.Obj{"url": "nowhere", "events": kit.List{"*"}}, "url"},
		"another scheme": {kit.Obj{"url": "ftp://refused.invalid/x", "events": kit.List{"*"}}, "url"},
		"user info":      {kit.Obj{"url": "https://a:b@refused.invalid/x", "events": kit.List{"*"}}, "url"},
		"decimal":        {kit.Obj{"url": "https://2852039166/x", "events": kit.List{"*"}}, "url"},
		"hex":            {kit.Obj{"url": "https://0xa9fea9fe/x", "events": kit.List{"*"}}, "url"},
		"octal":          {kit.Obj{"url": "https://0251.0376.0251.0376/x", "events": kit.List{"*"}}, "url"},
		"metadata":       {kit.Obj{"url": "https://169.254.169.254/latest", "events": kit.List{"*"}}, "url"},
		"private":        {kit.Obj{"url": "https://10.0.0.1/x", "events": kit.List{"*"}}, "url"},
		"unknown event": {kit.Obj{"url": "https://refused.invalid/x", "events": kit.List{"entry.exploded"}},
			"events"},
		"short secret": {kit.Obj{"url": "https://refused.invalid/x", "events": kit.List{"*"},
			"secret": "short"}, "secret"},
		"15 bytes": {kit.Obj{"url": "https://refused.invalid/x", "events": kit.List{"*"},
			"secret": "whsec_MDEyMzQ1Njc4OTAxMjM0"}, "secret"},
		"bad header": {kit.Obj{"url": "https://refused.invalid/x", "events": kit.List{"*"},
			"headers": kit.Obj{"X-A": "b\r\nX-C: d"}}, "headers"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.Admin(t).Step(t, kit.Step{Call: "POST /webhooks", Body: row.body, Code: "VALIDATION_FAILED"})
			for path := range a.Get("error.details").(kit.Obj) {
				if !strings.HasPrefix(path, row.details) {
					t.Errorf("details %v, want %s", a.Get("error.details"), row.details)
				}
			}
		})
	}
	t.Run("no events", func(t *testing.T) {
		for _, body := range []kit.Obj{{"events": kit.List{}}, {}} {
			body["url"] = "https://refused.invalid/x"
			a := s.Admin(t).Step(t, kit.Step{Call: "POST /webhooks", Body: body, Status: 201,
				Want: kit.Obj{"data.events": kit.List{}}})
			s.Unsubscribe(t, a.Str(t, "data.id"))
		}
	})
	t.Run("a name that does not resolve", func(t *testing.T) {
		s.Subscribe(t, kit.Obj{"url": "https://nowhere.invalid/x", "models": kit.List{s.Model(t, nil)}})
	})
}

// detail returns a subscription with its delivery log.
func detail(t *testing.T, s *kit.Suite, hook string) kit.Answer {
	t.Helper()
	return s.Admin(t).Get(t, "/webhooks/"+hook)
}

// settled polls until the newest delivery of a subscription has the status, and returns the log.
func settled(t *testing.T, s *kit.Suite, hook, status string) kit.Answer {
	t.Helper()
	var a kit.Answer
	s.Eventually(t, "a delivery that is "+status, func() bool {
		a = detail(t, s, hook)
		return a.Get("data.deliveries.0.status") == status
	})
	return a
}

func webhookSignature(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, nil), s.Key(t, nil)
	r := kit.NewReceiver(t)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}, "headers": kit.Obj{"X-Extra": "mine"}})
	created := k.Create(t, model, kit.Obj{"title": `Sïgned <&> "x"`})
	id := created.Str(t, "data.id")
	d := r.Wait(t, s, 1)[0]
	d.Check(t, s, kit.HookSecret)
	if d.Header.Get("X-Extra") != "mine" || d.Header.Get("X-Service-Attempt") != "1" ||
		kit.Dig(d.Body, "data.id") != id {
		t.Errorf("headers %v, body %s", d.Header, d.Raw)
	}
	settled(t, s, hook, "delivered").Has(t, "the log", kit.Obj{"data.deliveries": kit.Item(kit.Obj{
		"id": d.ID(), "event": "entry.created", "next_attempt_at": nil, "created_at": kit.Timestamp,
		"attempts.#": 1, "attempts.0.attempt": 1, "attempts.0.target_url": r.URL,
		"attempts.0.response_code": 200, "attempts.0.response_body": "answer 200",
		"attempts.0.time": kit.Timestamp, "attempts.0.payload": kit.Present,
		"request_id": created.Header.Get("X-Request-Id"),
	})})
	t.Run("a base64 secret", func(t *testing.T) {
		r := kit.NewReceiver(t)
		secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))
		s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}, "secret": secret})
		k.Create(t, model, kit.Obj{"title": "x"})
		r.Wait(t, s, 1)[0].Check(t, s, secret)
	})
}

func webhookRetry(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	r := kit.NewReceiver(t, 500, 302, 404)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}})
	s.Key(t, nil).Create(t, model, kit.Obj{"title": "Retried"})
	got := r.Wait(t, s, 4)
	for i, d := range got {
		d.Check(t, s, kit.HookSecret)
		if string(d.Raw) != string(got[0].Raw) || d.ID() != got[0].ID() ||
			d.Header.Get("X-Service-Attempt") != kit.Str(i+1) {
			t.Errorf("attempt %d differs: %s %s", i+1, d.Header, d.Raw)
		}
	}
	a := settled(t, s, hook, "delivered")
	attempts, _ := a.Get("data.deliveries.0.attempts").(kit.List)
	codes := map[string]bool{}
	for _, attempt := range attempts {
		codes[kit.Str(kit.Dig(attempt, "response_code"))] = true
	}
	if len(attempts) != 4 || !codes["500"] || !codes["302"] || !codes["404"] || !codes["200"] {
		t.Errorf("attempts %s", a.Raw)
	}
}

func webhookRedelivery(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	r := kit.NewReceiver(t)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}})
	s.Key(t, nil).Create(t, model, kit.Obj{"title": "Again"})
	first := r.Wait(t, s, 1)[0]
	settled(t, s, hook, "delivered")
	s.Admin(t).OK(t, 200, "POST /webhooks/"+hook+"/deliveries/"+first.ID()+"/redeliver", nil)
	second := r.Wait(t, s, 2)[1]
	second.Check(t, s, kit.HookSecret)
	if second.ID() != first.ID() || second.Header.Get("X-Service-Attempt") != "2" ||
		string(second.Raw) != string(first.Raw) {
		t.Errorf("delivery %s attempt %s", second.ID(), second.Header.Get("X-Service-Attempt"))
	}
	s.Eventually(t, "two logged attempts",
		func() bool { return kit.Compare(detail(t, s, hook).Get("data.deliveries.0.attempts.#"), 2) == nil })
	s.Admin(t).Run(t, kit.Step{Name: "unknown",
		Call: "POST /webhooks/" + hook + "/deliveries/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/redeliver", Code: "NOT_FOUND"})
}

func webhookGone(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	r := kit.NewReceiver(t, 410)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}})
	s.Key(t, nil).Create(t, model, kit.Obj{"title": "x"})
	settled(t, s, hook, "failed")
	detail(t, s, hook).Has(t, "after 410", kit.Obj{"data.is_active": false, "data.deliveries.0.attempts.#": 1})
}

func webhookTest(t *testing.T, s *kit.Suite) {
	r := kit.NewReceiver(t, 200, 500)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{s.Model(t, nil)}})
	admin := s.Admin(t)
	a := admin.Step(t, kit.Step{Call: "POST /webhooks/" + hook + "/test",
		Want: kit.Obj{"data.response_code": 200, "data.response_body": "answer 200",
			"data.latency_ms": kit.Present, "data.delivery_id": kit.Present}})
	d := r.Wait(t, s, 1)[0]
	d.Check(t, s, kit.HookSecret)
	if d.Event() != "webhook.test" || d.ID() != a.Get("data.delivery_id") ||
		kit.Dig(d.Body, "data.message") == nil {
		t.Errorf("%s %s", d.Header, d.Raw)
	}
	log := detail(t, s, hook)
	log.Has(t, "the log", kit.Obj{
		"data.deliveries": kit.Item(kit.Obj{"id": d.ID(), "event": "webhook.test", "status": "delivered"})})
	admin.Run(t,
		kit.Step{Name: "while paused", Call: "PATCH /webhooks/" + hook + "/toggle-active",
			Want: kit.Obj{"data.is_active": false}},
		kit.Step{Name: "a failure is shown", Call: "POST /webhooks/" + hook + "/test",
			Want: kit.Obj{"data.response_code": 500, "data.response_body": "answer 500"}},
	)
	kit.Never(t, "a test was repeated", func() bool { return len(r.All()) > 2 })
	dead := s.Subscribe(t, kit.Obj{"url": "http://127.0.0.1:9/x", "models": kit.List{s.Model(t, nil)}})
	admin.Run(t, kit.Step{Name: "refused connection", Call: "POST /webhooks/" + dead + "/test",
		Want: kit.Obj{"data.response_code": nil, "data.delivery_id": kit.Present}})
}

func webhookPause(t *testing.T, s *kit.Suite) {
	model, k, admin := s.Model(t, nil), s.Key(t, nil), s.Admin(t)
	r, beside := kit.NewReceiver(t), kit.NewReceiver(t)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}})
	s.Subscribe(t, kit.Obj{"url": beside.URL, "models": kit.List{model}})
	k.Create(t, model, kit.Obj{"title": "One"})
	r.Wait(t, s, 1)
	admin.OK(t, 200, "PATCH /webhooks/"+hook+"/toggle-active", nil)
	k.Create(t, model, kit.Obj{"title": "Two"})
	beside.Wait(t, s, 2)
	kit.Never(t, "delivered while paused", func() bool { return len(r.All()) > 1 })
	admin.OK(t, 200, "PATCH /webhooks/"+hook+"/toggle-active", nil)
	k.Create(t, model, kit.Obj{"title": "Three"})
	r.Wait(t, s, 2)
	r.All()[1].Has(t, "after the resumption", kit.Obj{"data.title": "Three"})
}

func webhookRotation(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, nil), s.Key(t, nil)
	r := kit.NewReceiver(t)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}})
	a := s.Admin(t).OK(t, 200, "POST /webhooks/"+hook+"/rotate-secret", nil)
	fresh := a.Str(t, "data.secret")
	if fresh == kit.HookSecret {
		t.Fatal("the secret is the same")
	}
	for name, body := range map[string]kit.Obj{"short": {"secret": "short"},
		"no base64":    {"secret": "whsec_ this is not base64 at all"},
		"15 bytes":     {"secret": "whsec_MDEyMzQ1Njc4OTAxMjM0"},
		"a line break": {"secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3\nODkwMTIz"},
		"no text":      {"secret": 1}, "unknown key": {"key": fresh}} {
		s.Admin(t).Run(t, kit.Step{Name: name, Call: "POST /webhooks/" + hook + "/rotate-secret", Body: body,
			Code: "VALIDATION_FAILED"})
	}
	k.Create(t, model, kit.Obj{"title": "x"})
	d := r.Wait(t, s, 1)[0]
	d.Check(t, s, fresh)
	old := kit.Delivery{Header: d.Header.Clone(), Raw: d.Raw, Body: d.Body, Time: d.Time}
	old.Header.Set("X-Service-Signature", d.Header.Get("X-Service-Signature-Previous"))
	old.Check(t, s, kit.HookSecret)
	kit.Same(t, "signatures", len(strings.Fields(d.Header.Get("webhook-signature"))), 2)
	chosen := "a chosen secret of enough length"
	s.Admin(t).Step(t, kit.Step{Call: "POST /webhooks/" + hook + "/rotate-secret", Body: kit.Obj{"secret": chosen},
		Want: kit.Obj{"data.secret": chosen}})
	k.Create(t, model, kit.Obj{"title": "y"})
	r.Wait(t, s, 2)[1].Check(t, s, chosen)
}

func webhookIsolation(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, nil), s.Key(t, nil)
	dead := s.Subscribe(t, kit.Obj{"url": "http://127.0.0.1:9/x", "models": kit.List{model}})
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}})
	const n = 20
	for range n {
		k.Create(t, model, kit.Obj{"title": "x"})
	}
	seen := map[string]bool{}
	for _, d := range r.Wait(t, s, n) {
		seen[d.ID()] = true
	}
	kit.Same(t, "different deliveries", len(seen), n)
	detail(t, s, dead).Has(t, "a dead receiver gets nothing", kit.Obj{
		"data.deliveries.0.status": kit.Not("delivered")})
}
