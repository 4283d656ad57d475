package hooks

import (
	"fmt"
	"testing"

	"headless/pkg/e2e/kit"
)

// Bundles has the scenarios of deliveries of several events.
var Bundles = []kit.Scenario{
	{Name: "bundles", Run: bundledWebhook},
	{Name: "bundles/other events", Run: bundledChanges},
	{Name: "bundles/addresses", Run: bundledAddress},
	{Name: "bundles/refused", Run: refusedBundles},
	{Name: "bundles/recipes", Run: buildRecipes},
}

func bundledWebhook(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, nil), s.Key(t, nil)
	r := kit.NewReceiver(t)
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"entry.*"}, "models": kit.List{model},
		"bundle_seconds": 2})
	detail(t, s, hook).Has(t, "the webhook", kit.Obj{"data.bundle_seconds": 2})
	ids := map[string]bool{}
	for i := range 5 {
		ids[k.Create(t, model, kit.Obj{"title": fmt.Sprint("Burst ", i)}).Str(t, "data.id")] = true
	}
	s.Eventually(t, "the bundle", func() bool { return len(r.All()) > 0 })
	seen := 0
	s.Eventually(t, "every event", func() bool {
		seen = 0
		for _, d := range r.All() {
			events, _ := kit.Dig(d.Body, "data.events").(kit.List)
			seen += len(events)
		}
		return seen >= 5
	})
	d := r.All()[0]
	d.Check(t, s, kit.HookSecret)
	if d.Event() != "changes" || kit.Dig(d.Body, "event") != "changes" ||
		kit.Dig(d.Body, "data.events.0.event") != "entry.created" ||
		kit.Dig(d.Body, "data.events.0.model") != model || !ids[kit.Str(kit.Dig(d.Body, "data.events.0.id"))] ||
		kit.Dig(d.Body, "data.tags") == nil {
		t.Errorf("%s", d.Raw)
	}
	kit.Same(t, "events", seen, 5)
	a := settled(t, s, hook, "delivered")
	a.Has(t, "the log", kit.Obj{"data.deliveries.0.event": "changes"})
}

// bundledChanges bundles events of files and redirects, with the tags that they purge.
func bundledChanges(t *testing.T, s *kit.Suite) {
	k, admin := s.Key(t, nil), s.Admin(t)
	r := kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"media.updated", "redirects.updated", "user.created"},
		"bundle_seconds": 1})
	id := k.Upload(t, "a.png", kit.PNG(2, 2), nil).Str(t, "data.id")
	admin.Put(t, "/media/"+id, kit.Obj{"alt": "changed"})
	admin.Post(t, "/redirects", kit.Obj{"from": "/" + kit.Unique("from"), "to": "/to"})
	seen, tags := map[string]bool{}, map[string]bool{}
	s.Eventually(t, "the changes", func() bool {
		for _, d := range r.All("changes") {
			events, _ := kit.Dig(d.Body, "data.events").(kit.List)
			for _, e := range events {
				seen[kit.Str(kit.Dig(e, "event"))+kit.Str(kit.Dig(e, "id"))] = true
			}
			all, _ := kit.Dig(d.Body, "data.tags").(kit.List)
			for _, tag := range all {
				tags[kit.Str(tag)] = true
			}
		}
		return seen["media.updated"+id] && seen["redirects.updated"]
	})
	if !tags["f."+id] || !tags["paths"] {
		t.Errorf("the tags are %v", tags)
	}
	for _, d := range r.All() {
		if d.Event() == "media.updated" || d.Event() == "redirects.updated" {
			t.Errorf("%s was sent alone", d.Event())
		}
	}
}

// bundledAddress names the tag of addresses when one begins.
func bundledAddress(t *testing.T, s *kit.Suite) {
	k, r := s.Key(t, nil), kit.NewReceiver(t)
	model := s.Model(t, kit.Obj{"url": "/" + kit.Unique("u") + "/{slug}"})
	s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"entry.published"}, "models": kit.List{model},
		"bundle_seconds": 1})
	id := k.Publish(t, model, "A", nil)
	s.Eventually(t, "the bundle", func() bool { return len(r.All()) > 0 })
	want := kit.List{"e." + id, "l." + model + ".en", "m." + model, "paths"}
	kit.Same(t, "the tags", kit.Dig(r.All()[0].Body, "data.tags"), any(want))
}

func refusedBundles(t *testing.T, s *kit.Suite) {
	for _, n := range []any{-1, 301, 1.5} {
		s.Admin(t).Step(t, kit.Step{Call: "POST /webhooks",
			Body: kit.Obj{"url": "https://refused.invalid/x", "bundle_seconds": n}, Invalid: "bundle_seconds"})
	}
}
