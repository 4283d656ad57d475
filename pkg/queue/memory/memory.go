// Package memory is the in-process adapter of the queue port: it keeps messages in memory and runs
// their handler.
//
// Messages are lost when the process ends, which the port allows: senders find their pending work
// again in the table.
package memory

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/tidwall/btree"

	"headless/pkg/queue"
)

// ErrFull says that the queue holds Options.Capacity messages.
var ErrFull = errors.New("queue: full")

// Options tune a queue. The zero value of each field means its default.
type Options struct {
	Capacity int // maximum number of messages, with those being handled; default 100,000
	// Messages of one group handled at a time; default a quarter of the workers, but 1 to 5. Group
	// "" has no limit.
	PerGroup int
	// Maximum number of messages of a group for one handler; default 1 for every group. A handler
	// gets several only if more are ready than the group may have handlers.
	Batch func(group string) int
	// Wait after the first failure of a message, doubled after each further failure up to a minute;
	// default 1 s.
	Backoff time.Duration
	// Deliveries of one message before it is dropped as dead; default 5.
	MaxReceives int
	// A handler that runs longer is slow: it no longer counts as a worker, and its group gets one
	// handler at a time; default 500 ms.
	SlowAfter time.Duration
	Slow      int           // slow handlers at a time, in addition to the workers; default twice the workers
	Drain     time.Duration // how long Run waits for handlers before it cancels them; default 10 s
	Logger    *slog.Logger  // logs failed handlers; default slog.Default()
}

const maxBackoff = time.Minute

// Queue is a queue.Queue in memory. It is safe for concurrent use.
type Queue struct {
	now  func() time.Time
	opts Options
	wake chan struct{} // tells Run that something changed

	mu       sync.Mutex
	delayed  *btree.BTreeG[*item] // messages that are not due yet, by their time
	groups   map[string]*group    // groups with messages ready or in flight
	turns    []*group             // groups that may deliver now, in the order of their turns
	perGroup int                  // Options.PerGroup or its default
	ready    int
	inFlight int             // messages being handled
	handlers int             // running handlers
	slow     int             // running handlers that are slow and not counted as workers
	maxSlow  int             // Options.Slow or its default
	hanging  map[string]bool // groups whose latest handler was slow
	dead     int
	seq      uint64          // order of arrival, among messages due at the same time
	idle     []chan struct{} // waiters of Idle
}

// item is a message in the queue.
type item struct {
	queue.Message
	due      time.Time
	seq      uint64
	receives int // deliveries so far
}

// batch is the messages of one group that a handler gets.
type batch struct {
	group    string
	items    []*item
	finished bool // its handler has ended
	slow     bool // its handler is slow and not counted as a worker
}

func (b *batch) messages() []queue.Message {
	all := make([]queue.Message, len(b.items))
	for i, it := range b.items {
		all[i] = it.Message
	}
	return all
}

// group holds the messages of one group that are due.
type group struct {
	name     string
	ready    []*item
	handlers int  // running
	listed   bool // is in turns
}

// New returns an empty queue with the clock now. If that is not the system's clock, call Wake after
// changing it.
func New(now func() time.Time, opts Options) *Queue {
	setDefault(&opts.Capacity, 100_000)
	setDefault(&opts.Backoff, time.Second)
	setDefault(&opts.MaxReceives, 5)
	setDefault(&opts.Drain, 10*time.Second)
	setDefault(&opts.SlowAfter, 500*time.Millisecond)
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	earlier := func(a, b *item) bool { return cmp.Or(a.due.Compare(b.due), cmp.Compare(a.seq, b.seq)) < 0 }
	return &Queue{now: now, opts: opts, wake: make(chan struct{}, 1), groups: map[string]*group{},
		delayed: btree.NewBTreeGOptions(earlier, btree.Options{NoLocks: true}),
		hanging: map[string]bool{}, perGroup: opts.PerGroup}
}

func setDefault[T int | time.Duration](v *T, d T) {
	if *v == 0 {
		*v = d
	}
}

// Send implements queue.Queue. Messages beyond Options.Capacity fail with ErrFull.
func (q *Queue) Send(ctx context.Context, msgs ...queue.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var failed queue.SendError
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, m := range msgs {
		err := m.Check()
		if err == nil && q.delayed.Len()+q.ready+q.inFlight >= q.opts.Capacity {
			err = ErrFull
		}
		if err != nil {
			if failed.Err == nil {
				failed.Err = err
			}
			failed.Failed = append(failed.Failed, i)
			continue
		}
		m.Body = append([]byte(nil), m.Body...)
		m.Delay = min(m.Delay, queue.MaxDelay)
		q.schedule(&item{Message: m, due: q.now().Add(m.Delay)})
	}
	q.signal()
	if failed.Err != nil {
		return &failed
	}
	return nil
}

// schedule adds an item to the delayed messages. The caller holds the lock.
func (q *Queue) schedule(it *item) {
	q.seq++
	it.seq = q.seq
	q.delayed.Set(it)
}

// promote moves due messages to their groups, and wakes Run if there were any. The caller holds the
// lock.
func (q *Queue) promote() {
	now := q.now()
	for it, ok := q.delayed.Min(); ok && !it.due.After(now); it, ok = q.delayed.Min() {
		q.delayed.Delete(it)
		g := q.groups[it.Group]
		if g == nil {
			g = &group{name: it.Group}
			q.groups[it.Group] = g
		}
		g.ready = append(g.ready, it)
		q.ready++
		q.list(g)
		q.nudge()
	}
}

// maxHanging is the maximum number of groups in Queue.hanging.
const maxHanging = 10_000

// hang marks a group as slow until one of its handlers is quick again. The caller holds the lock.
func (q *Queue) hang(group string) {
	if len(q.hanging) >= maxHanging {
		q.hanging = map[string]bool{}
	}
	if group != "" {
		q.hanging[group] = true
	}
}

// backoff returns the wait after the given number of failures.
func (q *Queue) backoff(failures int) time.Duration {
	d := q.opts.Backoff
	for ; failures > 1 && d < maxBackoff; failures-- {
		d *= 2
	}
	return min(d, max(maxBackoff, q.opts.Backoff))
}

// signal wakes Run and the waiters of Idle. The caller holds the lock.
func (q *Queue) signal() {
	q.nudge()
	for _, c := range q.idle {
		close(c)
	}
	q.idle = nil
}

// nudge wakes Run.
func (q *Queue) nudge() {
	select {
	case q.wake <- struct{}{}:
	default: // Run has not received the previous signal yet
	}
}
