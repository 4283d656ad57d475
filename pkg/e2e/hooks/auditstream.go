package hooks

import (
	"slices"
	"testing"

	"headless/pkg/e2e/kit"
)

// auditStream follows the activity log, and compares what comes with the log.
func auditStream(t *testing.T, s *kit.Suite) {
	_, c := s.OwnAdmin(t)
	r, others := kit.NewReceiver(t), kit.NewReceiver(t)
	s.Subscribe(t, kit.Obj{"url": others.URL, "events": kit.List{"*"}, "bundle_seconds": 1})
	hook := s.Subscribe(t, kit.Obj{"url": r.URL, "events": kit.List{"activity.recorded"}, "ed25519": true})
	model := s.Model(t, nil)
	id := c.Post(t, "/models/"+model+"/entries", kit.Obj{"title": "Streamed"}).Str(t, "data.id")
	for _, title := range []string{"One", "Two", "Three"} {
		c.Put(t, "/models/"+model+"/entries/"+id, kit.Obj{"title": title})
	}
	c.Delete(t, "/models/"+model+"/entries/"+id)
	var mine []kit.Delivery
	s.Eventually(t, "the records of an entry", func() bool {
		mine = slices.DeleteFunc(r.All("activity.recorded"),
			func(d kit.Delivery) bool { return kit.Dig(d.Body, "data.subject_id") != id })
		return len(mine) >= 5
	})
	var events []string
	for _, d := range mine {
		d.Check(t, s, kit.HookSecret)
		events = append(events, kit.Str(kit.Dig(d.Body, "data.event")))
		d.Has(t, "a record", kit.Obj{"data.sequence": kit.Dig(d.Body, "sequence"), "data.address": kit.Present})
	}
	if want := []string{"entry.created", "entry.updated", "entry.updated", "entry.updated",
		"entry.deleted"}; !slices.Equal(events, want) {
		t.Errorf("the events are %q", events)
	}
	before := 0.0
	for _, d := range r.All() {
		if at, _ := kit.Dig(d.Body, "sequence").(float64); at != before+1 {
			t.Errorf("sequence %v after %v", at, before)
		}
		before++
	}
	if len(others.All("activity.recorded")) > 0 {
		t.Error("the stream is part of *")
	}
	s.Admin(t).Step(t, kit.Step{Name: "no deliveries are logged", Call: "GET /webhooks/" + hook,
		Want: kit.Obj{"data.deliveries": kit.List{}, "data.events": kit.List{"activity.recorded"}}})
	_, _, editor := s.User(t, "editor")
	editor.Step(t, kit.Step{Name: "admins only", Call: "POST /webhooks", Code: "FORBIDDEN",
		Body: kit.Obj{"name": "x", "url": r.URL, "events": kit.List{"activity.recorded"}}})
}
