package delivery

import (
	"context"
	"strconv"
	"sync"
	"time"

	"headless/pkg/purge/memory"
)

// flights makes requests for the same answer wait for one, so that a spike on a cold cache reaches
// the table once for each address.
type flights struct {
	mu      *sync.Mutex
	running map[string]*flight
}

// flight is one answer that is being computed.
type flight struct {
	done   chan struct{}
	answer *answer
}

// flightTime bounds how long an answer may take, whoever still waits for it.
const flightTime = 25 * time.Second

func newFlights() flights { return flights{&sync.Mutex{}, map[string]*flight{}} }

// do computes an answer and stores it, or waits for whoever is computing it already; led reports
// the former. A request that comes after a purge does not wait for an answer that was begun before
// it.
func (f flights) do(ctx context.Context, cache *memory.Cache, name string,
	compute func(context.Context) *answer) (a *answer, led bool) {
	fill := cache.Begin()
	id := strconv.FormatInt(fill.Generation(), 36) + " " + name
	f.mu.Lock()
	if fl := f.running[id]; fl != nil {
		f.mu.Unlock()
		fill.End()
		<-fl.done
		return fl.answer, false
	}
	if e, ok := cache.Get(name); ok { // stored since the caller looked
		f.mu.Unlock()
		fill.End()
		return e.Value.(*answer), false
	}
	fl := &flight{done: make(chan struct{})}
	f.running[id] = fl
	f.mu.Unlock()
	defer fill.End()
	defer func() {
		f.mu.Lock()
		delete(f.running, id)
		f.mu.Unlock()
		close(fl.done)
	}()
	// Whoever leads may go away; the others still wait.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightTime)
	defer cancel()
	fl.answer = compute(ctx)
	if len(fl.answer.tags) > 0 {
		now := cache.Now()
		fill.Put(name, memory.Entry{Value: fl.answer, Tags: fl.answer.tags,
			Bytes: fl.answer.bytes(), Stored: now, Expires: fl.answer.expires})
	}
	return fl.answer, true
}
