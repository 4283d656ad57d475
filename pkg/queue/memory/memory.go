// Package memory is the in-process adapter of the queue port: it keeps messages in memory and runs
// their handler.
//
// Nothing survives the process, which the port allows: whoever sends can find its pending work
// again in the table.
package memory

import (
	"container/heap"
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"headless/pkg/queue"
)

// ErrFull says that a queue holds as many messages as it may.
var ErrFull = errors.New("queue: full")

// Options tune a queue. The zero value of each field means its default.
type Options struct {
	Capacity int // messages held at a time, those being handled included; default 100,000
	// Messages of one group handled at a time; default a quarter of the workers, 1 to 5. Group ""
	// has no such limit.
	PerGroup int
	// How many messages of a group its handler gets at most; default 1 for every group. It gets
	// several only where more are ready than the group has handlers.
	Batch func(group string) int
	// Wait after a first failure, doubled after each further one up to a minute; default 1 s.
	Backoff time.Duration
	// Deliveries of one message before it counts as dead and is dropped; default 5.
	MaxReceives int
	// A handler that runs longer gives its worker to others, and its group gets one at a time;
	// default 500 ms.
	SlowAfter time.Duration
	Slow      int           // such handlers at a time, beside the workers; default twice the workers
	Drain     time.Duration // how long Run lets handlers finish once it is told to stop; default 10 s
	Logger    *slog.Logger  // told of failed handlers; default slog.Default()
}

const maxBackoff = time.Minute

// Queue is a queue.Queue in memory. All methods may be called at the same time.
type Queue struct {
	now  func() time.Time
	opts Options
	wake chan struct{} // tells Run that something changed

	mu       sync.Mutex
	delayed  delayed           // waits for its time
	groups   map[string]*group // those with messages ready or in flight
	turns    []*group          // groups that may deliver now, in the order of their turns
	perGroup int               // as Run resolved Options.PerGroup
	ready    int
	inFlight int             // messages that handlers have
	handlers int             // at work
	slow     int             // of them, those that gave their worker to others
	maxSlow  int             // as Run resolved Options.Slow
	hanging  map[string]bool // groups whose latest handler was slow
	dead     int
	epoch    int             // grows with each purge, so that what was in flight is not put back
	seq      uint64          // order of arrival, among messages due at the same time
	idle     []chan struct{} // waiters of Idle
}

// item is a message held by the queue.
type item struct {
	queue.Message
	due      time.Time
	seq      uint64
	receives int // deliveries so far
	epoch    int
}

// batch is what one handler gets: messages of one group.
type batch struct {
	group    string
	items    []*item
	finished bool // its handler has ended
	slow     bool // its handler has given its worker to others
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
	handlers int  // at work
	listed   bool // stands in turns
}

// New makes an empty queue that reads the time from now. Where now is not the system's clock, call
// Wake after moving it.
func New(now func() time.Time, opts Options) *Queue {
	setDefault(&opts.Capacity, 100_000)
	setDefault(&opts.Backoff, time.Second)
	setDefault(&opts.MaxReceives, 5)
	setDefault(&opts.Drain, 10*time.Second)
	setDefault(&opts.SlowAfter, 500*time.Millisecond)
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	return &Queue{now: now, opts: opts, wake: make(chan struct{}, 1), groups: map[string]*group{},
		hanging: map[string]bool{}, perGroup: opts.PerGroup}
}

func setDefault[T int | time.Duration](v *T, d T) {
	if *v == 0 {
		*v = d
	}
}

// Send implements queue.Queue. Messages that find no room fail with ErrFull.
func (q *Queue) Send(ctx context.Context, msgs ...queue.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var failed queue.SendError
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, m := range msgs {
		err := m.Check()
		if err == nil && len(q.delayed)+q.ready+q.inFlight >= q.opts.Capacity {
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
		q.schedule(&item{Message: m, due: q.now().Add(m.Delay), epoch: q.epoch})
	}
	q.signal()
	if failed.Err != nil {
		return &failed
	}
	return nil
}

// schedule puts an item where it waits for its time. It needs the lock.
func (q *Queue) schedule(it *item) {
	q.seq++
	it.seq = q.seq
	heap.Push(&q.delayed, it)
}

// promote moves what is due to its group and tells Run if there was any. It needs the lock.
func (q *Queue) promote() {
	now := q.now()
	for len(q.delayed) > 0 && !q.delayed[0].due.After(now) {
		it := heap.Pop(&q.delayed).(*item)
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

// free is how many more handlers a group may have now; it needs the lock.
func (q *Queue) free(g *group) int {
	switch {
	case g.name == "" || q.perGroup == 0:
		return math.MaxInt
	case q.hanging[g.name]:
		return 1 - g.handlers
	}
	return q.perGroup - g.handlers
}

// list gives a group a turn, unless it has one or may not deliver now. It needs the lock.
func (q *Queue) list(g *group) {
	if g.listed || len(g.ready) == 0 || q.free(g) <= 0 {
		return
	}
	g.listed = true
	q.turns = append(q.turns, g)
}

// take gives the next messages to deliver, nil when there are none. It needs the lock.
func (q *Queue) take() *batch {
	if len(q.turns) == 0 {
		return nil
	}
	g := q.turns[0]
	q.turns[0] = nil
	q.turns = q.turns[1:]
	g.listed = false
	n := 1
	if free := q.free(g); q.opts.Batch != nil && len(g.ready) > free {
		n = min(max(1, q.opts.Batch(g.name)), (len(g.ready)+free-1)/free)
	}
	b := &batch{group: g.name, items: slices.Clone(g.ready[:n])}
	clear(g.ready[:n])
	g.ready = g.ready[n:]
	for _, it := range b.items {
		it.receives++
	}
	q.ready -= n
	q.inFlight += n
	q.handlers++
	g.handlers++
	q.list(g)
	return b
}

// finish settles a batch: messages that failed come back later, or are given up.
func (q *Queue) finish(b *batch, quick bool, failed []int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	g := q.groups[b.group]
	b.finished = true
	q.inFlight -= len(b.items)
	q.handlers--
	g.handlers--
	if b.slow {
		q.slow--
	} else if !quick {
		q.hang(b.group)
	} else {
		delete(q.hanging, b.group)
	}
	q.list(g)
	if len(g.ready) == 0 && g.handlers == 0 {
		delete(q.groups, b.group)
	}
	for _, i := range failed {
		switch it := b.items[i]; {
		case it.epoch != q.epoch:
		case it.receives >= q.opts.MaxReceives:
			q.dead++
		default:
			it.due = q.now().Add(q.backoff(it.receives))
			q.schedule(it)
		}
	}
	q.signal()
}

// slowDown lets another handler have the worker of one that runs for long, so that receivers that
// hang take no more than their share.
func (q *Queue) slowDown(b *batch) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if b.finished {
		return
	}
	q.hang(b.group)
	if q.slow < q.maxSlow {
		b.slow = true
		q.slow++
		q.nudge()
	}
}

// maxHanging bounds what is remembered of groups.
const maxHanging = 10_000

// hang remembers a group as slow until one of its handlers is quick again. It needs the lock.
func (q *Queue) hang(group string) {
	if len(q.hanging) >= maxHanging {
		q.hanging = map[string]bool{}
	}
	if group != "" {
		q.hanging[group] = true
	}
}

// backoff is the wait after the given number of failures.
func (q *Queue) backoff(failures int) time.Duration {
	d := q.opts.Backoff
	for ; failures > 1 && d < maxBackoff; failures-- {
		d *= 2
	}
	return min(d, max(maxBackoff, q.opts.Backoff))
}

// signal wakes Run and the waiters of Idle. It needs the lock.
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
	default: // Run has not read the last one yet
	}
}

// delayed is a heap of items by their time.
type delayed []*item

func (d delayed) Len() int { return len(d) }

func (d delayed) Less(i, j int) bool {
	if !d[i].due.Equal(d[j].due) {
		return d[i].due.Before(d[j].due)
	}
	return d[i].seq < d[j].seq
}

func (d delayed) Swap(i, j int) { d[i], d[j] = d[j], d[i] }

func (d *delayed) Push(x any) { *d = append(*d, x.(*item)) }

func (d *delayed) Pop() any {
	last := len(*d) - 1
	it := (*d)[last]
	(*d)[last] = nil
	*d = (*d)[:last]
	return it
}
