package jobs_test

import (
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/hooks/webhook"
	"headless/pkg/must"
)

func TestSubscriptionChangesOnTheWay(t *testing.T) {
	tests := map[string]struct {
		change   func(w *world, hook, newURL string) error
		old, new int
		status   cms.DeliveryStatus
	}{
		"re-addressed": {func(w *world, hook, newURL string) error {
			_, err := w.hooks.Update(w.t.Context(), tester, hook, map[string]any{"url": newURL}, nil)
			return err
		}, 0, 1, cms.DeliveryDelivered},
		"paused": {func(w *world, hook, _ string) error {
			_, err := w.hooks.ToggleActive(w.t.Context(), tester, hook)
			return err
		}, 0, 0, cms.DeliveryPending},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r, next := newReceiver(t), newReceiver(t)
			hook := w.subscribe(r.URL, "*")
			w.raise(cms.EventUserCreated, doc{"u"})
			w.dispatch()
			must.Do(t, test.change(w, hook, next.URL))
			w.work()
			r.expect(t, test.old)
			next.expect(t, test.new)
			if d := w.only(hook); d.Status != test.status {
				t.Errorf("status %s", d.Status)
			}
		})
	}
	t.Run("deleted", func(t *testing.T) {
		w := newWorld(t)
		r := newReceiver(t)
		hook := w.subscribe(r.URL, "*")
		w.raise(cms.EventUserCreated, doc{"u"})
		w.dispatch()
		must.Do(t, w.hooks.Delete(t.Context(), tester, hook))
		w.work()
		r.expect(t, 0)
		if due, err := w.store.Hooks.DueDeliveries(t.Context(), w.clock.Now().AddDate(1, 0, 0), 10); len(due) > 0 ||
			err != nil {
			t.Errorf("%d still due, %v", len(due), err)
		}
	})
}

func TestPausedAndResumed(t *testing.T) {
	for name, wake := range map[string]func(*world){
		"by its message":  func(w *world) { w.work() },
		"message is lost": func(w *world) { w.queue.purge(); w.sweep(); w.work() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := newReceiver(t, 500)
			hook := w.subscribe(r.URL, "*")
			w.raise(cms.EventUserCreated, doc{"u"})
			w.dispatch()
			w.work()
			toggle(w, hook)
			w.raise(cms.EventUserCreated, doc{"while paused"})
			w.dispatch()
			w.run(6*24*time.Hour, 6*time.Hour)
			r.expect(t, 1)
			if d := w.expect(hook, cms.DeliveryPending, 1); !d.NextAttemptAt.IsZero() {
				t.Error("a next attempt is announced while paused")
			}
			toggle(w, hook)
			wake(w)
			r.expect(t, 2)
			w.expect(hook, cms.DeliveryDelivered, 2)
		})
	}
	t.Run("too long", func(t *testing.T) {
		w := newWorld(t)
		r := newReceiver(t, 500)
		hook := w.subscribe(r.URL, "*")
		w.raise(cms.EventUserCreated, doc{"u"})
		w.dispatch()
		w.work()
		toggle(w, hook)
		w.run(8*24*time.Hour, 6*time.Hour)
		w.expect(hook, cms.DeliveryFailed, 1)
		toggle(w, hook)
		w.run(time.Hour, 5*time.Minute)
		r.expect(t, 1)
	})
}

func toggle(w *world, hook string) {
	w.t.Helper()
	if _, err := w.hooks.ToggleActive(w.t.Context(), tester, hook); err != nil {
		w.t.Fatal(err)
	}
}

func TestSecretRotatedMidLadder(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t, 500, 500)
	w.subscribe(r.URL, "*")
	hooks, err := w.hooks.List(t.Context())
	must.Do(t, err)
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	w.work()
	rotated, err := w.hooks.RotateSecret(t.Context(), tester, hooks[0].ID, nil)
	if err != nil || rotated.Secret == testSecret {
		t.Fatal(rotated, err)
	}
	w.run(10*time.Minute, time.Minute)
	got := r.expect(t, 3)
	for i, secrets := range []webhook.Secrets{{Current: testSecret},
		{Current: rotated.Secret, Previous: testSecret, RotatedAt: w.clock.Now()}} {
		m := webhook.Message{Delivery: got[i].id(), Body: []byte(got[i].Body), Secrets: secrets}
		h := m.Headers(w.clock.Now())
		for _, name := range []string{"X-Service-Signature", "X-Service-Signature-Previous"} {
			if got[i].Header.Get(name) != h.Get(name) {
				t.Errorf("request %d: %s %q, want %q", i+1, name, got[i].Header.Get(name), h.Get(name))
			}
		}
	}
}
