package jobs_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/hooks"
	"headless/pkg/hooks/webhook"
	"headless/pkg/jobs"
	"headless/pkg/must"
	"headless/pkg/queue"
	"headless/pkg/rooms"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// fakeQueue holds messages until the test hands them to a worker.
type fakeQueue struct {
	now  func() time.Time
	fail error // of Send

	mu   sync.Mutex
	held []heldMessage
}

type heldMessage struct {
	queue.Message
	due time.Time
}

func (q *fakeQueue) Send(_ context.Context, msgs ...queue.Message) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fail != nil {
		return q.fail
	}
	for _, m := range msgs {
		if err := m.Check(); err != nil {
			return err
		}
		q.held = append(q.held, heldMessage{m, q.now().Add(min(m.Delay, queue.MaxDelay))})
	}
	return nil
}

// take removes the messages that are due.
func (q *fakeQueue) take() (due []queue.Message) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.now()
	q.held = slices.DeleteFunc(q.held, func(h heldMessage) bool {
		if h.due.After(now) {
			return false
		}
		due = append(due, h.Message)
		return true
	})
	return due
}

func (q *fakeQueue) purge() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.held = nil
}

func (q *fakeQueue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.held)
}

// world is the whole way from events to receivers, under the control of a test.
type world struct {
	t     *testing.T
	clock *cmstest.Clock
	table table.Table // without faults
	queue *fakeQueue
	store *rooms.Stores
	hooks hooks.Webhooks

	dispatcher jobs.Dispatcher
	deliverer  jobs.Deliverer
	sweeper    jobs.Sweeper
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func middle() float64 { return 0.5 }

func newWorld(t *testing.T) *world {
	t.Helper()
	c := cmstest.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(), bolt.WithClock(c.Now))
	must.Do(t, err)
	t.Cleanup(func() {
		if err := tb.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &world{t: t, clock: c, table: tb, queue: &fakeQueue{now: c.Now}}
	w.start(tb, w.queue, webhook.DefaultSchedule())
	return w
}

// start wires the jobs as a process does that starts.
func (w *world) start(tb table.Table, q queue.Queue, schedule webhook.Schedule) {
	w.store = rooms.New(tb, w.clock.Now)
	d := &hooks.Deliveries{
		Store: w.store.Hooks, Queue: q, Schedule: schedule, Rand: middle, Log: quiet,
		Client: webhook.NewClient(webhook.Policy{AllowInsecure: true},
			webhook.Options{Timeout: 5 * time.Second}),
	}
	w.hooks = hooks.Webhooks{Deliveries: d}
	w.dispatcher = jobs.Dispatcher{Deliveries: d}
	w.deliverer = jobs.Deliverer{Deliveries: d}
	w.sweeper = jobs.Sweeper{Dispatcher: w.dispatcher}
}

var tester = cms.Actor{Name: "test@example.com", Source: cms.SourceAdmin}

// subscribe makes a subscription and gives its id.
func (w *world) subscribe(url string, events ...string) string {
	w.t.Helper()
	list := []any{}
	for _, e := range events {
		list = append(list, e)
	}
	hook, err := w.hooks.Create(w.t.Context(), tester, map[string]any{"name": "hook", "url": url,
		"events": list, "secret": testSecret})
	must.Do(w.t, err)
	return hook.ID
}

const testSecret = "a secret of a receiver in a test"

// raise commits an event.
func (w *world) raise(kind string, data any) cms.Event {
	w.t.Helper()
	tx := w.store.Begin()
	tx.Event(cms.Actor{}, kind, "posts", data)
	must.Do(w.t, w.store.Commit(w.t.Context(), tx))
	return tx.Events()[0]
}

// dispatch hands over the rows of the outbox, as the stream does.
func (w *world) dispatch() {
	w.t.Helper()
	must.Do(w.t, w.dispatcher.Drain(w.t.Context()))
}

// work handles the messages that are due, and those that come of it.
func (w *world) work() {
	w.t.Helper()
	for due := w.queue.take(); len(due) > 0; due = w.queue.take() {
		if failed := w.deliverer.Handle(w.t.Context(), due); len(failed) > 0 {
			w.t.Fatalf("messages failed: %v", failed)
		}
	}
}

func (w *world) sweep() jobs.Report {
	w.t.Helper()
	r, err := w.sweeper.Run(w.t.Context())
	must.Do(w.t, err)
	return r
}

// run lets time pass in steps, as long as the sweeper's interval at most.
func (w *world) run(d, step time.Duration) {
	w.t.Helper()
	for end := w.clock.Now().Add(d); w.clock.Now().Before(end); {
		w.clock.Advance(step)
		w.sweep()
		w.work()
	}
}

// poll waits until a condition holds, or for a minute, whereupon the test sees for itself what
// is wrong.
func (w *world) poll(holds func() bool) {
	for deadline := time.Now().Add(time.Minute); !holds() && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
}

// log gives the deliveries of a subscription, newest first.
func (w *world) log(id string) []cms.Delivery {
	w.t.Helper()
	d, _, err := w.hooks.Detail(w.t.Context(), id, "")
	must.Do(w.t, err)
	return d.Deliveries
}

// only gives the one delivery of a subscription.
func (w *world) only(id string) cms.Delivery {
	w.t.Helper()
	log := w.log(id)
	if len(log) != 1 {
		w.t.Fatalf("%d deliveries, want 1", len(log))
	}
	return log[0]
}

// expect checks the state of the one delivery and its number of attempts.
func (w *world) expect(id string, status cms.DeliveryStatus, attempts int) cms.Delivery {
	w.t.Helper()
	d := w.only(id)
	if d.Status != status || len(d.Attempts) != attempts {
		w.t.Fatalf("%s after %d attempts, want %s after %d", d.Status, len(d.Attempts), status, attempts)
	}
	return d
}

// request is what a receiver got.
type request struct {
	Header http.Header
	Body   string
}

func (r request) id() string { return r.Header.Get("X-Service-Delivery") }

func (r request) attempt() string { return r.Header.Get("X-Service-Attempt") }

// receiver answers with the given codes in turn, then 200. A negative code closes the connection
// without an answer.
type receiver struct {
	URL string

	mu      sync.Mutex
	codes   []int
	headers map[string]string // of each answer
	got     []request
	during  func(n int) // called with the number of each request while it runs
}

func newReceiver(t *testing.T, codes ...int) *receiver {
	r := &receiver{codes: codes}
	srv := httptest.NewServer(http.HandlerFunc(r.serve))
	t.Cleanup(srv.Close)
	r.URL = srv.URL + "/hook"
	return r
}

func (r *receiver) serve(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.mu.Lock()
	r.got = append(r.got, request{req.Header.Clone(), string(body)})
	n, code := len(r.got), http.StatusOK
	if n <= len(r.codes) {
		code = r.codes[n-1]
	}
	for name, value := range r.headers {
		w.Header().Set(name, value)
	}
	during := r.during
	r.mu.Unlock()
	if during != nil {
		during(n)
	}
	if code < 0 {
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(code)
	fmt.Fprintf(w, "answer %d", code)
}

func (r *receiver) requests() []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

func (r *receiver) expect(t *testing.T, n int) []request {
	t.Helper()
	got := r.requests()
	if len(got) != n {
		t.Fatalf("%d requests, want %d", len(got), n)
	}
	return got
}
