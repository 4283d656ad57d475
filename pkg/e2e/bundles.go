package e2e

import (
	"fmt"
	"testing"
)

var bundleScenarios = []scenario{
	{name: "bundles", run: bundledWebhook},
	{name: "bundles/refused", run: refusedBundles},
}

func bundledWebhook(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	r := newReceiver(t)
	hook := s.subscribe(t, obj{"url": r.url, "models": list{model}, "bundle_seconds": 2})
	if a := s.detail(t, hook); compare(a.get("data.bundle_seconds"), 2) != nil {
		t.Errorf("%s", a.Raw)
	}
	ids := map[string]bool{}
	for i := range 5 {
		ids[k.create(t, model, obj{"title": fmt.Sprint("Burst ", i)}).str(t, "data.id")] = true
	}
	s.fired(t, "the bundle", func() bool { return len(r.all()) > 0 })
	seen := 0
	s.fired(t, "every event", func() bool {
		seen = 0
		for _, d := range r.all() {
			events, _ := dig(d.body, "data.events").(list)
			seen += len(events)
		}
		return seen >= 5
	})
	d := r.all()[0]
	d.check(t, s, hookSecret)
	if d.event() != "changes" || dig(d.body, "event") != "changes" ||
		dig(d.body, "data.events.0.event") != "entry.created" ||
		dig(d.body, "data.events.0.model") != model || !ids[str(dig(d.body, "data.events.0.id"))] ||
		dig(d.body, "data.tags") == nil {
		t.Errorf("%s", d.raw)
	}
	if seen != 5 {
		t.Errorf("%d events, want 5", seen)
	}
	a := s.settled(t, hook, "delivered")
	if a.get("data.deliveries.0.event") != "changes" {
		t.Errorf("%s", a.Raw)
	}
}

func refusedBundles(t *testing.T, s *suite) {
	for _, n := range []any{-1, 301, 1.5} {
		s.admin(t).step(t, step{
			call: "POST /webhooks", body: obj{"url": "https://refused.invalid/x",
				"bundle_seconds": n}, status: 422, code: "VALIDATION_FAILED",
			details: []string{"bundle_seconds"},
		})
	}
}
