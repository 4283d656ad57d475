package jobs_test

import (
	"context"
	"testing"

	"headless/pkg/cms"
)

// TestEventsWaitInTheOutbox: writers raise events faster than receivers take them. All used to go
// into the queue of the process at once, until it overflowed.
func TestEventsWaitInTheOutbox(t *testing.T) {
	const events, most = 2_000, 1_000
	w := newWorld(t)
	w.subscribe(newReceiver(t).URL, "*")
	for range events {
		w.raise(cms.EventUserCreated, doc{"u"})
	}
	handed := map[string]bool{} // to the workers, when the queue had no more room
	largest := 0
	handOver := func() {
		largest = max(largest, w.queue.len())
		for _, m := range w.queue.take() {
			handed[string(m.Body)] = true
		}
	}
	w.dispatcher.Hold = func(context.Context) error {
		handOver()
		return nil
	}
	w.dispatch()
	handOver()
	if largest > most {
		t.Errorf("%d messages were in the queue, want %d at most", largest, most)
	}
	if len(handed) != events {
		t.Errorf("%d of %d deliveries came out of the queue", len(handed), events)
	}
	rows, err := w.store.Outbox(t.Context(), 1)
	if err != nil || len(rows) > 0 {
		t.Errorf("%d events are left in the outbox; %v", len(rows), err)
	}
}

// TestDrainReadsOnce: events that are raised while others are dispatched wait for the next call, so that many
// share it. They used to be dispatched one by one, each after a check of the whole outbox.
func TestDrainReadsOnce(t *testing.T) {
	w := newWorld(t)
	dispatched := 0
	w.dispatcher.OnEvent = func(context.Context, cms.Event) error {
		if dispatched++; dispatched < 10 {
			w.raise(cms.EventUserCreated, doc{"u"})
		}
		return nil
	}
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	if dispatched != 1 {
		t.Errorf("%d events were dispatched, want 1", dispatched)
	}
	w.dispatch()
	if dispatched != 2 {
		t.Errorf("%d events were dispatched by two calls, want 2", dispatched)
	}
}
