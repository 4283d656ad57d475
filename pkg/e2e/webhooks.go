package e2e

import (
	"encoding/base64"
	"maps"
	"net/http"
	"strings"
	"testing"
)

var webhookScenarios = []scenario{
	{name: "webhooks/listen", run: listening},
	{name: "webhooks/manage", run: manageWebhooks},
	{name: "webhooks/refused", run: refusedWebhooks},
	{name: "webhooks/signature", run: webhookSignature},
	{name: "webhooks/retry", run: webhookRetry},
	{name: "webhooks/redeliver", run: webhookRedelivery},
	{name: "webhooks/replay", run: webhookReplay},
	{name: "webhooks/gone", run: webhookGone},
	{name: "webhooks/test", run: webhookTest},
	{name: "webhooks/pause", run: webhookPause},
	{name: "webhooks/rotate", run: webhookRotation},
	{name: "webhooks/isolation", run: webhookIsolation},
	{name: "webhooks/paused by itself", run: webhookPausedByItself},
	{name: "webhooks/limit", run: webhookLimit},
	{name: "webhooks/body", run: webhookBody},
	{name: "webhooks/ed25519", run: webhookEd25519},
	{name: "webhooks/audit stream", run: auditStream},
}

const hookSecret = "a given secret of enough length"

// subscribe makes a subscription by the admin routes and returns its id.
func (s *suite) subscribe(t *testing.T, definition obj) string {
	t.Helper()
	body := obj{"name": unique("hook"), "events": list{"entry.*"}, "secret": hookSecret}
	maps.Copy(body, definition)
	id := s.admin(t).ok(t, 201, "POST /webhooks", body).str(t, "data.id")
	t.Cleanup(func() { s.unsubscribe(t, id) })
	return id
}

// unsubscribe deletes a subscription, so that a later run on the same store does not deliver to a
// receiver that is gone.
func (s *suite) unsubscribe(t *testing.T, id string) {
	req, err := http.NewRequest(http.MethodDelete, s.target.BaseURL+adminBase+"/webhooks/"+id, nil)
	if err != nil {
		t.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Accept", "application/json")
	resp, err := s.http.Do(req)
	if err != nil {
		t.Error(err)
		return
	}
	resp.Body.Close()
}

func manageWebhooks(t *testing.T, s *suite) {
	admin := s.admin(t)
	model, url := s.model(t, nil), newReceiver(t).url
	made := admin.step(t,
		step{call: "POST /webhooks", body: obj{"url": url, "events": list{"user.created"}},
			status: 201, want: obj{
				"data.name": "", "data.url": url, "data.events": list{"user.created"},
				"data.models": list{}, "data.is_active": true, "data.description": "",
				"data.headers": obj{}, "data.secret": matches("^whsec_[A-Za-z0-9+/]{43}=$"),
				"data.created_at": timestamp, "data.updated_at": timestamp,
			}})
	one, secret := "/webhooks/"+made.str(t, "data.id"), made.str(t, "data.secret")
	if b, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_")); err != nil ||
		len(b) != 32 {
		t.Errorf("the secret has %d bytes, %v", len(b), err)
	}
	admin.run(t,
		step{name: "read", call: "GET " + one, status: 200,
			want: obj{"data.deliveries": present, "data.secret": nil, "data.is_active": true}},
		step{name: "update", call: "PUT " + one, body: obj{"name": "N", "events": list{"entry.*"},
			"models": list{model}, "headers": obj{"X-Extra": "1"}}, status: 200, want: obj{
			"data.name": "N", "data.events": list{"entry.*"}, "data.models": list{model},
			"data.headers": obj{"X-Extra": "1"}, "data.url": url, "data.secret": nil,
		}},
		step{name: "pause", call: "PATCH " + one + "/toggle-active", status: 200,
			want: obj{"data.is_active": false}},
		step{name: "resume", call: "PATCH " + one + "/toggle-active", status: 200,
			want: obj{"data.is_active": true}},
		step{name: "list", call: "GET /webhooks?per_page=1", status: 200,
			want: obj{"meta.page": 1, "meta.per_page": 1, "meta.total": present}},
		step{name: "delete", call: "DELETE " + one, status: 204},
		step{name: "gone", call: "GET " + one, status: 404, code: "NOT_FOUND"},
		step{name: "gone, toggle", call: "PATCH " + one + "/toggle-active", status: 404, code: "NOT_FOUND"},
		step{name: "gone, test", call: "POST " + one + "/test", status: 404, code: "NOT_FOUND"},
	)
	if a := admin.ok(t, 200, "GET /webhooks?per_page=100", nil); strings.Contains(string(a.Raw), secret) {
		t.Error("the list shows a secret")
	}
}

func refusedWebhooks(t *testing.T, s *suite) {
	for name, row := range map[string]struct {
		body    obj
		details string
	}{
		"no address":     {obj{"events": list{"*"}}, "url"},
		"not an address": {obj{"url": "nowhere", "events": list{"*"}}, "url"},
		"another scheme": {obj{"url": "ftp://refused.invalid/x", "events": list{"*"}}, "url"},
		"user info":      {obj{"url": "https://a:b@refused.invalid/x", "events": list{"*"}}, "url"},
		"decimal":        {obj{"url": "https://2852039166/x", "events": list{"*"}}, "url"},
		"hex":            {obj{"url": "https://0xa9fea9fe/x", "events": list{"*"}}, "url"},
		"octal":          {obj{"url": "https://0251.0376.0251.0376/x", "events": list{"*"}}, "url"},
		"metadata":       {obj{"url": "https://169.254.169.254/latest", "events": list{"*"}}, "url"},
		"private":        {obj{"url": "https://10.0.0.1/x", "events": list{"*"}}, "url"},
		"unknown event": {obj{"url": "https://refused.invalid/x", "events": list{"entry.exploded"}},
			"events"},
		"short secret": {obj{"url": "https://refused.invalid/x", "events": list{"*"},
			"secret": "short"}, "secret"},
		"15 bytes": {obj{"url": "https://refused.invalid/x", "events": list{"*"},
			"secret": "whsec_MDEyMzQ1Njc4OTAxMjM0"}, "secret"},
		"bad header": {obj{"url": "https://refused.invalid/x", "events": list{"*"},
			"headers": obj{"X-A": "b\r\nX-C: d"}}, "headers"},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.admin(t).step(t, step{call: "POST /webhooks", body: row.body, status: 422,
				code: "VALIDATION_FAILED"})
			for path := range a.get("error.details").(obj) {
				if !strings.HasPrefix(path, row.details) {
					t.Errorf("details %v, want %s", a.get("error.details"), row.details)
				}
			}
		})
	}
	t.Run("no events", func(t *testing.T) {
		for _, body := range []obj{{"events": list{}}, {}} {
			body["url"] = "https://refused.invalid/x"
			a := s.admin(t).step(t, step{call: "POST /webhooks", body: body, status: 201,
				want: obj{"data.events": list{}}})
			s.unsubscribe(t, a.str(t, "data.id"))
		}
	})
	t.Run("a name that does not resolve", func(t *testing.T) {
		s.subscribe(t, obj{"url": "https://nowhere.invalid/x", "models": list{s.model(t, nil)}})
	})
}

// detail returns a subscription with its delivery log.
func (s *suite) detail(t *testing.T, hook string) answer {
	t.Helper()
	return s.admin(t).ok(t, 200, "GET /webhooks/"+hook, nil)
}

// settled polls until the newest delivery of a subscription has the status, and returns the log.
func (s *suite) settled(t *testing.T, hook, status string) answer {
	t.Helper()
	var a answer
	s.eventually(t, "a delivery that is "+status, func() bool {
		a = s.detail(t, hook)
		return a.get("data.deliveries.0.status") == status
	})
	return a
}

func webhookSignature(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	r := newReceiver(t)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}, "headers": obj{"X-Extra": "mine"}})
	created := k.create(t, model, obj{"title": `Sïgned <&> "x"`})
	id := created.str(t, "data.id")
	d := r.wait(t, s, 1)[0]
	d.check(t, s, hookSecret)
	if d.header.Get("X-Extra") != "mine" || d.header.Get("X-Service-Attempt") != "1" ||
		dig(d.body, "data.id") != id {
		t.Errorf("headers %v, body %s", d.header, d.raw)
	}
	a := s.settled(t, hook, "delivered")
	for path, want := range map[string]any{
		"id": d.id(), "event": "entry.created", "next_attempt_at": nil, "created_at": timestamp,
		"attempts.#": 1, "attempts.0.attempt": 1, "attempts.0.target_url": r.url,
		"attempts.0.response_code": 200, "attempts.0.response_body": "answer 200",
		"attempts.0.time": timestamp, "attempts.0.payload": present,
		"request_id": created.Header.Get("X-Request-Id"),
	} {
		if err := compare(a.get("data.deliveries.0."+path), want); err != nil {
			t.Errorf("%s: %v\n%s", path, err, a.Raw)
		}
	}
	t.Run("a base64 secret", func(t *testing.T) {
		r := newReceiver(t)
		secret := "whsec_" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))
		s.subscribe(t, obj{"url": r.url, "models": list{model}, "secret": secret})
		k.create(t, model, obj{"title": "x"})
		r.wait(t, s, 1)[0].check(t, s, secret)
	})
}

func webhookRetry(t *testing.T, s *suite) {
	model := s.model(t, nil)
	r := newReceiver(t, 500, 302, 404)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}})
	s.key(t, nil).create(t, model, obj{"title": "Retried"})
	got := r.wait(t, s, 4)
	for i, d := range got {
		d.check(t, s, hookSecret)
		if string(d.raw) != string(got[0].raw) || d.id() != got[0].id() ||
			d.header.Get("X-Service-Attempt") != str(i+1) {
			t.Errorf("attempt %d differs: %s %s", i+1, d.header, d.raw)
		}
	}
	a := s.settled(t, hook, "delivered")
	attempts, _ := a.get("data.deliveries.0.attempts").(list)
	codes := map[string]bool{}
	for _, attempt := range attempts {
		codes[str(dig(attempt, "response_code"))] = true
	}
	if len(attempts) != 4 || !codes["500"] || !codes["302"] || !codes["404"] || !codes["200"] {
		t.Errorf("attempts %s", a.Raw)
	}
}

func webhookRedelivery(t *testing.T, s *suite) {
	model := s.model(t, nil)
	r := newReceiver(t)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}})
	s.key(t, nil).create(t, model, obj{"title": "Again"})
	first := r.wait(t, s, 1)[0]
	s.settled(t, hook, "delivered")
	a := s.admin(t).do(t, "POST /webhooks/"+hook+"/deliveries/"+first.id()+"/redeliver", nil)
	if a.Status >= 300 {
		t.Fatalf("%d %s", a.Status, a.Raw)
	}
	second := r.wait(t, s, 2)[1]
	second.check(t, s, hookSecret)
	if second.id() != first.id() || second.header.Get("X-Service-Attempt") != "2" ||
		string(second.raw) != string(first.raw) {
		t.Errorf("delivery %s attempt %s", second.id(), second.header.Get("X-Service-Attempt"))
	}
	s.eventually(t, "two logged attempts",
		func() bool { return compare(s.detail(t, hook).get("data.deliveries.0.attempts.#"), 2) == nil })
	s.admin(t).run(t, step{name: "unknown", call: "POST /webhooks/" + hook +
		"/deliveries/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/redeliver", status: 404, code: "NOT_FOUND"})
}

func webhookGone(t *testing.T, s *suite) {
	model := s.model(t, nil)
	r := newReceiver(t, 410)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}})
	s.key(t, nil).create(t, model, obj{"title": "x"})
	s.settled(t, hook, "failed")
	if a := s.detail(t, hook); a.get("data.is_active") != false ||
		compare(a.get("data.deliveries.0.attempts.#"), 1) != nil {
		t.Errorf("after 410: %s", a.Raw)
	}
}

func webhookTest(t *testing.T, s *suite) {
	r := newReceiver(t, 200, 500)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{s.model(t, nil)}})
	admin := s.admin(t)
	a := admin.step(t, step{call: "POST /webhooks/" + hook + "/test", status: 200,
		want: obj{"data.response_code": 200, "data.response_body": "answer 200",
			"data.latency_ms": present, "data.delivery_id": present}})
	d := r.wait(t, s, 1)[0]
	d.check(t, s, hookSecret)
	if d.event() != "webhook.test" || d.id() != a.get("data.delivery_id") ||
		dig(d.body, "data.message") == nil {
		t.Errorf("%s %s", d.header, d.raw)
	}
	log := s.detail(t, hook)
	if logged := find(log.get("data.deliveries"), "id", d.id()); logged == nil ||
		logged["event"] != "webhook.test" || logged["status"] != "delivered" {
		t.Errorf("the test is not logged: %s", log.Raw)
	}
	admin.run(t,
		step{name: "while paused", call: "PATCH /webhooks/" + hook + "/toggle-active", status: 200,
			want: obj{"data.is_active": false}},
		step{name: "a failure is shown", call: "POST /webhooks/" + hook + "/test", status: 200,
			want: obj{"data.response_code": 500, "data.response_body": "answer 500"}},
	)
	never(t, "a test was repeated", func() bool { return len(r.all()) > 2 })
	dead := s.subscribe(t, obj{"url": "http://127.0.0.1:9/x", "models": list{s.model(t, nil)}})
	admin.run(t, step{name: "refused connection", call: "POST /webhooks/" + dead + "/test",
		status: 200, want: obj{"data.response_code": nil, "data.delivery_id": present}})
}

func webhookPause(t *testing.T, s *suite) {
	model, k, admin := s.model(t, nil), s.key(t, nil), s.admin(t)
	r, beside := newReceiver(t), newReceiver(t)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}})
	s.subscribe(t, obj{"url": beside.url, "models": list{model}})
	k.create(t, model, obj{"title": "One"})
	r.wait(t, s, 1)
	admin.ok(t, 200, "PATCH /webhooks/"+hook+"/toggle-active", nil)
	k.create(t, model, obj{"title": "Two"})
	beside.wait(t, s, 2)
	never(t, "delivered while paused", func() bool { return len(r.all()) > 1 })
	admin.ok(t, 200, "PATCH /webhooks/"+hook+"/toggle-active", nil)
	k.create(t, model, obj{"title": "Three"})
	r.wait(t, s, 2)
	if d := r.all()[1]; dig(d.body, "data.title") != "Three" {
		t.Errorf("after the resumption came %s", d.raw)
	}
}

func webhookRotation(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	r := newReceiver(t)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}})
	a := s.admin(t).do(t, "POST /webhooks/"+hook+"/rotate-secret", nil)
	if a.Status >= 300 {
		t.Fatalf("%d %s", a.Status, a.Raw)
	}
	fresh := a.str(t, "data.secret")
	if fresh == hookSecret {
		t.Fatal("the secret is the same")
	}
	for name, body := range map[string]obj{"short": {"secret": "short"},
		"no base64":    {"secret": "whsec_ this is not base64 at all"},
		"15 bytes":     {"secret": "whsec_MDEyMzQ1Njc4OTAxMjM0"},
		"a line break": {"secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3\nODkwMTIz"},
		"no text":      {"secret": 1}, "unknown key": {"key": fresh}} {
		s.admin(t).run(t, step{name: name, call: "POST /webhooks/" + hook + "/rotate-secret",
			body: body, status: 422, code: "VALIDATION_FAILED"})
	}
	k.create(t, model, obj{"title": "x"})
	d := r.wait(t, s, 1)[0]
	d.check(t, s, fresh)
	old := delivery{header: d.header.Clone(), raw: d.raw, body: d.body, time: d.time}
	old.header.Set("X-Service-Signature", d.header.Get("X-Service-Signature-Previous"))
	old.check(t, s, hookSecret)
	if n := len(strings.Fields(d.header.Get("webhook-signature"))); n != 2 {
		t.Errorf("%d signatures, want 2", n)
	}
	chosen := "a chosen secret of enough length"
	s.admin(t).step(t, step{call: "POST /webhooks/" + hook + "/rotate-secret",
		body: obj{"secret": chosen}, status: 200, want: obj{"data.secret": chosen}})
	k.create(t, model, obj{"title": "y"})
	r.wait(t, s, 2)[1].check(t, s, chosen)
}

func webhookIsolation(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	dead := s.subscribe(t, obj{"url": "http://127.0.0.1:9/x", "models": list{model}})
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "models": list{model}})
	const n = 20
	for range n {
		k.create(t, model, obj{"title": "x"})
	}
	seen := map[string]bool{}
	for _, d := range r.wait(t, s, n) {
		seen[d.id()] = true
	}
	if len(seen) != n {
		t.Errorf("%d different deliveries of %d", len(seen), n)
	}
	if a := s.detail(t, dead); a.get("data.deliveries.0.status") == "delivered" {
		t.Errorf("a dead receiver got something: %s", a.Raw)
	}
}
