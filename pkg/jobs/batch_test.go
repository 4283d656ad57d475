package jobs_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/table"
)

// raiseMany raises events and turns them into deliveries.
func (w *world) raiseMany(n int) {
	w.t.Helper()
	for i := range n {
		w.raise(cms.EventUserCreated, doc{fmt.Sprint("u", i)})
	}
	w.dispatch()
}

// untilQuick sends deliveries until the receiver has shown that it is quick enough for batches, and
// returns their number.
func (w *world) untilQuick(hook string) (sent int) {
	w.t.Helper()
	w.poll(func() bool {
		w.raiseMany(1)
		w.work()
		sent++
		return w.hooks.Batch(hook) > 3
	})
	return sent
}

// delivered counts the deliveries of a subscription that have arrived, each by one attempt.
func (w *world) delivered(hook string) (n int) {
	w.t.Helper()
	for _, d := range w.log(hook) {
		if d.Status == cms.DeliveryDelivered && len(d.Attempts) == 1 {
			n++
		}
	}
	return n
}

// TestBatches: one claim and one outcome are for several deliveries to a quick receiver.
func TestBatches(t *testing.T) {
	w := newWorld(t)
	commits := 0
	var mu sync.Mutex
	w.faulty(func(c table.Call) table.Fault {
		mu.Lock()
		defer mu.Unlock()
		if c.Method == "Write" {
			commits++
		}
		return table.Fault{}
	})
	r := newReceiver(t)
	hook := w.subscribe(r.URL, "*")
	before := w.untilQuick(hook)
	w.raiseMany(20)
	commits = 0
	w.work()
	if n := w.delivered(hook); n == before+20 && commits >= 2*20 {
		t.Errorf("%d commits for 20 deliveries", commits)
	}
	w.run(time.Minute, 10*time.Second) // on a slow machine some had to wait
	if n := w.delivered(hook); n != before+20 {
		t.Errorf("%d deliveries arrived by one attempt, want %d", n, before+20)
	}
	r.expect(t, before+20)
}

// TestBatchStopsAtFailure: what a batch did not send after a failure is sent later, once.
func TestBatchStopsAtFailure(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	hook := w.subscribe(r.URL, "*")
	before := w.untilQuick(hook)
	r.codes = append(make([]int, before), 200, 500)
	w.raiseMany(9)
	w.work()
	w.run(time.Minute, 10*time.Second)
	if n := w.delivered(hook); n != before+8 {
		t.Errorf("%d deliveries arrived by one attempt, want %d", n, before+8)
	}
	w.run(10*time.Minute, time.Minute)
	r.expect(t, before+10)
}

// TestBatchIsInterrupted: a process that stops during a batch gives back the deliveries it did not
// send.
func TestBatchIsInterrupted(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	hook := w.subscribe(r.URL, "*")
	before := w.untilQuick(hook)
	w.raiseMany(6)
	ctx, stop := context.WithCancel(t.Context())
	r.during = func(n int) {
		if n == before+2 {
			stop()
		}
	}
	due := w.queue.take()
	failed := w.deliverer.Handle(ctx, due)
	if len(failed) == 0 {
		t.Error("no message comes again")
	}
	r.during = nil
	for _, i := range failed {
		must.Do(t, w.queue.Send(t.Context(), due[i]))
	}
	w.work()
	w.run(time.Hour, time.Minute)
	for _, d := range w.log(hook) {
		if d.Status != cms.DeliveryDelivered {
			t.Errorf("delivery %+v", d)
		}
	}
}

// TestRepeatedMessages: several messages for one delivery make one attempt.
func TestRepeatedMessages(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	hook := w.subscribe(r.URL, "*")
	before := w.untilQuick(hook)
	w.raiseMany(2)
	due := w.queue.take()
	if failed := w.deliverer.Handle(t.Context(), append(due, due...)); len(failed) > 0 {
		t.Errorf("messages failed: %v", failed)
	}
	w.run(time.Hour, time.Minute)
	r.expect(t, before+2)
	if n := w.delivered(hook); n != before+2 {
		t.Errorf("%d deliveries arrived by one attempt, want %d", n, before+2)
	}
}
