package e2e

import (
	"fmt"
	"reflect"
	"testing"
)

var bundleScenarios = []scenario{
	{name: "bundles", run: bundledWebhook},
	{name: "bundles/other events", run: bundledChanges},
	{name: "bundles/addresses", run: bundledAddress},
	{name: "bundles/refused", run: refusedBundles},
	{name: "bundles/recipes", run: buildRecipes},
}

func bundledWebhook(t *testing.T, s *suite) {
	model, k := s.model(t, nil), s.key(t, nil)
	r := newReceiver(t)
	hook := s.subscribe(t, obj{"url": r.url, "events": list{"entry.*"}, "models": list{model}, "bundle_seconds": 2})
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

// bundledChanges bundles events of files and redirects, with the tags that they purge.
func bundledChanges(t *testing.T, s *suite) {
	k, admin := s.key(t, nil), s.admin(t)
	r := newReceiver(t)
	s.subscribe(t, obj{"url": r.url, "events": list{"media.updated", "redirects.updated", "user.created"}, "bundle_seconds": 1})
	id := k.upload(t, "a.png", pngFile(2, 2), nil).str(t, "data.id")
	admin.ok(t, 200, "PUT /media/"+id, obj{"alt": "changed"})
	admin.ok(t, 201, "POST /redirects", obj{"from": "/" + unique("from"), "to": "/to"})
	seen, tags := map[string]bool{}, map[string]bool{}
	s.fired(t, "the changes", func() bool {
		for _, d := range r.all("changes") {
			events, _ := dig(d.body, "data.events").(list)
			for _, e := range events {
				seen[str(dig(e, "event"))+str(dig(e, "id"))] = true
			}
			all, _ := dig(d.body, "data.tags").(list)
			for _, tag := range all {
				tags[str(tag)] = true
			}
		}
		return seen["media.updated"+id] && seen["redirects.updated"]
	})
	if !tags["f."+id] || !tags["paths"] {
		t.Errorf("the tags are %v", tags)
	}
	for _, d := range r.all() {
		if d.event() == "media.updated" || d.event() == "redirects.updated" {
			t.Errorf("%s was sent alone", d.event())
		}
	}
}

// bundledAddress names the tag of addresses when one begins.
func bundledAddress(t *testing.T, s *suite) {
	k, r := s.key(t, nil), newReceiver(t)
	model := s.model(t, obj{"url": "/" + unique("u") + "/{slug}"})
	s.subscribe(t, obj{"url": r.url, "events": list{"entry.published"}, "models": list{model}, "bundle_seconds": 1})
	id := k.publish(t, model, "A", nil)
	s.fired(t, "the bundle", func() bool { return len(r.all()) > 0 })
	want := list{"e." + id, "l." + model + ".en", "m." + model, "paths"}
	if tags := dig(r.all()[0].body, "data.tags"); !reflect.DeepEqual(tags, any(want)) {
		t.Errorf("the tags are %v, want %v", tags, want)
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
