package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/hooks/webhook"
	"headless/pkg/must"
	"headless/pkg/queue"
	"headless/pkg/table"
)

// one makes a world with one subscription and one committed event.
func one(t *testing.T, codes ...int) (w *world, r *receiver, hook string) {
	t.Helper()
	w, r = newWorld(t), newReceiver(t, codes...)
	hook = w.subscribe(r.URL, "*")
	w.raise(cms.EventUserCreated, doc{"u"})
	return w, r, hook
}

// faulty restarts the world on a table that fails as told.
func (w *world) faulty(policy func(table.Call) table.Fault) {
	w.start(table.NewFaulty(w.table, policy), w.queue, webhook.DefaultSchedule())
}

// restart ends all faults.
func (w *world) restart() { w.start(w.table, w.queue, webhook.DefaultSchedule()) }

func TestCrashAfterCommitBeforeDispatch(t *testing.T) {
	w, r, hook := one(t)
	w.sweep()
	r.expect(t, 0) // it is the stream's turn first
	w.run(5*time.Minute, time.Minute)
	w.expect(hook, cms.DeliveryDelivered, 1)
	r.expect(t, 1)
}

func TestCrashBetweenDeliveryAndQueue(t *testing.T) {
	w, r, hook := one(t)
	w.queue.fail = errors.New("away")
	w.dispatch()
	w.queue.fail = nil
	w.work()
	r.expect(t, 0)
	w.run(5*time.Minute, time.Minute)
	w.expect(hook, cms.DeliveryDelivered, 1)
	r.expect(t, 1)
}

func TestQueuePurged(t *testing.T) {
	w, r, hook := one(t, 500, 500, 500, 500)
	w.dispatch()
	for range 400 {
		w.queue.purge()
		w.clock.Advance(time.Minute)
		w.sweep()
		w.work()
	}
	w.expect(hook, cms.DeliveryDelivered, 5)
	r.expect(t, 5)
}

func TestPartialBatchFailure(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	w.subscribe(r.URL, "*")
	for i := range 5 {
		w.raise(cms.EventUserCreated, doc{strconv.Itoa(i)})
	}
	rows, err := w.store.Outbox(t.Context(), 100)
	must.Do(t, err)
	broken := rows[2]
	w.faulty(func(c table.Call) table.Fault {
		for _, op := range c.Ops {
			if op.Kind == table.Delete && op.Item.Key == broken.Key {
				return table.Fault{Kind: table.Throttled}
			}
		}
		return table.Fault{}
	})
	if failed := w.dispatcher.Handle(t.Context(), keysOf(rows)); fmt.Sprint(failed) != "[2]" {
		t.Fatalf("failed %v", failed)
	}
	w.work()
	r.expect(t, 4)
	w.restart()
	if failed := w.dispatcher.Handle(t.Context(), keysOf(rows)); len(failed) > 0 {
		t.Fatalf("failed %v", failed)
	}
	w.work()
	r.expect(t, 5)
}

func TestSameStreamRecordTwice(t *testing.T) {
	w, r, hook := one(t)
	rows, err := w.store.Outbox(t.Context(), 100)
	must.Do(t, err)
	for range 2 {
		if failed := w.dispatcher.Handle(t.Context(), keysOf(rows)); len(failed) > 0 {
			t.Fatalf("failed %v", failed)
		}
		w.work()
	}
	w.expect(hook, cms.DeliveryDelivered, 1)
	r.expect(t, 1)
}

func TestSweeperAndDispatchRacing(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	for range 40 { // more than one transaction can hold
		w.subscribe(r.URL, "*")
	}
	for i := range 3 {
		w.raise(cms.EventUserCreated, doc{strconv.Itoa(i)})
	}
	w.clock.Advance(5 * time.Minute)
	rows, err := w.store.Outbox(t.Context(), 100)
	must.Do(t, err)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { w.dispatcher.Handle(context.Background(), keysOf(rows)) })
		wg.Go(func() { w.sweep() })
	}
	wg.Wait()
	w.run(10*time.Minute, time.Minute)
	seen := map[string]int{}
	for _, got := range r.requests() {
		seen[got.id()]++
	}
	if len(seen) != 120 || len(r.requests()) != 120 {
		t.Errorf("%d deliveries in %d requests, want 120", len(seen), len(r.requests()))
	}
}

func TestOneMessageToTwoWorkers(t *testing.T) {
	w, r, hook := one(t)
	w.dispatch()
	due := w.queue.take()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { w.deliverer.Handle(context.Background(), due) })
	}
	wg.Wait()
	w.run(10*time.Minute, time.Minute)
	w.expect(hook, cms.DeliveryDelivered, 1)
	r.expect(t, 1)
}

func TestMessageOutOfOrder(t *testing.T) {
	w, r, hook := one(t, 500, 500)
	w.dispatch()
	first := w.queue.take()
	w.deliverer.Handle(t.Context(), first)
	w.clock.Advance(10 * time.Second)
	second := w.queue.take()
	w.deliverer.Handle(t.Context(), second)
	r.expect(t, 2)
	w.deliverer.Handle(t.Context(), append(second, first...)) // late repeats
	r.expect(t, 2)
	w.expect(hook, cms.DeliveryPending, 2)
	early := w.queue.held[0].Message
	w.deliverer.Handle(t.Context(), []queue.Message{early})
	r.expect(t, 2) // not before its time
	w.run(10*time.Minute, time.Minute)
	w.expect(hook, cms.DeliveryDelivered, 3)
}

func TestCrashAfterPostBeforeLog(t *testing.T) {
	w, r, hook := one(t)
	w.dispatch()
	w.faulty(crashWhen(func() bool { return len(r.requests()) > 0 }))
	due := w.queue.take()
	if failed := w.deliverer.Handle(t.Context(), due); len(failed) != 1 {
		t.Fatalf("failed %v", failed)
	}
	w.restart()
	w.deliverer.Handle(t.Context(), due) // the queue delivers it again while the lease holds
	r.expect(t, 1)
	w.run(5*time.Minute, time.Minute)
	w.expect(hook, cms.DeliveryDelivered, 1)
	got := r.expect(t, 2)
	if got[0].id() != got[1].id() || got[0].attempt() != got[1].attempt() {
		t.Errorf("the repeat is %s %s", got[1].id(), got[1].attempt())
	}
}

func crashWhen(when func() bool) func(table.Call) table.Fault {
	return func(table.Call) table.Fault {
		if when() {
			return table.Fault{Kind: table.CrashBefore}
		}
		return table.Fault{}
	}
}

func TestFunctionTimeoutMidBatch(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	slow, quick := newReceiver(t), newReceiver(t)
	hook, other := w.subscribe(slow.URL, "*"), w.subscribe(quick.URL, "*")
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	release := make(chan struct{})
	slow.during = func(n int) {
		if n == 1 {
			w.poll(func() bool { return w.only(other).Status == cms.DeliveryDelivered })
			cancel()
			<-release
		}
	}
	failed := w.deliverer.Handle(ctx, w.queue.take())
	close(release)
	if len(failed) != 1 {
		t.Errorf("failed %v", failed)
	}
	w.run(5*time.Minute, time.Minute)
	w.expect(hook, cms.DeliveryDelivered, 1)
	w.expect(other, cms.DeliveryDelivered, 1)
	slow.expect(t, 2)
	quick.expect(t, 1)
}

func TestLogWriteThrottled(t *testing.T) {
	w, r, hook := one(t)
	w.dispatch()
	failures := 3
	w.faulty(func(c table.Call) table.Fault {
		if c.Method == "Write" && len(r.requests()) > 0 && failures > 0 {
			failures--
			return table.Fault{Kind: table.Throttled}
		}
		return table.Fault{}
	})
	w.work()
	w.expect(hook, cms.DeliveryDelivered, 1)
	r.expect(t, 1)
}

func TestLogAnswerLost(t *testing.T) {
	w, r, hook := one(t, 500)
	w.dispatch()
	lost := false
	w.faulty(func(c table.Call) table.Fault {
		if c.Method == "Write" && len(r.requests()) > 0 && !lost {
			lost = true
			return table.Fault{Kind: table.AnswerLost}
		}
		return table.Fault{}
	})
	w.work()
	w.run(10*time.Minute, time.Minute)
	w.expect(hook, cms.DeliveryDelivered, 2)
	r.expect(t, 2)
}

// TestRepeatedCall: a client that repeats its call makes two changes, so two events, each delivered
// once.
func TestRepeatedCall(t *testing.T) {
	w, r, _ := one(t)
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	w.work()
	got := r.expect(t, 2)
	if got[0].id() == got[1].id() {
		t.Error("two events have one delivery")
	}
}

func TestStormAfterLongOutage(t *testing.T) {
	w := newWorld(t)
	const n = 60
	r := newReceiver(t)
	hook := w.subscribe(r.URL, "*")
	for i := range n {
		w.raise(cms.EventUserCreated, doc{strconv.Itoa(i)})
	}
	w.dispatch()
	w.queue.purge() // nobody works for a day
	w.clock.Advance(24 * time.Hour)
	w.run(30*time.Minute, 10*time.Second)
	r.expect(t, n)
	for _, d := range w.log(hook) {
		if d.Status != cms.DeliveryDelivered || len(d.Attempts) != 1 {
			t.Fatalf("%+v", d)
		}
	}
}

// TestClockSkew: the clock of one worker goes ten seconds slow, that of another ten seconds fast.
func TestClockSkew(t *testing.T) {
	w, r, hook := one(t, 500, 500)
	w.dispatch()
	for i := range 60 {
		skew := 10 * time.Second
		if i%2 == 0 {
			skew = -skew
		}
		w.clock.Advance(skew)
		w.work()
		w.clock.Advance(-skew)
		w.clock.Advance(10 * time.Second)
		w.sweep()
	}
	w.expect(hook, cms.DeliveryDelivered, 3)
	r.expect(t, 3)
}

func TestRestartOfASoleProcess(t *testing.T) {
	w, r, _ := one(t, 500)
	w.dispatch()
	w.faulty(crashWhen(func() bool { return len(r.requests()) > 0 }))
	w.deliverer.Handle(t.Context(), w.queue.take())
	w.queue.purge()
	w.restart()
	w.raise(cms.EventUserCreated, doc{"not dispatched yet"})
	must.Do(t, w.sweeper.Restart(t.Context()))
	w.dispatch()
	w.work()
	if got := r.expect(t, 3); got[1].id() != got[0].id() && got[2].id() != got[0].id() {
		t.Error("the delivery whose log was lost is not repeated at once")
	}
}

// keysOf returns the keys of rows, as the stream hands them over.
func keysOf(rows []table.Item) (keys []table.Key) {
	for _, row := range rows {
		keys = append(keys, row.Key)
	}
	return keys
}

// TestEventsOfOneRow makes the announcement of the second of two events in a row fail: both are in the
// outbox until the row is dispatched whole, and each is delivered once.
func TestEventsOfOneRow(t *testing.T) {
	w, r := newWorld(t), newReceiver(t)
	w.subscribe(r.URL, "*")
	tx := w.store.Begin()
	tx.Event(cms.Actor{}, cms.EventEntryUpdated, "posts", doc{"a"})
	tx.Event(cms.Actor{}, cms.EventEntryPublished, "posts", doc{"a"})
	must.Do(t, w.store.Commit(t.Context(), tx))
	rows, err := w.store.Outbox(t.Context(), 100)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	away := true
	w.dispatcher.OnEvent = func(_ context.Context, e cms.Event) error {
		if away && e.Kind == cms.EventEntryPublished {
			return errors.New("away")
		}
		return nil
	}
	if failed := w.dispatcher.Handle(t.Context(), keysOf(rows)); len(failed) != 1 {
		t.Fatalf("failed %v", failed)
	}
	w.work()
	r.expect(t, 0)
	away = false
	w.dispatch()
	w.work()
	r.expect(t, 2)
	if left, err := w.store.Outbox(t.Context(), 100); err != nil || len(left) > 0 {
		t.Errorf("%d rows are left, %v", len(left), err)
	}
}
