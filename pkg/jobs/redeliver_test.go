package jobs_test

import (
	"fmt"
	"testing"
	"time"

	"headless/pkg/cms"
)

func TestTestRoute(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t, 200, 503)
	hook := w.subscribe(r.URL, "entry.*")
	got, err := w.hooks.Test(t.Context(), tester, hook)
	if err != nil || *got.ResponseCode != 200 || got.ResponseBody != "answer 200" {
		t.Fatalf("%+v, %v", got, err)
	}
	if d := w.expect(hook, cms.DeliveryDelivered, 1); d.ID != got.DeliveryID ||
		d.Event != cms.EventWebhookTest {
		t.Errorf("delivery %+v", d)
	}
	toggle(w, hook)
	w.clock.Advance(time.Second)
	if got, err = w.hooks.Test(t.Context(), tester, hook); err != nil || *got.ResponseCode != 503 {
		t.Fatalf("while paused: %+v, %v", got, err)
	}
	w.run(time.Hour, 5*time.Minute)
	r.expect(t, 2)
	if d := w.log(hook)[0]; d.Status != cms.DeliveryFailed {
		t.Errorf("failed test: %+v", d)
	}
}

func redeliver(w *world, hook, id string) {
	w.t.Helper()
	if _, err := w.hooks.Redeliver(w.t.Context(), tester, hook, id); err != nil {
		w.t.Fatal(err)
	}
}

func TestRedeliver(t *testing.T) {
	t.Run("a finished delivery gets one attempt", func(t *testing.T) {
		w := newWorld(t)
		r := newReceiver(t, 200, 500)
		hook := w.subscribe(r.URL, "*")
		w.raise(cms.EventUserCreated, doc{"u"})
		w.dispatch()
		w.work()
		redeliver(w, hook, w.only(hook).ID)
		w.work()
		w.expect(hook, cms.DeliveryFailed, 2)
		w.run(2*time.Hour, 5*time.Minute)
		if got := r.expect(t, 2); got[1].attempt() != "2" || got[1].id() != got[0].id() ||
			got[1].Body != got[0].Body {
			t.Errorf("second request %+v", got[1])
		}
	})
	t.Run("a waiting retry is dropped, later ones follow", func(t *testing.T) {
		w := newWorld(t)
		r := newReceiver(t, 500, 500, 500)
		hook := w.subscribe(r.URL, "*")
		w.raise(cms.EventUserCreated, doc{"u"})
		w.dispatch()
		w.work()
		redeliver(w, hook, w.only(hook).ID)
		w.work()
		d := w.expect(hook, cms.DeliveryPending, 2)
		if wait := d.NextAttemptAt.Sub(w.clock.Now()); wait != 5*time.Minute {
			t.Errorf("next attempt after %s, want the wait of attempt 3", wait)
		}
		w.clock.Advance(time.Minute)
		w.work() // the message of the retry after 5 s comes now
		r.expect(t, 2)
		w.run(40*time.Minute, time.Minute)
		w.expect(hook, cms.DeliveryDelivered, 4)
	})
	t.Run("racing a retry", func(t *testing.T) {
		w := newWorld(t)
		r := newReceiver(t, 500, 500)
		hook := w.subscribe(r.URL, "*")
		r.during = func(n int) {
			if n == 1 {
				redeliver(w, hook, w.only(hook).ID)
			}
		}
		w.raise(cms.EventUserCreated, doc{"u"})
		w.dispatch()
		w.work()
		w.expect(hook, cms.DeliveryPending, 2) // the retry of attempt 1 was made at once
		w.run(time.Hour, time.Minute)
		w.expect(hook, cms.DeliveryDelivered, 3)
		for i, got := range r.expect(t, 3) {
			if got.attempt() != fmt.Sprint(i+1) {
				t.Errorf("request %d has the number %s", i+1, got.attempt())
			}
		}
	})
	t.Run("refused", func(t *testing.T) {
		w := newWorld(t)
		r := newReceiver(t)
		hook, other := w.subscribe(r.URL, "*"), w.subscribe(r.URL, "entry.*")
		w.raise(cms.EventUserCreated, doc{"u"})
		w.dispatch()
		w.work()
		id := w.only(hook).ID
		toggle(w, hook)
		for name, call := range map[string][3]string{
			"paused":     {hook, id, string(cms.CodeConflict)},
			"of another": {other, id, string(cms.CodeNotFound)},
			"unknown":    {other, "x", string(cms.CodeNotFound)},
		} {
			_, err := w.hooks.Redeliver(t.Context(), tester, call[0], call[1])
			if e, ok := err.(*cms.Error); !ok || string(e.Code) != call[2] {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
