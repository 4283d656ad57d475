package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/hooks/webhook"
	"headless/pkg/must"
	"headless/pkg/queue"
	"headless/pkg/table"
)

// killer counts every input and output of a process, and ends the process at one of them, or lets some of them fail.
type killer struct {
	at    int  // the call at which the process ends, or the first that fails; 0: never
	after bool // the call takes effect before
	times int  // so many calls fail, one after another, and the process goes on; 0: it ends

	mu    sync.Mutex
	calls int
	dead  bool
}

// next tells what happens to the next call, which writes.
func (k *killer) next() table.FaultKind { return k.call(true) }

// call tells what happens to the next call. An end after one that only reads is an end before the
// one that follows, so it does not count.
func (k *killer) call(writes bool) table.FaultKind {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.dead {
		return table.CrashBefore
	}
	if k.after && !writes {
		return table.NoFault
	}
	k.calls++
	switch {
	case k.calls < k.at || k.at == 0 || k.calls >= k.at+max(1, k.times):
		return table.NoFault
	case k.times > 0 && k.after:
		return table.AnswerLost
	case k.times > 0:
		return table.Throttled
	}
	k.dead = true
	if k.after {
		return table.CrashAfter
	}
	return table.CrashBefore
}

// killedQueue is a queue as a process sees it that may end at any call.
type killedQueue struct {
	killer *killer
	inner  queue.Queue
}

func (q killedQueue) Send(ctx context.Context, msgs ...queue.Message) error {
	return q.killer.do(func() error { return q.inner.Send(ctx, msgs...) })
}

// do makes a call that is not to the table.
func (k *killer) do(call func() error) error {
	kind := k.next()
	if kind != table.CrashBefore && kind != table.Throttled {
		if err := call(); err != nil || kind == table.NoFault {
			return err
		}
	}
	return table.ErrCrashed
}

// TestKilledAtEveryCall ends the process at each call to the table and the queue in turn, before
// and after its effect, or lets one or four of them fail, starts it again and finds each event and
// matching subscription in exactly one finished delivery with at least one request. A request itself
// needs no place of its own: to end before it is to end after the claim, and to end after it is to end
// before the log. Where calls only fail, each request is logged.
func TestKilledAtEveryCall(t *testing.T) {
	for _, k := range []*killer{{}, {after: true}, {times: 1}, {after: true, times: 1}, {times: 4},
		{after: true, times: 4}} {
		calls := killed(t, &killer{after: k.after}, false)
		if calls < 15 {
			t.Fatalf("only %d calls", calls)
		}
		for at := 1; at <= calls; at++ {
			purged := at%2 == 0 // its messages are lost too
			t.Run(fmt.Sprintf("call %d, after %v, %d fail, queue purged %v", at, k.after, k.times, purged), func(t *testing.T) {
				t.Parallel()
				killed(t, &killer{at: at, after: k.after, times: k.times}, purged)
			})
		}
	}
}

// killed runs the way of two events to four subscriptions and tells how many calls it took.
func killed(t *testing.T, k *killer, purged bool) int {
	w := newWorld(t)
	good, failing, media := newReceiver(t), newReceiver(t, 500, 503), newReceiver(t)
	hooks := []string{w.subscribe(good.URL, "*"),
		w.subscribe(failing.URL, "user.created", "media.uploaded"), w.subscribe(media.URL, "media.uploaded")}
	w.subscribe(good.URL, "entry.*")

	faulty := table.NewFaulty(w.table, func(c table.Call) table.Fault {
		return table.Fault{Kind: k.call(c.Method == "Write" || c.Method == "BatchWrite")}
	})
	w.start(faulty, killedQueue{k, w.queue}, webhook.DefaultSchedule())
	events := w.tryToRaise()
	w.untilItDies()

	w.start(w.table, w.queue, webhook.DefaultSchedule())
	if purged {
		w.queue.purge()
	}
	committed, err := w.committed(events)
	must.Do(t, err)
	w.finish()
	want := map[string]int{hooks[0]: committed.users + committed.media,
		hooks[1]: committed.users + committed.media, hooks[2]: committed.media}
	for i, r := range []*receiver{good, failing, media} {
		seen, requests := map[string]bool{}, r.requests()
		for _, got := range requests {
			seen[got.id()] = true
		}
		log, attempts := w.log(hooks[i]), 0
		for _, d := range log {
			attempts += len(d.Attempts)
			if d.Status != cms.DeliveryDelivered || !seen[d.ID] {
				t.Errorf("subscription %d: %s after %d attempts, requested: %v", i, d.Status,
					len(d.Attempts), seen[d.ID])
			}
		}
		if k.times > 0 && attempts != len(requests) {
			t.Errorf("subscription %d: %d of %d requests are logged", i, attempts, len(requests))
		}
		if len(log) != want[hooks[i]] || len(seen) != len(log) {
			t.Errorf("subscription %d: %d deliveries, %d requested, want %d", i, len(log),
				len(seen), want[hooks[i]])
		}
	}
	return k.calls
}

// tryToRaise commits two events in one transaction, if the process lives.
func (w *world) tryToRaise() []cms.Event {
	tx := w.store.Begin()
	tx.Event(cms.Actor{}, cms.EventUserCreated, "", doc{"u"})
	tx.Event(cms.Actor{}, cms.EventMediaUploaded, "", doc{"m"})
	if err := w.store.Commit(w.t.Context(), tx); err != nil && !errors.Is(err, table.ErrCrashed) &&
		!errors.Is(err, table.ErrUnavailable) {
		w.t.Fatal(err)
	}
	return tx.Events()
}

// untilItDies does all the work that there is, whatever fails.
func (w *world) untilItDies() {
	ctx := w.t.Context()
	_ = w.dispatcher.Drain(ctx)
	for range 2 {
		for due := w.queue.take(); len(due) > 0; due = w.queue.take() {
			w.deliverer.Handle(ctx, due)
		}
		_, _ = w.sweeper.Run(ctx)
		w.clock.Advance(time.Minute)
	}
}

// finish lets time pass until nothing is pending.
func (w *world) finish() {
	w.t.Helper()
	for range 60 {
		w.run(2*time.Minute, 2*time.Minute)
		if p, err := w.store.Hooks.Pipeline(w.t.Context()); err != nil {
			w.t.Fatal(err)
		} else if p.Pending == 0 && p.Undispatched == 0 {
			return
		}
	}
	w.t.Error("not finished after two hours")
}

type counts struct{ users, media int }

// committed counts the events that the process could commit: those in the outbox or with
// deliveries. They are committed together.
func (w *world) committed(events []cms.Event) (counts, error) {
	rows, err := w.store.Outbox(w.t.Context(), 100)
	if err != nil {
		return counts{}, err
	}
	due, err := w.store.Hooks.DueDeliveries(w.t.Context(), w.clock.Now().AddDate(1, 0, 0), 100)
	if err != nil {
		return counts{}, err
	}
	logged := 0
	hooks, err := w.hooks.List(w.t.Context())
	if err != nil {
		return counts{}, err
	}
	for _, h := range hooks {
		logged += len(w.log(h.ID))
	}
	if len(rows)+len(due)+logged == 0 {
		return counts{}, nil
	}
	return counts{users: 1, media: len(events) - 1}, nil
}
