package memory

import (
	"context"
	"fmt"
	"sync"
	"time"

	"headless/pkg/queue"
)

// Handler does the work of some messages of one group. It returns the positions of those that
// failed, which are delivered again later.
type Handler func(ctx context.Context, messages []queue.Message) (failed []int)

// Run delivers messages to h, at most workers at a time; groups take turns. When ctx is done it
// waits for the running handlers, cancels them after Options.Drain, and returns. Other messages
// stay in the queue. Only one Run may be active on a queue.
func (q *Queue) Run(ctx context.Context, workers int, h Handler) {
	workers = max(workers, 1)
	q.mu.Lock()
	if q.opts.PerGroup == 0 {
		q.perGroup = min(max(workers/4, 1), 5)
	}
	if q.maxSlow = q.opts.Slow; q.maxSlow == 0 {
		q.maxSlow = 2 * workers
	}
	q.mu.Unlock()

	hctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var wg sync.WaitGroup
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for ctx.Err() == nil {
		timer.Reset(q.deliver(hctx, &wg, workers, h))
		select {
		case <-ctx.Done():
		case <-q.wake:
		case <-timer.C:
		}
	}
	stop := time.AfterFunc(q.opts.Drain, cancel)
	defer stop.Stop()
	wg.Wait()
}

// deliver starts handlers for due messages while workers are free, and returns how long to wait
// until the next message is due.
func (q *Queue) deliver(ctx context.Context, wg *sync.WaitGroup, workers int, h Handler) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.promote()
	for q.handlers-q.slow < workers {
		b := q.takeBatch()
		if b == nil {
			break
		}
		wg.Go(func() { q.handle(ctx, b, h) })
	}
	if first, ok := q.delayed.Min(); ok {
		return max(first.due.Sub(q.now()), time.Millisecond)
	}
	return time.Hour
}

// handle runs h on a batch. A panic fails all its messages, so that a bad one does not end the
// server.
func (q *Queue) handle(ctx context.Context, b *batch, h Handler) {
	failed := make([]int, len(b.items))
	for i := range failed {
		failed[i] = i
	}
	start := time.Now()
	slow := time.AfterFunc(q.opts.SlowAfter, func() { q.slowDown(b) })
	defer func() {
		slow.Stop()
		if r := recover(); r != nil {
			q.opts.Logger.Error("queue handler failed", "group", b.group, "error", fmt.Sprintf("panic: %v", r))
		}
		q.finishBatch(b, time.Since(start) < q.opts.SlowAfter, failed)
	}()
	failed = h(ctx, b.messages())
}

// Wake makes Run read the clock again.
func (q *Queue) Wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.signal()
}

// Idle waits until no message is due and none is being handled. Delayed messages do not count. It
// returns the error of ctx if ctx ends first, for example because Run is not active.
func (q *Queue) Idle(ctx context.Context) error {
	for {
		q.mu.Lock()
		q.promote()
		if q.ready == 0 && q.inFlight == 0 {
			q.mu.Unlock()
			return nil
		}
		changed := make(chan struct{})
		q.idle = append(q.idle, changed)
		q.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Stats counts the messages of a queue.
type Stats struct {
	Ready    int       // due, waiting for a worker
	Delayed  int       // waiting for their time
	InFlight int       // being handled
	Dead     int       // dropped after Options.MaxReceives deliveries, since the start
	NextDue  time.Time // when the first delayed message is due; zero if there is none
}

// Stats returns the current numbers.
func (q *Queue) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.promote()
	s := Stats{Ready: q.ready, Delayed: q.delayed.Len(), InFlight: q.inFlight, Dead: q.dead}
	if first, ok := q.delayed.Min(); ok {
		s.NextDue = first.due
	}
	return s
}
