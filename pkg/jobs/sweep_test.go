package jobs_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/jobs"
)

func TestStandingCheck(t *testing.T) {
	var lines strings.Builder
	w := newWorld(t)
	r := newReceiver(t, 500)
	w.subscribe(r.URL, "*")
	w.sweeper.Metrics = newLog(&lines)
	w.sweeper.DeadLetters = func(context.Context) (int, error) { return 3, nil }
	start := w.clock.Now()
	w.raise(cms.EventUserCreated, doc{"u"})
	w.clock.Advance(30 * time.Second)

	p := w.sweep().Pipeline
	if p.Undispatched != 1 || p.Pending != 0 || p.DeadLetters != 3 || !p.OldestEvent.Equal(start) {
		t.Errorf("before dispatch: %+v", p)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(lines.String()), &line); err != nil {
		t.Fatal(err)
	}
	aws, _ := line["_aws"].(map[string]any)
	if line["OldestUndeliveredEvent"] != 30.0 || line["DeadLetters"] != 3.0 || aws["CloudWatchMetrics"] == nil {
		t.Errorf("metrics %s", lines.String())
	}

	w.dispatch()
	w.queue.purge()
	w.clock.Advance(5 * time.Minute)
	if p := w.sweep().Pipeline; p.Undispatched != 0 || p.Pending != 1 || p.Lost != 1 || p.OldestEvent.IsZero() {
		t.Errorf("message lost: %+v", p)
	}
	w.work()
	w.run(10*time.Minute, time.Minute)
	if p, err := w.store.Pipeline(t.Context()); err != nil || p.Pending != 0 || p.Lost != 0 || !p.OldestEvent.IsZero() {
		t.Errorf("all delivered: %+v, %v", p, err)
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
