package memory_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"headless/pkg/cms/cmstest"
	"headless/pkg/must"
	"headless/pkg/queue"
	"headless/pkg/queue/memory"
	"headless/pkg/queue/queuetest"
)

func newClock() *cmstest.Clock { return cmstest.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)) }

func quiet(o memory.Options) memory.Options {
	o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	return o
}

func TestConformance(t *testing.T) {
	queuetest.Run(t, func(*testing.T) queuetest.Harness {
		c := newClock()
		q := memory.New(c.Now, quiet(memory.Options{}))
		return queuetest.Harness{
			Queue: q,
			Consume: func(ctx context.Context,
				h func(context.Context, queue.Message) error) {
				q.Run(ctx, 4, single(h))
			},
			Now:     c.Now,
			Advance: func(d time.Duration) { c.Advance(d); q.Wake() },
		}
	})
}

// single is the handler of a queue whose batches have one message.
func single(h func(context.Context, queue.Message) error) memory.Handler {
	return func(ctx context.Context, messages []queue.Message) []int {
		if h(ctx, messages[0]) != nil {
			return []int{0}
		}
		return nil
	}
}

// start runs h until the test ends.
func start(t *testing.T, q *memory.Queue, workers int, h func(context.Context, queue.Message) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); q.Run(ctx, workers, single(h)) }()
	t.Cleanup(func() { cancel(); <-done })
}

func send(t *testing.T, q *memory.Queue, group string, n int, delay time.Duration) {
	t.Helper()
	for i := range n {
		must.Do(t, q.Send(context.Background(), queue.Message{Body: []byte(fmt.Sprint(i)), Group: group,
			Delay: delay}))
	}
}

func idle(t *testing.T, q *memory.Queue) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := q.Idle(ctx); err != nil {
		t.Fatalf("not idle: %v, %+v", err, q.Stats())
	}
}

func TestSlowGroupDoesNotHoldUpOthers(t *testing.T) {
	q := memory.New(time.Now, memory.Options{PerGroup: 2, SlowAfter: time.Hour})
	release, began := make(chan struct{}), make(chan struct{}, 100)
	var slow, peak atomic.Int32
	var others sync.WaitGroup
	others.Add(30)
	send(t, q, "slow", 100, 0)
	for i := range 3 {
		send(t, q, fmt.Sprintf("quick-%d", i), 10, 0)
	}
	start(t, q, 4, func(_ context.Context, m queue.Message) error {
		if m.Group != "slow" {
			others.Done()
			return nil
		}
		now := slow.Add(1)
		for p := peak.Load(); now > p && !peak.CompareAndSwap(p, now); p = peak.Load() {
		}
		defer slow.Add(-1)
		began <- struct{}{}
		<-release
		return nil
	})
	others.Wait() // while the slow ones still stand
	<-began
	<-began
	close(release)
	idle(t, q)
	if p := peak.Load(); p != 2 {
		t.Errorf("%d of the slow group at a time, want 2", p)
	}
}

func TestGroupsTakeTurns(t *testing.T) {
	q := memory.New(time.Now, memory.Options{})
	for _, g := range []string{"a", "b", "c"} {
		send(t, q, g, 3, 0)
	}
	var order string
	start(t, q, 1, func(_ context.Context, m queue.Message) error { order += m.Group; return nil })
	idle(t, q)
	if order != "abcabcabc" {
		t.Errorf("order %q", order)
	}
}

func TestPoisonMessageIsGivenUp(t *testing.T) {
	c := newClock()
	q := memory.New(c.Now, quiet(memory.Options{MaxReceives: 3, Backoff: time.Second}))
	var tries []time.Time
	start(t, q, 1, func(_ context.Context, m queue.Message) error {
		tries = append(tries, c.Now())
		if len(tries) == 2 {
			panic("bad message")
		}
		return errors.New("no")
	})
	first := c.Now()
	send(t, q, "g", 1, 0)
	for range 5 {
		idle(t, q)
		if due := q.Stats().NextDue; !due.IsZero() {
			c.Advance(due.Sub(c.Now()))
		}
	}
	var waits []time.Duration
	for _, at := range tries {
		waits = append(waits, at.Sub(first))
	}
	if fmt.Sprint(waits) != "[0s 1s 3s]" {
		t.Errorf("delivered after %v", waits)
	}
	if s := q.Stats(); s != (memory.Stats{Dead: 1}) {
		t.Errorf("stats %+v", s)
	}
}

func TestCapacity(t *testing.T) {
	q := memory.New(time.Now, memory.Options{Capacity: 2})
	m := queue.Message{Body: []byte("x")}
	err := q.Send(context.Background(), m, m, m)
	if failed, ok := errors.AsType[*queue.SendError](err); !ok || fmt.Sprint(failed.Failed) != "[2]" ||
		!errors.Is(err, memory.ErrFull) {
		t.Fatalf("Send: %v", err)
	}
	start(t, q, 1, func(context.Context, queue.Message) error { return nil })
	idle(t, q)
	send(t, q, "", 1, 0) // there is room again
	idle(t, q)
}

func TestLongDelayIsCut(t *testing.T) {
	c := newClock()
	q := memory.New(c.Now, memory.Options{})
	send(t, q, "", 1, 24*time.Hour)
	if due := q.Stats().NextDue; due.Sub(c.Now()) != queue.MaxDelay {
		t.Errorf("due after %v", due.Sub(c.Now()))
	}
}

func TestShutdownDrains(t *testing.T) {
	for name, tc := range map[string]struct {
		drain    time.Duration
		finishes bool // the handler, before its context ends
	}{
		"a handler that finishes": {time.Minute, true},
		"a handler that hangs":    {time.Millisecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			q := memory.New(time.Now, quiet(memory.Options{Drain: tc.drain}))
			ctx, cancel := context.WithCancel(context.Background())
			var handled atomic.Int32
			send(t, q, "", 2, 0)
			q.Run(ctx, 1, single(func(hctx context.Context, _ queue.Message) error {
				cancel()
				if hctx.Err() != nil {
					t.Error("the handler's context ended with that of Run")
				}
				if !tc.finishes {
					<-hctx.Done()
				}
				handled.Add(1)
				return hctx.Err()
			}))
			if handled.Load() != 1 {
				t.Errorf("%d handled, want 1", handled.Load())
			}
		})
	}
}

func TestManySendersLoseNothing(t *testing.T) {
	q := memory.New(time.Now, memory.Options{})
	const senders, each = 8, 500
	var handled atomic.Int32
	start(t, q, 16, func(context.Context, queue.Message) error { handled.Add(1); return nil })
	var wg sync.WaitGroup
	for i := range senders {
		wg.Go(func() { send(t, q, fmt.Sprint(i), each, 0) })
	}
	wg.Wait()
	idle(t, q)
	if handled.Load() != senders*each {
		t.Errorf("%d handled", handled.Load())
	}
}

// TestBatches: a handler gets several messages of its group where more are ready than the group has
// handlers, and only those that failed come again.
func TestBatches(t *testing.T) {
	c := newClock()
	q := memory.New(c.Now, quiet(memory.Options{PerGroup: 2,
		Batch: func(group string) int { return map[string]int{"quick": 4}[group] }}))
	send(t, q, "quick", 10, 0)
	send(t, q, "slow", 3, 0)
	var mu sync.Mutex
	got := map[string][]int{}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		q.Run(ctx, 1, func(_ context.Context, messages []queue.Message) []int {
			mu.Lock()
			defer mu.Unlock()
			group := messages[0].Group
			got[group] = append(got[group], len(messages))
			if group == "quick" && len(got[group]) == 1 {
				return []int{1}
			}
			return nil
		})
	}()
	must.Do(t, q.Idle(t.Context()))
	c.Advance(time.Minute)
	q.Wake()
	must.Do(t, q.Idle(t.Context()))
	cancel()
	<-done
	if want := "map[quick:[4 3 2 1 1] slow:[1 1 1]]"; fmt.Sprint(got) != want {
		t.Errorf("batches %v, want %s", got, want)
	}
}
