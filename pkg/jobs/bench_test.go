package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/hooks"
	"headless/pkg/hooks/webhook"
	"headless/pkg/jobs"
	"headless/pkg/must"
	"headless/pkg/queue/memory"
	"headless/pkg/rooms"
	"headless/pkg/table/bolt"
)

// live is the way from events to receivers as the embedded server runs it, on the real clock.
type live struct {
	store *rooms.Stores
	hooks hooks.Webhooks
}

const liveWorkers = 64

func newLive(b *testing.B) live {
	b.Helper()
	tb, err := bolt.Open(filepath.Join(b.TempDir(), "table.db"))
	must.Do(b, err)
	st := rooms.New(tb, time.Now)
	var d *hooks.Deliveries
	q := memory.New(time.Now, memory.Options{Logger: quiet, Drain: time.Millisecond,
		Batch: func(webhook string) int { return d.Batch(webhook) }})
	d = &hooks.Deliveries{
		Store: st.Hooks, Queue: q, Schedule: webhook.DefaultSchedule(), Rand: rand.Float64, Log: quiet,
		Client: webhook.NewClient(webhook.Policy{AllowInsecure: true}, webhook.Options{}),
	}
	events := make(chan struct{}, 1)
	st.OnEvents(func() {
		select {
		case events <- struct{}{}:
		default:
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { q.Run(ctx, liveWorkers, jobs.Deliverer{Deliveries: d}.Handle) })
	running.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-events:
				if err := (jobs.Dispatcher{Deliveries: d}).Drain(ctx); err != nil && ctx.Err() == nil {
					b.Error(err)
				}
			}
		}
	})
	b.Cleanup(func() {
		cancel()
		running.Wait()
		if err := tb.Close(); err != nil {
			b.Error(err)
		}
	})
	return live{st, hooks.Webhooks{Deliveries: d}}
}

func (l live) subscribe(b *testing.B, url string) {
	b.Helper()
	body := map[string]any{"url": url, "events": []any{"*"}}
	if _, err := l.hooks.Create(context.Background(), tester, body); err != nil {
		b.Fatal(err)
	}
}

func (l live) raise(data any) error {
	tx := l.store.Begin()
	tx.Event(cms.Actor{}, cms.EventUserCreated, "", data)
	return l.store.Commit(context.Background(), tx)
}

// arrivals is a receiver that notes when each event arrived that says when it was raised.
type arrivals struct {
	mu     sync.Mutex
	seen   map[string]bool
	delays []time.Duration
}

type stamped struct {
	ID int       `json:"id"`
	At time.Time `json:"at"`
}

func (a *arrivals) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var body struct{ Data stamped }
	err := json.NewDecoder(r.Body).Decode(&body)
	a.mu.Lock()
	defer a.mu.Unlock()
	if id := r.Header.Get("X-Service-Delivery"); err == nil && !a.seen[id] {
		a.seen[id] = true
		a.delays = append(a.delays, time.Since(body.Data.At))
	}
}

func (a *arrivals) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.delays)
}

func (a *arrivals) wait(b *testing.B, n int) {
	b.Helper()
	for deadline := time.Now().Add(10 * time.Minute); a.count() < n; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.Fatalf("%d of %d deliveries arrived", a.count(), n)
		}
	}
}

func (a *arrivals) quantile(q float64) time.Duration {
	slices.Sort(a.delays)
	return a.delays[int(q*float64(len(a.delays)-1))]
}

// BenchmarkDrain shows how fast 10,000 events to 3 subscribers drain, and that none is lost: go
// test -bench Drain -benchtime 1x ./pkg/jobs
func BenchmarkDrain(b *testing.B) {
	const events, subscribers = 10_000, 3
	for b.Loop() {
		l := newLive(b)
		a := &arrivals{seen: map[string]bool{}}
		srv := httptest.NewServer(a)
		for i := range subscribers {
			l.subscribe(b, fmt.Sprintf("%s/%d", srv.URL, i))
		}
		start := time.Now()
		var g errgroup.Group
		g.SetLimit(16)
		for i := range events {
			g.Go(func() error { return l.raise(stamped{i, time.Now()}) })
		}
		must.Do(b, g.Wait())
		raised := time.Since(start)
		a.wait(b, events*subscribers)
		took := time.Since(start)
		b.ReportMetric(events/raised.Seconds(), "events/s")
		b.ReportMetric(events*subscribers/took.Seconds(), "deliveries/s")
		srv.Close()
	}
}

// BenchmarkIsolation shows what one bad receiver among 50 does to the delay of the other 49: go
// test -bench Isolation -benchtime 1x ./pkg/jobs
func BenchmarkIsolation(b *testing.B) {
	bad := map[string]http.HandlerFunc{
		"all good": nil,
		"one dead": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"one slow": func(_ http.ResponseWriter, r *http.Request) {
			// The body is read, so that the server notices when the client gives up.
			if _, err := io.Copy(io.Discard, r.Body); err == nil {
				<-r.Context().Done()
			}
		},
		"one flooding": func(w http.ResponseWriter, _ *http.Request) {
			chunk := make([]byte, 1<<20)
			for range 1 << 10 {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		},
	}
	for _, name := range []string{"all good", "one dead", "one slow", "one flooding"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				isolation(b, bad[name])
			}
		})
	}
}

func isolation(b *testing.B, bad http.HandlerFunc) {
	const receivers, events, pause = 50, 150, 250 * time.Millisecond
	l := newLive(b)
	a := &arrivals{seen: map[string]bool{}}
	srv := httptest.NewServer(a)
	defer srv.Close()
	good := receivers
	if bad != nil {
		badSrv := httptest.NewServer(bad)
		defer badSrv.Close()
		defer badSrv.CloseClientConnections()
		l.subscribe(b, badSrv.URL)
		good--
	}
	for i := range good {
		l.subscribe(b, fmt.Sprintf("%s/%d", srv.URL, i))
	}
	for i := range events {
		must.Do(b, l.raise(stamped{i, time.Now()}))
		time.Sleep(pause)
	}
	a.wait(b, events*good)
	b.ReportMetric(float64(a.quantile(0.5).Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(a.quantile(0.99).Microseconds())/1000, "p99-ms")
}
