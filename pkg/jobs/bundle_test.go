package jobs_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/hooks/bundle"
	"headless/pkg/hooks/webhook"
	"headless/pkg/queue"
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
