package jobs_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/hooks"
	"headless/pkg/hooks/stream"
	"headless/pkg/hooks/webhook"
	"headless/pkg/jobs"
	"headless/pkg/must"
	"headless/pkg/table"
)

// follow lets time pass and handles the timers of streams, as a worker does.
func (w *world) follow(d, step time.Duration) {
	w.t.Helper()
	timers := &jobs.Timers{Store: w.store.DB, Log: quiet, Handlers: map[string]jobs.TimerHandler{
		hooks.KindStream: stream.Streams{Deliveries: w.hooks.Deliveries}.Work}}
	for end := w.clock.Now().Add(d); w.clock.Now().Before(end); {
		w.clock.Advance(step)
		_, _ = timers.Due(w.t.Context()) // after an error it is called again
	}
}

// act commits activity records, each in a transaction of its own.
func (w *world) act(subjects ...string) {
	w.t.Helper()
	for _, subject := range subjects {
		tx := w.store.Begin()
		tx.Activity(tester, "user.updated", subject, "id")
		must.Do(w.t, w.store.Commit(w.t.Context(), tx))
		w.clock.Advance(time.Millisecond)
	}
}

// streamed is the body of a request of a stream.
type streamed struct {
	Event    string
	Sequence int
	Data     struct {
		Event, Subject, Time string
		Sequence             int
	}
}

// subjects reads the records that a receiver answered, without repeats. It checks their sequence,
// and that a repeated request has the same body.
func subjects(t *testing.T, got []request) (all []string) {
	t.Helper()
	bodies := map[string]string{}
	for _, r := range got {
		var b streamed
		must.Do(t, json.Unmarshal([]byte(r.Body), &b))
		if was, ok := bodies[r.id()]; ok {
			if was != r.Body {
				t.Errorf("repeated as %s, first %s", r.Body, was)
			}
			continue
		}
		bodies[r.id()] = r.Body
		if all = append(all, b.Data.Subject); b.Event != "activity.recorded" || b.Sequence != len(all) ||
			b.Data.Sequence != len(all) {
			t.Errorf("record %d: %s", len(all), r.Body)
		}
	}
	return all
}

func named(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint("record ", i+1))
	}
	return names
}

func TestStream(t *testing.T) {
	w := newWorld(t)
	r, other := newReceiver(t, 200, 200, 200, 503, 500), newReceiver(t)
	w.act("before")
	w.clock.Advance(time.Second)
	hook := w.subscribe(r.URL, "activity.recorded", "media.deleted")
	w.subscribe(other.URL, "*", "entry.*")
	want := append([]string{"webhook hook", "webhook hook"}, named(40)...)
	w.act(want[2:]...)
	w.follow(30*time.Second, time.Second)
	r.expect(t, 0) // an earlier record may still be committed
	w.follow(15*time.Second, time.Second)
	if first := r.requests(); len(first) != 4 || first[3].attempt() != "1" {
		t.Fatalf("%d requests after 45 seconds, want 4, the last of which fails", len(first))
	}
	w.follow(3*time.Minute, time.Second)
	got := r.requests()
	if all := subjects(t, got); !slices.Equal(all, want) {
		t.Errorf("streamed %q", all)
	}
	if got[4].id() != got[3].id() || got[4].attempt() != "2" || got[5].attempt() != "3" || got[6].attempt() != "1" {
		t.Error("a record that failed is not repeated before the next")
	}
	other.expect(t, 0)
	if log := w.log(hook); len(log) != 0 {
		t.Errorf("%d deliveries are logged", len(log))
	}
	w.follow(5*time.Minute, time.Second)
	r.expect(t, len(got)) // a stream leaves no record of its own
	if _, err := w.hooks.ToggleActive(t.Context(), tester, hook); err != nil {
		t.Fatal(err)
	}
	w.act("while paused")
	w.follow(5*time.Minute, time.Second)
	r.expect(t, len(got))
	if _, err := w.hooks.ToggleActive(t.Context(), tester, hook); err != nil {
		t.Fatal(err)
	}
	w.follow(time.Minute, time.Second)
	want = append(want, "webhook hook", "while paused", "webhook hook")
	if all := subjects(t, r.requests()); !slices.Equal(all, want) {
		t.Errorf("after a pause: %q", all)
	}
	if _, err := w.hooks.ToggleActive(t.Context(), tester, hook); err != nil {
		t.Fatal(err)
	}
	w.follow(2*time.Minute, time.Second)
	must.Do(t, w.hooks.Delete(t.Context(), tester, hook))
	w.follow(2*time.Minute, time.Second)
	r.expect(t, len(got)+3)
	if rows, err := w.table.Query(t.Context(), table.Range{Partition: "STREAM#" + hook}); err != nil || len(rows) > 0 {
		t.Errorf("rows that are left: %d, %v", len(rows), err)
	}
	if left, err := w.store.DB.Timers(t.Context(), w.clock.Now().AddDate(1, 0, 0), 100); err != nil || len(left) > 0 {
		t.Errorf("timers that are left: %v, %v", left, err)
	}
}

// TestStreamOfLateCommits commits a record that stands before others in the log after them, with
// and without other processes.
func TestStreamOfLateCommits(t *testing.T) {
	for _, alone := range []bool{false, true} {
		w, r := newWorld(t), newReceiver(t)
		w.subscribe(r.URL, "activity.recorded")
		held, free := make(chan struct{}), make(chan struct{})
		var once sync.Once
		slow := table.NewFaulty(w.table, func(c table.Call) table.Fault {
			for _, op := range c.Ops {
				if c.Method == "Write" && strings.Contains(string(op.Item.Body), "late") {
					return table.Fault{Before: func() { once.Do(func() { close(held); <-free }) }}
				}
			}
			return table.Fault{}
		})
		w.start(slow, w.queue, webhook.DefaultSchedule())
		if alone {
			w.store.AloneSince = w.clock.Now()
		}
		var writers sync.WaitGroup
		writers.Go(func() { w.act("late") })
		<-held
		w.clock.Advance(time.Millisecond)
		w.act("early")
		wait := 10 * time.Second
		if alone {
			wait = 10 * time.Minute // however long it takes
		}
		w.follow(wait, time.Second)
		for _, got := range r.requests() {
			if strings.Contains(got.Body, "early") {
				t.Errorf("alone %v: a record overtook one that was being committed", alone)
			}
		}
		close(free)
		writers.Wait()
		w.follow(2*time.Minute, time.Second)
		if all := subjects(t, r.requests()); !slices.Equal(all, []string{"webhook hook", "late", "early"}) {
			t.Errorf("alone %v: %q", alone, all)
		}
	}
}

// TestOldRecords commits a record long after its transaction began: it stands where it is
// committed.
func TestOldRecords(t *testing.T) {
	w, r := newWorld(t), newReceiver(t)
	w.subscribe(r.URL, "activity.recorded")
	old := w.store.Begin()
	old.Activity(tester, "user.updated", "old")
	w.act("new")
	w.follow(2*time.Minute, time.Second)
	must.Do(t, w.store.Commit(t.Context(), old))
	w.follow(2*time.Minute, time.Second)
	if all := subjects(t, r.requests()); !slices.Equal(all, []string{"webhook hook", "new", "old"}) {
		t.Errorf("%q", all)
	}
}

// TestStreamKilled ends the process at each call to the table in turn: no record is left out or
// overtaken, and repeats are equal.
func TestStreamKilled(t *testing.T) {
	run := func(t *testing.T, at int, after bool) int {
		w, r := newWorld(t), newReceiver(t)
		w.subscribe(r.URL, "activity.recorded")
		want := append([]string{"webhook hook"}, named(25)...)
		w.act(want[1:]...)
		k := &killer{at: at, after: after}
		w.faulty(func(c table.Call) table.Fault {
			return table.Fault{Kind: k.call(c.Method == "Write" || c.Method == "BatchWrite")}
		})
		w.follow(2*time.Minute, 10*time.Second)
		w.restart()
		w.follow(4*time.Minute, 5*time.Second)
		if all := subjects(t, r.requests()); !slices.Equal(all, want) {
			t.Errorf("streamed %q", all)
		}
		return k.calls
	}
	for _, after := range []bool{false, true} {
		calls := run(t, 0, after)
		if calls < 8 {
			t.Fatalf("only %d calls", calls)
		}
		for at := 1; at <= min(calls, 60); at++ {
			t.Run(fmt.Sprintf("call %d, after %v", at, after), func(t *testing.T) {
				t.Parallel()
				run(t, at, after)
			})
		}
	}
}

// TestStreamOfManyWorkers has workers that take up one stream at the same time: one of them sends.
func TestStreamOfManyWorkers(t *testing.T) {
	w, r := newWorld(t), newReceiver(t)
	hook := w.subscribe(r.URL, "activity.recorded")
	w.act(named(30)...)
	w.clock.Advance(time.Minute)
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			if _, err := (stream.Streams{Deliveries: w.hooks.Deliveries}).Work(t.Context(), hook); err != nil {
				t.Error(err)
			}
		})
	}
	workers.Wait()
	if all := subjects(t, r.expect(t, 31)); !slices.Equal(all[1:], named(30)) {
		t.Errorf("%q", all)
	}
}
