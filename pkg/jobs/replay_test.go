package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/hooks/replay"
	"headless/pkg/hooks/webhook"
	"headless/pkg/jobs"
	"headless/pkg/must"
	"headless/pkg/table"
)

// withTimers lets the world handle the timers of replays, as a process does that starts.
func (w *world) withTimers() (*replay.Replays, *jobs.Timers) {
	r := &replay.Replays{Webhooks: w.hooks}
	return r, &jobs.Timers{Store: w.store.DB, Log: quiet, Handlers: map[string]jobs.TimerHandler{
		replay.KindReplay: r.Work}}
}

// logged adds n finished deliveries to the log of a subscription; the even ones failed.
func logged(w *world, hook string, n int) (ids []string) {
	w.t.Helper()
	for i := range n {
		d := hooks.Delivery{ID: uuid.NewString(), WebhookID: hook, EventID: uuid.NewString(),
			Event: cms.EventUserCreated, Status: cms.DeliveryDelivered, Attempts: 1,
			CreatedAt: cms.At(w.clock.Now())}
		if i%2 == 0 {
			d.Status = cms.DeliveryFailed
		}
		tx := w.store.Begin()
		hooks.CreateDelivery(tx, &d, []byte("{}"), db.ErrOvertaken)
		must.Do(w.t, w.store.Commit(w.t.Context(), tx))
		ids = append(ids, d.ID)
		w.clock.Advance(time.Millisecond)
	}
	return ids
}

// pending reads which of some deliveries wait for an attempt.
func pending(w *world, ids []string) (list []hooks.Delivery) {
	w.t.Helper()
	found, err := w.store.Hooks.Deliveries(w.t.Context(), ids...)
	must.Do(w.t, err)
	for _, d := range found {
		if !d.Finished() {
			list = append(list, d)
		}
	}
	return list
}

func TestReplayOfFailed(t *testing.T) {
	w := newWorld(t)
	const n = 50 // more than a step
	r := newReceiver(t)
	hook := w.subscribe(r.URL, "*")
	logged(w, hook, n)
	if _, err := w.hooks.Test(t.Context(), tester, hook); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(time.Millisecond)
	replays, timers := w.withTimers()
	if _, err := replays.Start(t.Context(), tester, hook, map[string]any{"only_failed": true}); err != nil {
		t.Fatal(err)
	}
	if _, err := timers.Due(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.run(10*time.Minute, time.Minute)
	again := map[string]int{}
	for _, got := range r.expect(t, 1+n/2)[1:] {
		if again[got.id()]++; got.attempt() != "2" {
			t.Errorf("attempt %s", got.attempt())
		}
	}
	if len(again) != n/2 {
		t.Errorf("%d deliveries were sent again, want %d", len(again), n/2)
	}
	latest, err := replays.Latest(t.Context(), hook)
	if err != nil || latest.Status != replay.Done || latest.LookedAt != n+1 || latest.SentAgain != n/2 {
		t.Errorf("%+v, %v", latest, err)
	}
}

// TestReplayWaits: a receiver that cannot keep up holds the replay back, not everybody else.
func TestReplayWaits(t *testing.T) {
	w := newWorld(t)
	const n = 450
	hook := w.subscribe(newReceiver(t).URL, "*")
	ids := logged(w, hook, n)
	replays, timers := w.withTimers()
	ctx := t.Context()
	if _, err := replays.Start(ctx, tester, hook, all); err != nil {
		t.Fatal(err)
	}
	if _, err := timers.Due(ctx); err != nil {
		t.Fatal(err)
	}
	latest, err := replays.Latest(ctx, hook)
	waiting := pending(w, ids)
	if err != nil || latest.Status != replay.Running || len(waiting) == 0 || len(waiting) > 400 ||
		len(waiting) != latest.SentAgain {
		t.Fatalf("%d wait: %+v, %v", len(waiting), latest, err)
	}
	for _, d := range waiting {
		tx := w.store.Begin()
		d.Status, d.Due = cms.DeliveryDelivered, cms.Time{}
		hooks.PutDelivery(tx, &d)
		must.Do(t, w.store.Commit(ctx, tx))
	}
	w.clock.Advance(10 * time.Second)
	if _, err := timers.Due(ctx); err != nil {
		t.Fatal(err)
	}
	if latest, err = replays.Latest(ctx, hook); err != nil || latest.SentAgain != n ||
		latest.Status != replay.Done {
		t.Errorf("%+v, %v", latest, err)
	}
}

// all asks for every delivery of the log.
var all = map[string]any{"from": "2025-12-31T00:00:00Z"}

// TestReplayKilled ends the process at each call of a replay, and starts it again: each delivery is
// sent again once.
func TestReplayKilled(t *testing.T) {
	for _, after := range []bool{false, true} {
		for at := 1; ; at++ {
			calls := replayKilled(t, at, after)
			if calls >= at {
				continue
			}
			if calls < 5 {
				t.Errorf("only %d calls", calls)
			}
			break
		}
	}
}

func replayKilled(t *testing.T, at int, after bool) (calls int) {
	t.Helper()
	w := newWorld(t)
	const n = 45 // more than a step
	hook := w.subscribe(newReceiver(t).URL, "*")
	ids := logged(w, hook, n)
	replays, _ := w.withTimers()
	if _, err := replays.Start(t.Context(), tester, hook, all); err != nil {
		t.Fatal(err)
	}
	k := &killer{at: at, after: after}
	w.start(table.NewFaulty(w.table, func(c table.Call) table.Fault {
		return table.Fault{Kind: k.call(c.Method == "Write" || c.Method == "BatchWrite")}
	}), killedQueue{k, w.queue}, webhook.DefaultSchedule())
	_, timers := w.withTimers()
	_, _ = timers.Due(t.Context()) // until it dies

	w.start(w.table, w.queue, webhook.DefaultSchedule())
	replays, timers = w.withTimers()
	for range 3 {
		w.clock.Advance(time.Minute)
		if _, err := timers.Due(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	latest, err := replays.Latest(t.Context(), hook)
	if err != nil || latest.Status != replay.Done || latest.SentAgain != n {
		t.Errorf("call %d, after %v: %+v, %v", at, after, latest, err)
	}
	once := 0
	for _, d := range pending(w, ids) {
		if d.Wakes == 1 {
			once++
		}
	}
	if once != n {
		t.Errorf("call %d, after %v: %d of %d were sent again once", at, after, once, n)
	}
	return k.calls
}

func TestReplayRefused(t *testing.T) {
	w := newWorld(t)
	hook := w.subscribe(newReceiver(t).URL, "*")
	replays, timers := w.withTimers()
	ctx := t.Context()
	expect := func(what string, err error, code cms.Code) {
		t.Helper()
		if e, ok := err.(*cms.Error); !ok || e.Code != code {
			t.Errorf("%s: %v, want %s", what, err, code)
		}
	}
	_, err := replays.Latest(ctx, hook)
	expect("none yet", err, cms.CodeNotFound)
	expect("nothing to stop", replays.Stop(ctx, tester, hook), cms.CodeNotFound)
	for i, body := range []map[string]any{{}, {"only_failed": false}, {"from": "x"}, {"what": true},
		{"from": "2030-01-01T00:00:00Z"},
		{"only_failed": true, "to": "2020-01-01T00:00:00Z"}} {
		_, err := replays.Start(ctx, tester, hook, body)
		expect(fmt.Sprint("body ", i), err, cms.CodeValidationFailed)
	}
	failed := map[string]any{"only_failed": true}
	_, err = replays.Start(ctx, tester, "none", failed)
	expect("unknown", err, cms.CodeNotFound)
	toggle(w, hook)
	_, err = replays.Start(ctx, tester, hook, failed)
	expect("paused", err, cms.CodeConflict)
	toggle(w, hook)
	if _, err := replays.Start(ctx, tester, hook, failed); err != nil {
		t.Fatal(err)
	}
	_, err = replays.Start(ctx, tester, hook, failed)
	expect("a second one", err, cms.CodeConflict)
	must.Do(t, replays.Stop(ctx, tester, hook))
	expect("stopped twice", replays.Stop(ctx, tester, hook), cms.CodeConflict)
	if _, err := replays.Start(ctx, tester, hook, failed); err != nil {
		t.Fatal(err)
	}
	must.Do(t, w.hooks.Delete(ctx, tester, hook))
	if _, err := timers.Due(ctx); err != nil {
		t.Fatal(err)
	}
	if timers, err := w.store.DB.Timers(ctx, w.clock.Now().AddDate(1, 0, 0), 10); err != nil ||
		len(timers) > 0 {
		t.Errorf("a deleted webhook keeps timers %v, %v", timers, err)
	}
}
