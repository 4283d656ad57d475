package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/queue"
	"headless/pkg/store"
	"headless/pkg/webhook"
)

type doc struct {
	ID string `json:"id"`
}

func TestDelivery(t *testing.T) {
	w := newWorld(t)
	r, other := newReceiver(t), newReceiver(t)
	hook := w.subscribe(r.URL, "user.created")
	w.subscribe(other.URL, "media.deleted")
	e := w.raise(cms.EventUserCreated, doc{"u1"})
	w.dispatch()
	w.work()
	got := r.expect(t, 1)[0]
	other.expect(t, 0)
	d := w.expect(hook, cms.DeliveryDelivered, 1)
	m := webhook.Message{
		Event: e.Kind, Delivery: d.ID, Attempt: 1, Body: []byte(got.Body), Secrets: webhook.Secrets{Current: testSecret},
	}
	for name, values := range m.Headers(w.clock.Now()) {
		if got.Header.Get(name) != values[0] {
			t.Errorf("%s: %q, want %q", name, got.Header.Get(name), values[0])
		}
	}
	want := `{"event":"user.created","occurred_at":"2026-01-01T00:00:00.000Z","data":{"id":"u1"}}`
	if got.Body != want {
		t.Errorf("body %s", got.Body)
	}
	a := d.Attempts[0]
	if a.Attempt != 1 || a.TargetURL != r.URL || string(a.Payload) != want || *a.ResponseCode != 200 || a.ResponseBody != "answer 200" || a.Error != nil {
		t.Errorf("attempt %+v", a)
	}
	if !d.NextAttemptAt.IsZero() || d.Event != e.Kind {
		t.Errorf("delivery %+v", d)
	}
}

func TestWholeLadder(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t, 500, 302, -1, 404, 301, 307, 500, 500, 500, 500)
	hook := w.subscribe(r.URL, "*")
	start := w.clock.Now()
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	w.work()
	w.run(80*time.Hour, 5*time.Minute)
	d := w.expect(hook, cms.DeliveryFailed, 10)
	r.expect(t, 10)
	var waits []string
	for _, a := range d.Attempts {
		waits = append(waits, a.Time.Sub(start).Round(time.Minute).String())
	}
	// The clock of this test moves in steps of five minutes; the ladder itself is tested in pkg/webhook.
	if got := strings.Join(waits, " "); got != "0s 5m0s 10m0s 40m0s 2h40m0s 7h40m0s 17h40m0s 31h40m0s 51h40m0s 75h40m0s" {
		t.Errorf("attempts at %s", got)
	}
	for i, got := range r.requests() {
		if got.Body != r.requests()[0].Body || got.id() != d.ID || got.attempt() != strconv.Itoa(i+1) {
			t.Errorf("request %d differs", i+1)
		}
	}
	if d.Attempts[2].ResponseCode != nil || d.Attempts[2].Error == nil {
		t.Errorf("attempt without an answer: %+v", d.Attempts[2])
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": time.Minute, "120": 2 * time.Minute, now.Add(10 * time.Minute).Format(http.TimeFormat): 10 * time.Minute,
		now.Add(-time.Hour).Format(http.TimeFormat): time.Minute, "-5": time.Minute, "315360000": 24 * time.Hour, "soon": time.Minute,
	} {
		t.Run(value, func(t *testing.T) {
			w := newWorld(t)
			r := newReceiver(t, 429)
			r.headers = map[string]string{"Retry-After": value}
			hook := w.subscribe(r.URL, "*")
			w.raise(cms.EventUserCreated, doc{"u"})
			w.dispatch()
			w.work()
			if got := w.expect(hook, cms.DeliveryPending, 1).NextAttemptAt.Sub(now); got != want {
				t.Errorf("next attempt after %s, want %s", got, want)
			}
			w.run(want, min(want, 5*time.Minute))
			w.expect(hook, cms.DeliveryDelivered, 2)
		})
	}
}

func TestGonePauses(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t, 410)
	hook := w.subscribe(r.URL, "*")
	w.raise(cms.EventUserCreated, doc{"u"})
	w.clock.Advance(time.Second)
	w.dispatch()
	w.work()
	w.expect(hook, cms.DeliveryFailed, 1)
	h, err := w.hooks.Get(t.Context(), hook)
	if err != nil || h.IsActive || h.PausedReason == nil {
		t.Fatalf("%+v, %v", h, err)
	}
	log, err := w.store.ListActivity(t.Context(), store.Paging{Page: 1, PerPage: 5})
	if err != nil || log.Items[0].Event != "webhook.paused" || log.Items[0].Source != cms.SourceSystem || log.Items[0].Actor != nil {
		t.Errorf("activity %+v, %v", log.Items, err)
	}
	if h, err = w.hooks.ToggleActive(t.Context(), tester, hook); err != nil || !h.IsActive || h.PausedReason != nil {
		t.Errorf("resumed: %+v, %v", h, err)
	}
}

func TestTerminalRefusal(t *testing.T) {
	w := newWorld(t)
	hook := w.subscribe("https://name.invalid/", "*")
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	w.hooks.Client = webhook.NewClient(webhook.Policy{AllowInsecure: true, OwnHosts: []string{"name.invalid"}}, webhook.Options{})
	w.work()
	if d := w.expect(hook, cms.DeliveryFailed, 1); d.Attempts[0].ResponseCode != nil || d.Attempts[0].Error == nil {
		t.Errorf("attempt %+v", d.Attempts[0])
	}
}

func TestRefusedConnectionIsRetried(t *testing.T) {
	w := newWorld(t)
	hook := w.subscribe("http://127.0.0.1:1/", "*")
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	w.work()
	w.expect(hook, cms.DeliveryPending, 1)
}

func TestLargeAndInvalidData(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t, 500)
	hook := w.subscribe(r.URL, "*")
	w.raise(cms.EventMediaUploaded, map[string]string{"id": "m1", "alt": strings.Repeat("x", webhook.MaxBody)})
	w.dispatch()
	w.work()
	if got := r.expect(t, 1)[0].Body; !strings.Contains(got, `"data":{"id":"m1","truncated":true}`) {
		t.Errorf("body %.200s", got)
	}
	w.run(time.Minute, time.Minute)
	w.raise(cms.EventMediaUploaded, json.RawMessage("{\"id\":\"\xff\xfe\"}"))
	w.dispatch()
	w.work()
	got := r.expect(t, 3)
	if got[1].Body != got[0].Body {
		t.Error("the retry has another body")
	}
	for _, d := range w.log(hook) {
		if d.Status != cms.DeliveryDelivered || !json.Valid(d.Attempts[0].Payload) {
			t.Errorf("delivery %+v", d)
		}
	}
}

func TestSubscriptionChangesOnTheWay(t *testing.T) {
	tests := map[string]struct {
		change   func(w *world, hook, newURL string) error
		old, new int
		status   cms.DeliveryStatus
	}{
		"re-addressed": {func(w *world, hook, newURL string) error {
			_, err := w.hooks.Update(w.t.Context(), tester, hook, map[string]any{"url": newURL})
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
			if err := test.change(w, hook, next.URL); err != nil {
				t.Fatal(err)
			}
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
		if err := w.hooks.Delete(t.Context(), tester, hook); err != nil {
			t.Fatal(err)
		}
		w.work()
		r.expect(t, 0)
		if due, err := w.store.DueDeliveries(t.Context(), w.clock.Now().AddDate(1, 0, 0), 10); len(due) > 0 || err != nil {
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
	if err != nil {
		t.Fatal(err)
	}
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	w.work()
	rotated, err := w.hooks.RotateSecret(t.Context(), tester, hooks[0].ID)
	if err != nil || rotated.Secret == testSecret {
		t.Fatal(rotated, err)
	}
	w.run(10*time.Minute, time.Minute)
	got := r.expect(t, 3)
	for i, secrets := range []webhook.Secrets{{Current: testSecret}, {Current: rotated.Secret, Previous: testSecret, RotatedAt: w.clock.Now()}} {
		m := webhook.Message{Delivery: got[i].id(), Body: []byte(got[i].Body), Secrets: secrets}
		h := m.Headers(w.clock.Now())
		for _, name := range []string{"X-Service-Signature", "X-Service-Signature-Previous"} {
			if got[i].Header.Get(name) != h.Get(name) {
				t.Errorf("request %d: %s %q, want %q", i+1, name, got[i].Header.Get(name), h.Get(name))
			}
		}
	}
}

func TestAutoPause(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	for range 100 {
		r.codes = append(r.codes, 500)
	}
	hook := w.subscribe(r.URL, "*")
	w.raise(cms.EventUserCreated, doc{"one"})
	w.dispatch()
	w.work()
	w.run(4*24*time.Hour, 5*time.Hour)
	if h, err := w.hooks.Get(t.Context(), hook); err != nil || !h.IsActive {
		t.Fatalf("paused after one event: %+v, %v", h, err)
	}
	w.raise(cms.EventUserCreated, doc{"two"})
	w.dispatch()
	w.work()
	w.run(2*24*time.Hour, 5*time.Hour)
	if h, err := w.hooks.Get(t.Context(), hook); err != nil || h.IsActive || h.PausedReason == nil {
		t.Fatalf("not paused: %+v, %v", h, err)
	}
}

// crowd hands n messages to the workers at once and tells how many requests were on their way at a time. Every request waits until the
// expected number is there and the workers of the other messages have put them back.
func crowd(w *world, r *receiver, n, atATime int) (peak int) {
	for i := range n {
		w.raise(cms.EventUserCreated, doc{strconv.Itoa(i)})
	}
	before := w.queue.len()
	w.dispatch()
	var mu sync.Mutex
	running, together := 0, make(chan struct{})
	r.mu.Lock()
	r.during = func(int) {
		mu.Lock()
		running++
		if peak = max(peak, running); running == atATime {
			close(together)
		}
		mu.Unlock()
		select {
		case <-together:
		case <-time.After(4 * time.Second):
		}
		w.poll(func() bool { return w.queue.len() >= before+n-atATime })
		mu.Lock()
		running--
		mu.Unlock()
	}
	r.mu.Unlock()
	if failed := w.deliverer.Handle(w.t.Context(), w.queue.take()); len(failed) > 0 {
		w.t.Fatalf("failed: %v", failed)
	}
	r.mu.Lock()
	r.during = nil
	r.mu.Unlock()
	return peak
}

func TestAtMostFiveAtATime(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	w.subscribe(r.URL, "*")
	if peak := crowd(w, r, 20, store.MaxLeases); peak != store.MaxLeases {
		t.Errorf("%d at a time, want %d", peak, store.MaxLeases)
	}
	w.run(5*time.Minute, time.Second)
	r.expect(t, 20)
}

func TestBreaker(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t, 500, 500, 500, 500, 500)
	w.subscribe(r.URL, "*")
	for i := range 5 {
		w.raise(cms.EventUserCreated, doc{strconv.Itoa(i)})
		w.dispatch()
		w.work()
	}
	if peak := crowd(w, r, 10, 1); peak != 1 {
		t.Errorf("%d at a time, want 1", peak)
	}
	if peak := crowd(w, r, 10, store.MaxLeases); peak != store.MaxLeases {
		t.Errorf("%d at a time after a success, want %d", peak, store.MaxLeases)
	}
	w.run(5*time.Minute, time.Second)
	r.expect(t, 30)
}

func TestTestRoute(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t, 200, 503)
	hook := w.subscribe(r.URL, "entry.*")
	got, err := w.hooks.Test(t.Context(), tester, hook)
	if err != nil || *got.ResponseCode != 200 || got.ResponseBody != "answer 200" {
		t.Fatalf("%+v, %v", got, err)
	}
	if d := w.expect(hook, cms.DeliveryDelivered, 1); d.ID != got.DeliveryID || d.Event != cms.EventWebhookTest {
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
		if got := r.expect(t, 2); got[1].attempt() != "2" || got[1].id() != got[0].id() || got[1].Body != got[0].Body {
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
			"paused": {hook, id, string(cms.CodeConflict)}, "of another": {other, id, string(cms.CodeNotFound)},
			"unknown": {other, "x", string(cms.CodeNotFound)},
		} {
			_, err := w.hooks.Redeliver(t.Context(), tester, call[0], call[1])
			if e, ok := err.(*cms.Error); !ok || string(e.Code) != call[2] {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestSecretsAreNotLogged(t *testing.T) {
	var lines strings.Builder
	w := newWorld(t)
	w.hooks.Log = newLog(&lines)
	hook := w.subscribe("http://127.0.0.1:1/?token=hidden", "*")
	w.raise(cms.EventUserCreated, doc{"private"})
	w.dispatch()
	w.work()
	w.expect(hook, cms.DeliveryPending, 1)
	for _, secret := range []string{testSecret, "hidden", "private"} {
		if strings.Contains(lines.String(), secret) {
			t.Errorf("%q is in %s", secret, lines.String())
		}
	}
	if lines.Len() == 0 {
		t.Error("nothing is logged")
	}
}

func TestPoisonMessage(t *testing.T) {
	w := newWorld(t)
	r := newReceiver(t)
	hook := w.subscribe(r.URL, "*")
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	good := w.queue.take()
	batch := append([]queue.Message{{Body: []byte("nonsense")}, {Body: []byte(`{"delivery":"x"}`)}}, good...)
	if failed := w.deliverer.Handle(context.Background(), batch); fmt.Sprint(failed) != "[0 1]" {
		t.Errorf("failed: %v", failed)
	}
	w.expect(hook, cms.DeliveryDelivered, 1)
}
