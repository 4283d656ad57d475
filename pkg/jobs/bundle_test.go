package jobs_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/hooks/bundle"
	"headless/pkg/hooks/webhook"
	"headless/pkg/must"
	"headless/pkg/queue"
	"headless/pkg/table"
)

// busyQueue calls during each Send what other requests do at the same time.
type busyQueue struct {
	*fakeQueue
	meanwhile func()
}

func (q *busyQueue) Send(ctx context.Context, msgs ...queue.Message) error {
	q.meanwhile()
	return q.fakeQueue.Send(ctx, msgs...)
}

// TestBundleWhileEventsGoOn ends a window while events go on: a later event opens a window of its own, and
// each event is in one delivery.
func TestBundleWhileEventsGoOn(t *testing.T) {
	w := newWorld(t)
	hook := w.subscribe("http://127.0.0.1:1", cms.EventMediaUpdated)
	seconds := map[string]any{"bundle_seconds": json.Number("10")}
	if _, err := w.hooks.Update(t.Context(), tester, hook, seconds, nil); err != nil {
		t.Fatal(err)
	}
	raise := func() {
		w.raise(cms.EventMediaUpdated, doc{"f"})
		w.dispatch()
	}
	later := 3
	w.start(w.table, &busyQueue{w.queue, func() {
		if later--; later >= 0 {
			raise()
		}
	}}, webhook.DefaultSchedule())
	raise()
	for want := 1; want <= 4; want++ {
		w.clock.Advance(10 * time.Second)
		if _, err := (bundle.Bundles{Deliveries: w.hooks.Deliveries}).Flush(t.Context(), hook); err != nil {
			t.Fatal(err)
		}
		if got := len(w.log(hook)); got != want {
			t.Fatalf("%d deliveries after %d windows", got, want)
		}
	}
}

// TestBundledEventDispatchedAgain: an event that was bundled and delivered before its row left the outbox is dispatched
// again, after a later window. The subscription goes on, and each event is delivered.
func TestBundledEventDispatchedAgain(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	hook := w.subscribe(r.URL, cms.EventMediaUpdated)
	_, err := w.hooks.Update(t.Context(), tester, hook, map[string]any{"bundle_seconds": json.Number("10")}, nil)
	must.Do(t, err)
	flush := func() {
		t.Helper()
		w.clock.Advance(10 * time.Second)
		_, err := bundle.Bundles{Deliveries: w.hooks.Deliveries}.Flush(t.Context(), hook)
		must.Do(t, err)
	}
	w.raise(cms.EventMediaUpdated, doc{"first"})
	w.faulty(func(c table.Call) table.Fault {
		if c.Method == "BatchWrite" && c.Ops[0].Kind == table.Delete { // of the row in the outbox
			return table.Fault{Kind: table.Throttled}
		}
		return table.Fault{}
	})
	if w.dispatcher.Drain(t.Context()) == nil {
		t.Error("the row has left the outbox")
	}
	w.restart()
	flush()
	late, err := w.store.Outbox(t.Context(), 10)
	must.Do(t, err)
	must.Do(t, w.store.Table.BatchWrite(t.Context(), nil, []table.Key{late[0].Key})) // as if its worker was slow
	w.raise(cms.EventMediaUpdated, doc{"second"})
	w.dispatch()
	flush()
	must.Do(t, w.store.Table.BatchWrite(t.Context(), late, nil))
	w.raise(cms.EventMediaUpdated, doc{"third"})
	w.dispatch()
	flush()
	w.work()
	seen := map[string]int{}
	for _, got := range r.requests() {
		for _, id := range []string{"first", "second", "third"} {
			if strings.Contains(got.Body, id) {
				seen[id]++
			}
		}
	}
	if len(seen) != 3 || seen["first"] != 1 {
		t.Errorf("delivered %v", seen)
	}
}
