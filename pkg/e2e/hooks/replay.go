package hooks

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// webhookReplay sends deliveries again: those that failed, and those of a time span.
func webhookReplay(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	r := kit.NewReceiver(t, 410)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "models": kit.List{model}})
	admin, at := s.Admin(t), "/webhooks/"+hook+"/replay"
	admin.Run(t,
		kit.Step{Name: "none yet", Call: "GET " + at, Code: "NOT_FOUND"},
		kit.Step{Name: "no span", Call: "POST " + at, Body: kit.Obj{}, Invalid: "from"},
		kit.Step{Name: "a span that ends before it begins", Call: "POST " + at,
			Body: kit.Obj{"from": "2020-02-01T00:00:00Z", "to": "2020-01-01T00:00:00Z"}, Invalid: "from"},
		kit.Step{Name: "unknown webhook", Call: "POST /webhooks/018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f/replay",
			Body: kit.Obj{"only_failed": true}, Code: "NOT_FOUND"},
	)
	key := s.Key(t, nil)
	key.Create(t, model, kit.Obj{"title": "Refused"})
	failed := r.Wait(t, s, 1)[0].ID()
	settled(t, s, hook, "failed")
	admin.Run(t,
		kit.Step{Name: "paused", Call: "POST " + at, Body: kit.Obj{"only_failed": true}, Code: "CONFLICT"},
		kit.Step{Name: "resume", Call: "PATCH /webhooks/" + hook + "/toggle-active"},
	)
	key.Create(t, model, kit.Obj{"title": "Taken"})
	taken := r.Wait(t, s, 2)[1].ID()
	settled(t, s, hook, "delivered")

	finished := func(n any) {
		t.Helper()
		s.Eventually(t, "the end of the replay", func() bool {
			return admin.Get(t, at).Get("data.status") == "done"
		})
		admin.Run(t, kit.Step{Name: "finished", Call: "GET " + at,
			Want: kit.Obj{"data.sent_again": n, "data.looked_at": 2, "data.finished_at": kit.Present}})
	}
	admin.Run(t, kit.Step{Name: "what failed", Call: "POST " + at, Body: kit.Obj{"only_failed": true}, Status: 202,
		Want: kit.Obj{"data.id": kit.Present, "data.from": kit.Present, "data.only_failed": true}})
	if again := r.Wait(t, s, 3)[2]; again.ID() != failed || again.Header.Get("X-Service-Attempt") != "2" {
		t.Errorf("sent again: delivery %s, attempt %s", again.ID(), again.Header.Get("X-Service-Attempt"))
	}
	finished(1)
	s.Eventually(t, "both delivered", func() bool {
		return detail(t, s, hook).Get("data.deliveries.1.status") == "delivered"
	})
	admin.Run(t, kit.Step{Name: "a time span", Call: "POST " + at, Status: 202,
		Body: kit.Obj{"from": "2020-01-01T00:00:00Z"}})
	got := map[string]bool{}
	for _, d := range r.Wait(t, s, 5)[3:] {
		got[d.ID()] = true
	}
	if !got[failed] || !got[taken] {
		t.Errorf("sent again: %v", got)
	}
	finished(2)
	admin.Run(t, kit.Step{Name: "nothing to stop", Call: "DELETE " + at, Code: "CONFLICT"})
}
