package jobs_test

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/hooks"
	"headless/pkg/queue"
)

// crowd hands n messages to the workers at once and tells how many requests were on their way at a
// time. Every request waits until the expected number is there and the workers of the other
// messages have put them back.
func crowd(w *world, r *receiver, n, atATime int) (peak int) {
	for i := range n {
		w.raise(cms.EventUserCreated, doc{strconv.Itoa(i)})
	}
	before := w.queue.len()
	w.dispatch()
	var mu sync.Mutex
	running, together := 0, make(chan struct{})
	r.mu.Lock()
	r.during = func(int) {
		mu.Lock()
		running++
		if peak = max(peak, running); running == atATime {
			close(together)
		}
		mu.Unlock()
		select {
		case <-together:
		case <-time.After(time.Minute):
		}
		w.poll(func() bool { return w.queue.len() >= before+n-atATime })
		mu.Lock()
		running--
		mu.Unlock()
	}
	r.mu.Unlock()
	var workers sync.WaitGroup
	for _, m := range w.queue.take() { // each by a worker of its own
		workers.Go(func() {
			if failed := w.deliverer.Handle(w.t.Context(), []queue.Message{m}); len(failed) > 0 {
				w.t.Errorf("failed: %v", failed)
			}
		})
	}
	workers.Wait()
	r.mu.Lock()
	r.during = nil
	r.mu.Unlock()
	return peak
}

func TestAtMostFiveAtATime(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	w.subscribe(r.URL, "*")
	if peak := crowd(w, r, 20, hooks.MaxLeases); peak != hooks.MaxLeases {
		t.Errorf("%d at a time, want %d", peak, hooks.MaxLeases)
	}
	w.run(5*time.Minute, time.Second)
	r.expect(t, 20)
}

func TestBreaker(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t, 500, 500, 500, 500, 500)
	w.subscribe(r.URL, "*")
	for i := range 5 {
		w.raise(cms.EventUserCreated, doc{strconv.Itoa(i)})
		w.dispatch()
		w.work()
	}
	if peak := crowd(w, r, 10, 1); peak != 1 {
		t.Errorf("%d at a time, want 1", peak)
	}
	if peak := crowd(w, r, 10, hooks.MaxLeases); peak != hooks.MaxLeases {
		t.Errorf("%d at a time after a success, want %d", peak, hooks.MaxLeases)
	}
	w.run(5*time.Minute, time.Second)
	r.expect(t, 30)
}
