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
	"headless/pkg/db"
	"headless/pkg/db/logs"
	"headless/pkg/hooks"
	"headless/pkg/hooks/webhook"
	"headless/pkg/must"
	"headless/pkg/queue"
	"headless/pkg/rights"
)

type doc struct {
	ID string `json:"id"`
}

// TestLogOfLargePayloads: a page of the log fits into an answer of a function, however large what
// was sent, and all pages together hold all.
func TestLogOfLargePayloads(t *testing.T) {
	w := newWorld(t)
	hook := w.subscribe(newReceiver(t).URL, "*")
	const n = 45
	for range n {
		w.raise(cms.EventUserCreated, doc{strings.Repeat("x", 60_000)})
	}
	w.dispatch()
	w.run(time.Hour, time.Minute) // few are sent at a time
	seen, pages, cursor := map[string]bool{}, 0, ""
	for {
		page, next, err := w.hooks.Detail(t.Context(), hook, cursor)
		must.Do(t, err)
		size := 0
		for _, d := range page.Deliveries {
			seen[d.ID] = true
			for _, a := range d.Attempts {
				size += len(a.Payload)
			}
		}
		if pages++; size > 2<<20 || pages > n {
			t.Fatalf("page %d has %d bytes", pages, size)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	if len(seen) != n || pages != 2 {
		t.Errorf("%d deliveries on %d pages", len(seen), pages)
	}
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
		Event: e.Kind, Delivery: d.ID, Attempt: 1, Body: []byte(got.Body),
		Secrets: webhook.Secrets{Current: testSecret},
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
	if a.Attempt != 1 || a.TargetURL != r.URL || string(a.Payload) != want ||
		*a.ResponseCode != 200 || a.ResponseBody != "answer 200" || a.Error != nil {
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
	// The clock of this test moves in steps of five minutes; the ladder itself is tested in
	// pkg/hooks/webhook.
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
		"": time.Minute, "120": 2 * time.Minute,
		now.Add(10 * time.Minute).Format(http.TimeFormat): 10 * time.Minute,
		now.Add(-time.Hour).Format(http.TimeFormat):       time.Minute, "-5": time.Minute,
		"315360000": 24 * time.Hour, "soon": time.Minute,
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
	log, err := logs.Activity(t.Context(), w.store.DB, logs.Query{Paging: db.Paging{Page: 1, PerPage: 5}})
	if err != nil || log.Items[0].Event != "webhook.paused" ||
		log.Items[0].Source != cms.SourceAdmin || log.Items[0].Actor != nil {
		t.Errorf("activity %+v, %v", log.Items, err)
	}
	if h, err = w.hooks.ToggleActive(t.Context(), tester, hook); err != nil || !h.IsActive ||
		h.PausedReason != nil {
		t.Errorf("resumed: %+v, %v", h, err)
	}
}

// mailbag keeps the notices of mails by their recipients.
type mailbag struct {
	mu   sync.Mutex
	sent map[string]cms.Notice
}

func (m *mailbag) Notify(_ *db.Tx, _ cms.Actor, to string, n cms.Notice) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent[to] = n
}

// TestPauseMail: the mail about a paused webhook goes to the present address of who saved it, in their language, if
// they are still admins.
func TestPauseMail(t *testing.T) {
	w := newWorld(t)
	mails := &mailbag{sent: map[string]cms.Notice{}}
	w.hooks.Mailer = mails
	tx := w.store.Begin()
	for id, u := range map[string]cms.User{
		"ada": {Email: "ada@new.example", Role: cms.RoleUserAdmin, Language: "de", IsActive: true},
		"off": {Email: "off@example.com", Role: cms.RoleUserAdmin, IsActive: true,
			MailChoice: cms.MailChoice{MailOff: []cms.MailKind{cms.MailWebhooks}}},
		"editor":      {Email: "editor@example.com", Role: cms.RoleEditor, IsActive: true},
		"deactivated": {Email: "deactivated@example.com", Role: cms.RoleUserAdmin},
		"deleted":     {},
	} {
		u.ID = id
		rights.Put(tx, u, rights.SignIn{})
	}
	must.Do(t, w.store.Commit(t.Context(), tx))
	save := func(id string) (hook string) {
		hook = w.subscribe(newReceiver(t, 410).URL, "*")
		_, err := w.hooks.Update(t.Context(), cms.Actor{Name: id + "@example.com", UserID: id}, hook,
			map[string]any{"name": id}, nil)
		must.Do(t, err)
		return hook
	}
	for _, id := range []string{"ada", "off", "editor", "deactivated", "deleted", "nobody"} {
		save(id)
	}
	former, err := w.store.Hooks.Webhook(t.Context(), save(""))
	must.Do(t, err)
	former.SavedBy = "former@example.com"
	tx = w.store.Begin()
	hooks.PutWebhook(tx, former)
	must.Do(t, w.store.Commit(t.Context(), tx))
	w.raise(cms.EventUserCreated, doc{"u"})
	w.clock.Advance(time.Second)
	w.dispatch()
	w.work()
	for to, language := range map[string]string{"ada@new.example": "de", "former@example.com": ""} {
		if n, ok := mails.sent[to]; !ok || n.Language != language {
			t.Errorf("to %s: %+v, want the language %q", to, n, language)
		}
	}
	if len(mails.sent) != 2 {
		t.Errorf("mails %v", mails.sent)
	}
}

func TestTerminalRefusal(t *testing.T) {
	w := newWorld(t)
	hook := w.subscribe("https://name.invalid/", "*")
	w.raise(cms.EventUserCreated, doc{"u"})
	w.dispatch()
	w.hooks.Client = webhook.NewClient(webhook.Policy{AllowInsecure: true,
		OwnHosts: []string{"name.invalid"}}, webhook.Options{})
	w.work()
	if d := w.expect(hook, cms.DeliveryFailed, 1); d.Attempts[0].ResponseCode != nil ||
		d.Attempts[0].Error == nil {
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
	w.raise(cms.EventMediaUploaded,
		map[string]string{"id": "m1", "alt": strings.Repeat("x", webhook.MaxBody)})
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
