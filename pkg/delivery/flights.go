package delivery

import (
	"context"
	"strconv"
	"sync"
	"time"

	"headless/pkg/purge/memory"
)

// flights lets concurrent requests for the same answer share one computation, so that a spike on a
// cold cache reads the table only once for each URL.
type flights struct {
	mu      *sync.Mutex
	running map[string]*flight
}

// flight is one answer that is being computed.
type flight struct {
	done   chan struct{}
	answer *answer
}

// flightTime is the timeout of computing an answer.
const flightTime = 25 * time.Second

func newFlights() flights { return flights{&sync.Mutex{}, map[string]*flight{}} }

// do computes an answer and stores it in the cache, or waits for a request that is computing it;
// led reports whether this call computed it. A request that comes after a purge does not share a
// computation that began before the purge.
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
	if e, ok := cache.Get(name); ok { // stored after the caller read the cache
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
	// Other requests wait for the answer even if the client of this one goes away.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightTime)
	defer cancel()
	fl.answer = compute(ctx)
	if len(fl.answer.tags) > 0 {
		now := cache.Now()
		fill.Put(name, memory.Entry{Value: fl.answer, Tags: fl.answer.tags,
			Bytes: fl.answer.bytes(), Stored: now, Expires: fl.answer.expiry(now)})
	}
	return fl.answer, true
}
