package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/jobs"
	"headless/pkg/must"
	"headless/pkg/queue"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// sent is a queue that keeps the number of messages.
type sent struct{ n int }

func (q *sent) Send(_ context.Context, msgs ...queue.Message) error {
	q.n += len(msgs)
	return nil
}

// TestTogether sends no messages for timers that are handled together. A sweep handles those of one
// reference once, keeps one that fails, and leaves one that is not due.
func TestTogether(t *testing.T) {
	w := newWorld(t)
	q, handled, refused, mu := &sent{}, []string{}, errors.New("no"), sync.Mutex{}
	timers := &jobs.Timers{Store: w.store.DB, Queue: q, Log: quiet,
		Together: map[string]jobs.TogetherHandler{"often": func(_ context.Context, refs []string) error {
			mu.Lock()
			defer mu.Unlock()
			handled = append(handled, refs...)
			if slices.Contains(refs, "bad") {
				return refused
			}
			return nil
		}}}
	set := func(kind, ref string, in time.Duration) {
		t.Helper()
		tx := w.store.Begin()
		timer := db.Timer{At: cms.At(w.clock.Now().Add(in)), Kind: kind, Ref: ref}
		tx.SetTimer(timer)
		must.Do(t, errors.Join(w.store.Commit(t.Context(), tx), timers.Announce(t.Context(), timer)))
	}
	set("often", "e/1#a", 0)
	set("often", "e/1#b", 0)
	set("often", "later", time.Minute)
	set("now", "x", 0)
	if q.n != 1 {
		t.Errorf("%d messages for four timers, want 1", q.n)
	}
	if err := timers.Sweep(t.Context()); err != nil || len(handled) != 1 || q.n != 2 {
		t.Errorf("handled %v with %d messages, %v", handled, q.n, err)
	}
	set("often", "bad", 0)
	if err := timers.Sweep(t.Context()); !errors.Is(err, refused) {
		t.Errorf("a failure is not returned: %v", err)
	}
	w.clock.Advance(2 * time.Minute)
	if err := timers.Sweep(t.Context()); !errors.Is(err, refused) || !slices.Contains(handled, "later") {
		t.Errorf("handled %v, %v", handled, err)
	}
	left, err := w.store.Timers(t.Context(), w.clock.Now().Add(time.Hour), 100)
	must.Do(t, err)
	kept := slices.DeleteFunc(left, func(timer db.Timer) bool { return timer.Kind != "often" })
	if len(kept) != 1 || kept[0].Ref != "bad" {
		t.Errorf("%v are kept", kept)
	}
}

// TestOneWorkerForEachTimer hands two messages of one timer to two workers at the same time, as queues
// do. One of them handles it: events that its handler raises used to come twice.
func TestOneWorkerForEachTimer(t *testing.T) {
	w := newWorld(t)
	var mu sync.Mutex
	handled := 0
	timers := &jobs.Timers{Store: w.store.DB, Queue: &sent{}, Log: quiet, Handlers: map[string]jobs.TimerHandler{
		"move": func(context.Context, string) (cms.Time, error) {
			mu.Lock()
			defer mu.Unlock()
			handled++
			return cms.Time{}, nil
		}}}
	for i := range 20 {
		tx := w.store.Begin()
		timer := db.Timer{At: cms.At(w.clock.Now()), Kind: "move", Ref: strconv.Itoa(i)}
		tx.SetTimer(timer)
		must.Do(t, w.store.Commit(t.Context(), tx))
		message := queue.Message{Body: db.MustMarshal(map[string]any{"timer": timer.Kind, "ref": timer.Ref,
			"at": timer.At.UnixMicro()})}
		var workers sync.WaitGroup
		for range 4 {
			workers.Go(func() {
				if err := timers.One(t.Context(), message); err != nil {
					t.Error(err)
				}
			})
		}
		workers.Wait()
	}
	if handled != 20 {
		t.Errorf("20 timers were handled %d times", handled)
	}
	if left, err := w.store.Timers(t.Context(), w.clock.Now().Add(time.Hour), 100); err != nil || len(left) > 0 {
		t.Errorf("%d timers are left, %v", len(left), err)
	}
}

// TestTimerSetWhileHandled: a timer that is set while another one of its kind and reference is handled is
// handled after that. It used to wait until its claim ended, for half a minute.
func TestTimerSetWhileHandled(t *testing.T) {
	w := newWorld(t)
	calls, release := make(chan struct{}, 2), make(chan struct{})
	timers := &jobs.Timers{Store: w.store.DB, Log: quiet, Handlers: map[string]jobs.TimerHandler{
		"news": func(context.Context, string) (cms.Time, error) {
			calls <- struct{}{}
			<-release
			return cms.Time{}, nil
		}}}
	ctx, stop := context.WithCancel(t.Context())
	wake := make(chan struct{}, 1)
	var loop sync.WaitGroup
	loop.Go(func() { timers.Loop(ctx, wake) })
	defer loop.Wait()
	defer stop()
	set := func() {
		t.Helper()
		tx := w.store.Begin()
		tx.SetTimer(db.Timer{At: cms.At(w.clock.Now()), Kind: "news", Ref: "user"})
		must.Do(t, w.store.Commit(t.Context(), tx))
		wake <- struct{}{}
	}
	wait := func(what string, done func() bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("not in time: " + what)
			}
		}
	}
	set()
	wait("the first call", func() bool { return len(calls) == 1 })
	w.clock.Advance(time.Second)
	set()
	wait("the claim of the second timer", func() bool {
		due, err := w.store.Timers(t.Context(), w.clock.Now().Add(time.Millisecond), 10)
		return err == nil && len(due) == 0
	})
	close(release)
	wait("the second call", func() bool { return len(calls) == 2 })
}

// TestTimersGathered: timers that are set or due one after the other share a check of all timers. Each used to
// cause one of its own, which took a third of the time of a create.
func TestTimersGathered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
		must.Do(t, err)
		defer tb.Close()
		calls, handled := 0, 0
		timers := &jobs.Timers{Store: db.New(tb, time.Now), Log: quiet,
			Together: map[string]jobs.TogetherHandler{"often": func(_ context.Context, refs []string) error {
				calls, handled = calls+1, handled+len(refs)
				return nil
			}}}
		ctx, stop := context.WithCancel(t.Context())
		wake := make(chan struct{}, 1)
		var loop sync.WaitGroup
		loop.Go(func() { timers.Loop(ctx, wake) })
		synctest.Wait()
		for i := range 50 {
			tx := timers.Store.Begin()
			tx.SetTimer(db.Timer{At: cms.At(time.Now().Add(time.Millisecond)), Kind: "often", Ref: strconv.Itoa(i)})
			must.Do(t, timers.Store.Commit(ctx, tx))
			select {
			case wake <- struct{}{}:
			default:
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		stop()
		loop.Wait()
		if calls > 4 || handled != 50 {
			t.Errorf("%d timers within 50 ms were handled in %d calls", handled, calls)
		}
	})
}

// TestFailingTimerSlowsDown: a timer whose handler fails again and again is tried more and more seldom, by
// messages and by sweeps, which then write a metric, so that somebody is told. It used to be tried every
// five seconds for ever, each time for the price of its reads and writes, and rang no alarm.
func TestFailingTimerSlowsDown(t *testing.T) {
	refused, hour := errors.New("no"), time.Hour
	for _, kind := range []string{"bad", "often"} {
		w, calls := newWorld(t), 0
		timers := &jobs.Timers{Store: w.store.DB, Queue: &sent{}, Log: quiet,
			Handlers: map[string]jobs.TimerHandler{"bad": func(context.Context, string) (cms.Time, error) {
				calls++
				return cms.Time{}, refused
			}},
			Together: map[string]jobs.TogetherHandler{"often": func(context.Context, []string) error {
				calls++
				return refused
			}}}
		tx := w.store.Begin()
		tx.SetTimer(db.Timer{At: cms.At(w.clock.Now()), Kind: kind, Ref: "x"})
		must.Do(t, w.store.Commit(t.Context(), tx))
		for end := w.clock.Now().Add(24 * hour); w.clock.Now().Before(end); {
			timer, _, err := w.store.NextTimer(t.Context())
			must.Do(t, err)
			w.clock.Advance(max(timer.At.Sub(w.clock.Now()), time.Millisecond))
			message := queue.Message{Body: db.MustMarshal(map[string]any{"timer": timer.Kind, "ref": timer.Ref,
				"at": timer.At.UnixMicro()})}
			if kind == "often" {
				err = timers.Sweep(t.Context())
			} else {
				err = timers.One(t.Context(), message)
			}
			if err != nil && !errors.Is(err, refused) {
				t.Fatal(err)
			}
		}
		if calls < 280 || calls > 620 {
			t.Errorf("a timer of the kind %q that fails is handled %d times a day", kind, calls)
		}
		w.clock.Advance(4 * time.Minute)
		var lines bytes.Buffer
		timers.Metrics = slog.New(slog.NewJSONHandler(&lines, nil))
		if err := timers.Sweep(t.Context()); kind == "bad" && err != nil ||
			!strings.Contains(lines.String(), `"FailingTimers":1`) {
			t.Errorf("a sweep does not count the timer %s/x that fails: %s %v", kind, &lines, err)
		}
	}
}

// TestTimersWithEachCallFailing: whichever calls to the table and the queue fail, before or after they act, each timer
// is handled within three minutes of its time, and none is left.
func TestTimersWithEachCallFailing(t *testing.T) {
	for _, after := range []bool{false, true} {
		for _, times := range []int{1, 16} {
			for at, calls := 1, 1; calls >= at-1; at++ {
				w := newWorld(t)
				k := &killer{at: at, after: after, times: times}
				late, mu := map[string]time.Duration{}, sync.Mutex{}
				began := w.clock.Now()
				due := map[string]time.Duration{"now": 0, "soon": 5 * time.Minute, "later": 20 * time.Minute}
				tx := w.store.Begin()
				for ref, in := range due {
					tx.SetTimer(db.Timer{At: cms.At(began.Add(in)), Kind: "one", Ref: ref})
				}
				must.Do(t, w.store.Commit(t.Context(), tx))
				faulty := table.NewFaulty(w.table, func(table.Call) table.Fault { return table.Fault{Kind: k.next()} })
				timers := &jobs.Timers{Store: db.New(faulty, w.clock.Now), Queue: killedQueue{k, w.queue}, Log: quiet,
					Handlers: map[string]jobs.TimerHandler{"one": func(_ context.Context, ref string) (cms.Time, error) {
						mu.Lock()
						defer mu.Unlock()
						if _, again := late[ref]; !again {
							late[ref] = w.clock.Now().Sub(began.Add(due[ref]))
						}
						return cms.Time{}, nil
					}}}
				for range 30 {
					_ = timers.Sweep(t.Context())
					for _, m := range w.queue.take() {
						if timers.One(t.Context(), m) != nil {
							must.Do(t, w.queue.Send(t.Context(), m))
						}
					}
					w.clock.Advance(time.Minute)
				}
				calls = k.calls
				left, err := w.store.Timers(t.Context(), w.clock.Now().Add(time.Hour), 10)
				must.Do(t, err)
				if len(late) != 3 || slices.Max(slices.Collect(maps.Values(late))) > 3*time.Minute || len(left) > 0 {
					t.Errorf("call %d, after %v, %d times: handled %v late, left %v", at, after, times, late, left)
				}
				if at > 40 {
					break // the calls that follow are those of quiet sweeps
				}
			}
		}
	}
}
