package e2e

import (
	"slices"
	"testing"
	"time"
)

// streamPatience is how late an activity record may be sent.
const streamPatience = time.Minute

// auditStream follows the activity log, and compares what comes with the log.
func auditStream(t *testing.T, s *suite) {
	_, c := s.own(t)
	r, others := newReceiver(t), newReceiver(t)
	s.subscribe(t, obj{"url": others.url, "events": list{"*"}, "bundle_seconds": 1})
	hook := s.subscribe(t, obj{"url": r.url, "events": list{"activity.recorded"}, "ed25519": true})
	model := s.model(t, nil)
	id := c.ok(t, 201, "POST /models/"+model+"/entries", obj{"title": "Streamed"}).str(t, "data.id")
	for _, title := range []string{"One", "Two", "Three"} {
		c.ok(t, 200, "PUT /models/"+model+"/entries/"+id, obj{"title": title})
	}
	c.ok(t, 204, "DELETE /models/"+model+"/entries/"+id, nil)
	var mine []delivery
	s.clone(streamPatience).eventually(t, "the records of an entry", func() bool {
		mine = slices.DeleteFunc(r.all("activity.recorded"),
			func(d delivery) bool { return dig(d.body, "data.subject_id") != id })
		return len(mine) >= 5
	})
	var events []string
	for _, d := range mine {
		d.check(t, s, hookSecret)
		events = append(events, str(dig(d.body, "data.event")))
		if dig(d.body, "data.sequence") != dig(d.body, "sequence") || dig(d.body, "data.address") == nil {
			t.Errorf("a record is %s", d.raw)
		}
	}
	if want := []string{"entry.created", "entry.updated", "entry.updated", "entry.updated", "entry.deleted"}; !slices.Equal(events, want) {
		t.Errorf("the events are %q", events)
	}
	before := 0.0
	for _, d := range r.all() {
		if at, _ := dig(d.body, "sequence").(float64); at != before+1 {
			t.Errorf("sequence %v after %v", at, before)
		}
		before++
	}
	if len(others.all("activity.recorded")) > 0 {
		t.Error("the stream is part of *")
	}
	s.admin(t).step(t, step{name: "no deliveries are logged", call: "GET /webhooks/" + hook, status: 200,
		want: obj{"data.deliveries": list{}, "data.events": list{"activity.recorded"}}})
	_, _, editor := s.user(t, "editor")
	editor.step(t, step{name: "admins only", call: "POST /webhooks", status: 403, code: "FORBIDDEN",
		body: obj{"name": "x", "url": r.url, "events": list{"activity.recorded"}}})
}
