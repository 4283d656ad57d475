package e2e

import "testing"

// webhookReplay sends deliveries again: those that failed, and those of a time span.
func webhookReplay(t *testing.T, s *suite) {
	model := s.model(t, nil)
	r := newReceiver(t, 410)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}})
	admin, at := s.admin(t), "/webhooks/"+hook+"/replay"
	admin.run(t,
		step{name: "none yet", call: "GET " + at, status: 404, code: "NOT_FOUND"},
		step{name: "no span", call: "POST " + at, body: obj{}, status: 422,
			code: "VALIDATION_FAILED", details: []string{"from"}},
		step{name: "a span that ends before it begins", call: "POST " + at, status: 422,
			body: obj{"from": "2020-02-01T00:00:00Z", "to": "2020-01-01T00:00:00Z"},
			code: "VALIDATION_FAILED", details: []string{"from"}},
		step{name: "unknown webhook", call: "POST /webhooks/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/replay",
			body: obj{"only_failed": true}, status: 404, code: "NOT_FOUND"},
	)
	key := s.key(t, nil)
	key.create(t, model, obj{"title": "Refused"})
	failed := r.wait(t, s, 1)[0].id()
	s.settled(t, hook, "failed")
	admin.run(t,
		step{name: "paused", call: "POST " + at, body: obj{"only_failed": true}, status: 409,
			code: "CONFLICT"},
		step{name: "resume", call: "PATCH /webhooks/" + hook + "/toggle-active", status: 200},
	)
	key.create(t, model, obj{"title": "Taken"})
	taken := r.wait(t, s, 2)[1].id()
	s.settled(t, hook, "delivered")

	finished := func(n any) {
		t.Helper()
		s.eventually(t, "the end of the replay", func() bool {
			return admin.ok(t, 200, "GET "+at, nil).get("data.status") == "done"
		})
		admin.run(t, step{name: "finished", call: "GET " + at, status: 200, want: obj{
			"data.sent_again": n, "data.looked_at": 2, "data.finished_at": present}})
	}
	admin.run(t, step{name: "what failed", call: "POST " + at, body: obj{"only_failed": true},
		status: 202, want: obj{"data.id": present, "data.from": present, "data.only_failed": true}})
	if again := r.wait(t, s, 3)[2]; again.id() != failed || again.header.Get("X-Service-Attempt") != "2" {
		t.Errorf("sent again: delivery %s, attempt %s", again.id(), again.header.Get("X-Service-Attempt"))
	}
	finished(1)
	s.eventually(t, "both delivered", func() bool {
		return s.detail(t, hook).get("data.deliveries.1.status") == "delivered"
	})
	admin.run(t, step{name: "a time span", call: "POST " + at, status: 202,
		body: obj{"from": "2020-01-01T00:00:00Z"}})
	got := map[string]bool{}
	for _, d := range r.wait(t, s, 5)[3:] {
		got[d.id()] = true
	}
	if !got[failed] || !got[taken] {
		t.Errorf("sent again: %v", got)
	}
	finished(2)
	admin.run(t, step{name: "nothing to stop", call: "DELETE " + at, status: 409, code: "CONFLICT"})
}
