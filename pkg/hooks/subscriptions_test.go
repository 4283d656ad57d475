package hooks

import (
	"context"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/db/logs"
	"headless/pkg/hooks/webhook"
	"headless/pkg/must"
	"headless/pkg/queue/memory"
	"headless/pkg/site"
	"headless/pkg/table/bolt"
)

func newWebhooks(t *testing.T, policy webhook.Policy) Webhooks {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() {
		if err := tb.Close(); err != nil {
			t.Error(err)
		}
	})
	return Webhooks{&Deliveries{
		Store: Open(site.Open(db.New(tb, time.Now))), Client: webhook.NewClient(policy, webhook.Options{}),
		Schedule: webhook.DefaultSchedule(),
		Queue:    memory.New(time.Now, memory.Options{}), Rand: func() float64 { return 0.5 },
		Log: slog.New(slog.DiscardHandler),
	}}
}

var webhookActor = cms.Actor{Name: "a@example.com", Source: cms.SourceAdmin}

func TestWebhookWantsWhatComesAfterIt(t *testing.T) {
	made := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	w := Webhook{Webhook: cms.Webhook{IsActive: true, Events: []string{"*"}, CreatedAt: cms.At(made)}}
	for after, want := range map[time.Duration]bool{-time.Millisecond: false, 0: true, time.Millisecond: true} {
		e := cms.Event{Kind: cms.EventUserCreated, OccurredAt: cms.At(made.Add(after))}
		if got := w.Wants(e); got != want {
			t.Errorf("an event %v after the subscription was made: %t", after, got)
		}
	}
}

func TestWebhookValidation(t *testing.T) {
	w := newWebhooks(t, webhook.Policy{})
	for name, test := range map[string]struct {
		body map[string]any
		want string // paths with problems
	}{
		"nothing": {map[string]any{}, "url"},
		"all at once": {map[string]any{"url": "x", "events": []any{"no"}, "models": []any{"none"},
			"secret": "short", "headers": map[string]any{"Host": "x"}, "what": 1.0},
			"events headers models secret url what"},
		"types": {map[string]any{"url": true, "events": "x", "is_active": "yes",
			"name": []any{}}, "events is_active name url"},
		"loopback": {map[string]any{"url": "https://127.0.0.1/"}, "url"},
		"http":     {map[string]any{"url": "http://example.com/"}, "url"},
		"long": {map[string]any{"url": "https://name.invalid/",
			"name": strings.Repeat("ä", 256)}, "name"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.Create(t.Context(), webhookActor, test.body)
			e, ok := err.(*cms.Error)
			if !ok || e.Code != cms.CodeValidationFailed {
				t.Fatalf("%v", err)
			}
			if got := strings.Join(slices.Sorted(maps.Keys(e.Details)), " "); got != test.want {
				t.Errorf("problems of %s, want %s", got, test.want)
			}
		})
	}
}

func TestWebhookLife(t *testing.T) {
	w := newWebhooks(t, webhook.Policy{})
	ctx := t.Context()
	made, err := w.Create(ctx, webhookActor, map[string]any{"url": "https://name.invalid/"})
	if err != nil || webhook.ValidateSecret(made.Secret) != nil || !made.IsActive ||
		made.Events == nil || made.Models == nil || made.Headers == nil {
		t.Fatalf("%+v, %v", made, err)
	}
	if none, err := w.Create(ctx, webhookActor,
		map[string]any{"url": "https://name.invalid/", "events": []any{}}); err != nil ||
		none.Events == nil || len(none.Events) != 0 {
		t.Errorf("no events: %+v, %v", none, err)
	}
	// A body that was read can be sent back.
	changed, err := w.Update(ctx, webhookActor, made.ID, map[string]any{
		"id": made.ID, "created_at": "x", "paused_reason": nil, "name": "N",
		"events": []any{"*", "*"}, "headers": map[string]any{"X-A": "b"},
	}, nil)
	if err != nil || changed.Name != "N" || len(changed.Events) != 1 ||
		changed.Headers["X-A"] != "b" || changed.URL != made.URL {
		t.Fatalf("%+v, %v", changed, err)
	}
	secrets := func() webhook.Secrets {
		t.Helper()
		hook, err := w.Store.Webhook(ctx, made.ID)
		must.Do(t, err)
		s, err := w.Store.Secrets(&hook)
		must.Do(t, err)
		return s
	}
	if s := secrets(); s.Current != made.Secret || s.Previous != "" {
		t.Errorf("an update changed the secret: %+v", s)
	}
	rotated, err := w.RotateSecret(ctx, webhookActor, made.ID, nil)
	if s := secrets(); err != nil || s.Current != rotated.Secret || s.Previous != made.Secret ||
		s.RotatedAt.IsZero() {
		t.Errorf("after a rotation: %+v, %v", s, err)
	}
	if _, err = w.Update(ctx, webhookActor, made.ID, map[string]any{"secret": "chosen secret of enough length"},
		nil); err != nil {
		t.Fatal(err)
	}
	if s := secrets(); s.Current != "chosen secret of enough length" || s.Previous != rotated.Secret {
		t.Errorf("after a chosen secret: %+v", s)
	}
	for range 2 { // a repeated request keeps the secret before
		again, err := w.RotateSecret(ctx, webhookActor, made.ID,
			map[string]any{"secret": "another secret of enough length"})
		if s := secrets(); err != nil || again.Secret != "another secret of enough length" ||
			s.Current != again.Secret || s.Previous != "chosen secret of enough length" {
			t.Errorf("after a rotation to a chosen secret: %+v, %v", s, err)
		}
	}
	for _, active := range []bool{false, true} {
		if h, err := w.ToggleActive(ctx, webhookActor, made.ID); err != nil || h.IsActive != active {
			t.Errorf("toggled: %+v, %v", h, err)
		}
	}
	must.Do(t, w.Delete(ctx, webhookActor, made.ID))
	checkWebhookGone(ctx, t, w, made.ID)
	log, err := logs.Activity(ctx, w.Store.DB, logs.Query{Paging: db.Paging{Page: 1, PerPage: 20}})
	if err != nil || log.Total != 10 {
		t.Errorf("%d activity records, %v", log.Total, err)
	}
}

func checkWebhookGone(ctx context.Context, t *testing.T, w Webhooks, id string) {
	t.Helper()
	for name, call := range map[string]func() error{
		"get":    func() error { _, err := w.Get(ctx, id); return err },
		"detail": func() error { _, _, err := w.Detail(ctx, id, ""); return err },
		"update": func() error { _, err := w.Update(ctx, webhookActor, id, nil, nil); return err },
		"delete": func() error { return w.Delete(ctx, webhookActor, id) },
		"toggle": func() error { _, err := w.ToggleActive(ctx, webhookActor, id); return err },
		"rotate": func() error { _, err := w.RotateSecret(ctx, webhookActor, id, nil); return err },
		"test":   func() error { _, err := w.Test(ctx, webhookActor, id); return err },
	} {
		if e, ok := call().(*cms.Error); !ok || e.Code != cms.CodeNotFound {
			t.Errorf("%s: %v", name, e)
		}
	}
}

func TestDeliveryLogPaging(t *testing.T) {
	w := newWebhooks(t, webhook.Policy{AllowInsecure: true})
	ctx := t.Context()
	made, err := w.Create(ctx, webhookActor, map[string]any{"url": "http://127.0.0.1:1/"})
	must.Do(t, err)
	const n = logPage + 3
	for range n {
		if _, err := w.Test(ctx, webhookActor, made.ID); err != nil {
			t.Fatal(err)
		}
	}
	first, next, err := w.Detail(ctx, made.ID, "")
	if err != nil || len(first.Deliveries) != logPage || next == "" {
		t.Fatalf("%d deliveries, next %q, %v", len(first.Deliveries), next, err)
	}
	second, next, err := w.Detail(ctx, made.ID, next)
	if err != nil || len(second.Deliveries) != 3 || next != "" {
		t.Fatalf("%d deliveries, next %q, %v", len(second.Deliveries), next, err)
	}
	seen := map[string]bool{}
	for _, d := range append(first.Deliveries, second.Deliveries...) {
		seen[d.ID] = true
		if len(d.Attempts) != 1 || d.Attempts[0].Error == nil || len(d.Attempts[0].Payload) == 0 {
			t.Errorf("%+v", d)
		}
	}
	if len(seen) != n {
		t.Errorf("%d different deliveries", len(seen))
	}
	if _, _, err := w.Detail(ctx, made.ID, "!"); err == nil {
		t.Error("a broken cursor is accepted")
	}
}

func TestWebhooksAreLimited(t *testing.T) {
	w := newWebhooks(t, webhook.Policy{AllowInsecure: true})
	body := map[string]any{"url": "http://127.0.0.1:9/x"}
	var last WebhookWithSecret
	for range MaxWebhooks {
		var err error
		if last, err = w.Create(t.Context(), webhookActor, body); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Create(t.Context(), webhookActor, body); cms.CodeOf(err) != cms.CodeConflict {
		t.Errorf("one more: %v", err)
	}
	must.Do(t, w.Delete(t.Context(), webhookActor, last.ID))
	if _, err := w.Create(t.Context(), webhookActor, body); err != nil {
		t.Error("after a deletion:", err)
	}
}

// TestFailedEventsAreForgotten: the first failure after a success in the same batch counts its own event alone.
func TestFailedEventsAreForgotten(t *testing.T) {
	r := Receiver{Events: []string{"one", "two"}} // Failures is 0 after the success
	failed := attempt{result: webhook.Result{Code: 500}, work: &Work{Delivery: Delivery{EventID: "three"},
		Webhook: &Webhook{Webhook: cms.Webhook{IsActive: true}}}}
	o := outcome{d: &Deliveries{}}
	o.fail(t.Context(), db.New(nil, time.Now).Begin(), &r, failed)
	if !slices.Equal(r.Events, []string{"three"}) {
		t.Errorf("failed events: %v", r.Events)
	}
}
