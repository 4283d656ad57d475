package jobs_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/hooks/webhook"
	"headless/pkg/jobs"
	"headless/pkg/must"
	"headless/pkg/table"
)

func TestStandingCheck(t *testing.T) {
	var lines strings.Builder
	w := newWorld(t)
	r := newReceiver(t, 500)
	w.subscribe(r.URL, "*")
	w.sweeper.Metrics, w.sweeper.Stack = newLog(&lines), "headless-prod"
	if w.sweep(); lines.Len() > 0 {
		t.Errorf("metrics that cost money without a cause: %s", lines.String())
	}
	w.sweeper.DeadLetters = func(context.Context) (int, error) { return 3, nil }
	start := w.clock.Now()
	w.raise(cms.EventUserCreated, doc{"u"})
	w.clock.Advance(30 * time.Second)

	p := w.sweep().Pipeline
	if p.Undispatched != 1 || p.Pending != 0 || p.DeadLetters != 3 || !p.OldestEvent.Equal(start) ||
		!p.OverdueStep.Equal(start) {
		t.Errorf("before dispatch: %+v", p)
	}
	var line map[string]any
	must.Do(t, json.Unmarshal([]byte(lines.String()), &line))
	aws, _ := line["_aws"].(map[string]any)
	if line["OldestUndeliveredEvent"] != 30.0 || line["LongestOverdueStep"] != 30.0 ||
		line["DeadLetters"] != 3.0 ||
		line["Stack"] != "headless-prod" || aws["CloudWatchMetrics"] == nil {
		t.Errorf("metrics %s", lines.String())
	}

	w.dispatch()
	w.queue.purge()
	due := w.clock.Now()
	w.clock.Advance(5 * time.Minute)
	if p := w.sweep().Pipeline; p.Undispatched != 0 || p.Pending != 1 || p.Lost != 1 ||
		p.OldestEvent.IsZero() || !p.OverdueStep.Equal(due) {
		t.Errorf("message lost: %+v", p)
	}
	w.work()
	w.run(10*time.Minute, time.Minute)
	if p, err := w.store.Hooks.Pipeline(t.Context()); err != nil || p.Pending != 0 || p.Lost != 0 ||
		!p.OldestEvent.IsZero() || !p.OverdueStep.IsZero() {
		t.Errorf("all delivered: %+v, %v", p, err)
	}
}

// TestReceiversAreNotOverdue: what a receiver delays is undelivered, but no fault of ours.
func TestReceiversAreNotOverdue(t *testing.T) {
	w := newWorld(t)
	hook := w.subscribe(newReceiver(t, slices.Repeat([]int{500}, 1000)...).URL, "*")
	for range 20 {
		w.raise(cms.EventUserCreated, doc{"u"})
	}
	start := w.clock.Now()
	w.dispatch()
	w.work()
	for range 10 {
		w.clock.Advance(5 * time.Minute)
		if p := w.sweep().Pipeline; p.Pending != 20 || !p.OldestEvent.Equal(start) ||
			!p.OverdueStep.IsZero() {
			t.Fatalf("after %s: %+v", w.clock.Now().Sub(start), p)
		}
		w.work()
	}
	toggle(w, hook)
	w.run(time.Hour, 5*time.Minute)
	if p := w.sweep().Pipeline; p.Pending != 20 || !p.OverdueStep.IsZero() {
		t.Errorf("paused: %+v", p)
	}
}

// TestNobodyWaitsForADeletedSubscription: its deliveries end when their turn comes, and count no
// longer.
func TestNobodyWaitsForADeletedSubscription(t *testing.T) {
	w := newWorld(t)
	hook := w.subscribe(newReceiver(t, 500).URL, "*")
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	w.work()
	if p := w.sweep().Pipeline; p.Pending != 1 {
		t.Fatalf("before: %+v", p)
	}
	must.Do(t, w.hooks.Delete(t.Context(), tester, hook))
	w.clock.Advance(time.Hour)
	if p := w.sweep().Pipeline; p.Pending != 0 || !p.OldestEvent.IsZero() || !p.OverdueStep.IsZero() {
		t.Errorf("after: %+v", p)
	}
}

// TestOneFailingTaskStopsNothing: what a sweep does is independent.
func TestOneFailingTaskStopsNothing(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	hook := w.subscribe(r.URL, "*")
	ran := false
	w.sweeper.Tasks = []func(context.Context) error{
		func(context.Context) error { return context.DeadlineExceeded },
		func(context.Context) error { ran = true; return nil },
	}
	w.raise(cms.EventUserCreated, doc{"u"})
	w.clock.Advance(2 * time.Minute)
	var report jobs.Report
	var err error
	if report, err = w.sweeper.Run(t.Context()); err == nil || !ran || report.Dispatched != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	w.work()
	w.expect(hook, cms.DeliveryDelivered, 1)
}

// TestRestartWaitsForNoWorker: events that wait until the workers have caught up must not keep the
// workers from being started.
func TestRestartWaitsForNoWorker(t *testing.T) {
	w := newWorld(t)
	hook := w.subscribe(newReceiver(t).URL, "*")
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	w.queue.take() // lost with the process
	w.raise(cms.EventUserCreated, doc{"v"})
	w.sweeper.Dispatcher.Hold = func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	must.Do(t, w.sweeper.Restart(ctx))
	w.work()
	w.expect(hook, cms.DeliveryDelivered, 1)
}

// TestRestartWritesNothing: a commit for each delivery would keep the workers waiting for minutes
// where many are pending.
func TestRestartWritesNothing(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	w.subscribe(r.URL, "*")
	for range 20 {
		w.raise(cms.EventUserCreated, doc{"u"})
	}
	w.dispatch()
	w.queue.take() // lost with the process
	writes := &countedWrites{Table: w.table}
	w.start(writes, w.queue, webhook.DefaultSchedule())
	must.Do(t, w.sweeper.Restart(t.Context()))
	if n := writes.n.Load(); n > 0 {
		t.Errorf("%d writes", n)
	}
	w.work()
	w.run(time.Minute, 10*time.Second) // those that found no slot wait
	r.expect(t, 20)
}

// countedWrites counts the transactions of a table.
type countedWrites struct {
	table.Table
	n atomic.Int64
}

func (c *countedWrites) Write(ctx context.Context, ops []table.Op) error {
	c.n.Add(1)
	return c.Table.Write(ctx, ops)
}

// TestQuietSweepReadsOnce: a sweep that finds nothing to do reads no partition twice, and one that
// has changed something measures the result.
func TestQuietSweepReadsOnce(t *testing.T) {
	w := newWorld(t)
	hook := w.subscribe(newReceiver(t, 500).URL, "*")
	reads := &countedQueries{Table: w.table, n: map[string]int{}}
	w.start(reads, w.queue, webhook.DefaultSchedule())
	w.sweep()
	for partition, n := range reads.n {
		if n > 1 {
			t.Errorf("%s is read %d times", partition, n)
		}
	}
	if reads.n["D#webhook"] != 1 {
		t.Errorf("the subscriptions were not read: %v", reads.n)
	}
	w.raise(cms.EventUserCreated, doc{"u"})
	w.clock.Advance(2 * time.Minute)
	if r := w.sweep(); r.Dispatched != 1 || r.Pipeline.Undispatched != 0 || r.Pipeline.Pending != 1 {
		t.Errorf("%+v for %s", r, hook)
	}
}

// countedQueries counts the queries of a table by partition.
type countedQueries struct {
	table.Table
	mu sync.Mutex
	n  map[string]int
}

func (c *countedQueries) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	c.mu.Lock()
	c.n[r.Partition]++
	c.mu.Unlock()
	return c.Table.Query(ctx, r)
}
