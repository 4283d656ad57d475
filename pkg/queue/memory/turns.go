package memory

import (
	"math"
	"slices"
)

// freeHandlers returns how many more handlers a group may have now. The caller holds the lock.
func (q *Queue) freeHandlers(g *group) int {
	switch {
	case g.name == "" || q.perGroup == 0:
		return math.MaxInt
	case q.hanging[g.name]:
		return 1 - g.handlers
	}
	return q.perGroup - g.handlers
}

// list gives a group a turn, unless it has one or may not deliver now. The caller holds the lock.
func (q *Queue) list(g *group) {
	if g.listed || len(g.ready) == 0 || q.freeHandlers(g) <= 0 {
		return
	}
	g.listed = true
	q.turns = append(q.turns, g)
}

// nextGroup takes the first group that may deliver out of the turns, and returns it; nil if there is
// none. A group that began to hang while it waited may have no more handlers now. It is taken out
// too, and listed again when one of its handlers ends. The caller holds the lock.
func (q *Queue) nextGroup() *group {
	for len(q.turns) > 0 {
		g := q.turns[0]
		q.turns[0] = nil
		q.turns = q.turns[1:]
		g.listed = false
		if q.freeHandlers(g) > 0 {
			return g
		}
	}
	return nil
}

// takeBatch returns the next messages to deliver, nil if there are none. The caller holds the lock.
func (q *Queue) takeBatch() *batch {
	g := q.nextGroup()
	if g == nil {
		return nil
	}
	n := 1
	if free := q.freeHandlers(g); q.opts.Batch != nil && len(g.ready) > free {
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

// finishBatch ends a batch. Messages that failed are scheduled again, or dropped as dead. quick says
// that the handler was not slow.
func (q *Queue) finishBatch(b *batch, quick bool, failed []int) {
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
		it := b.items[i]
		if it.receives >= q.opts.MaxReceives {
			q.dead++
			continue
		}
		it.due = q.now().Add(q.backoff(it.receives))
		q.schedule(it)
	}
	q.signal()
}

// slowDown marks a running handler as slow and, if Options.Slow allows, lets another handler use
// its worker. So receivers that hang do not occupy all workers.
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
