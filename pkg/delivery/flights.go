package delivery

import (
	"context"
	"strconv"
	"time"

	"headless/pkg/purge/memory"
)

// flightTime is the timeout of computing an answer.
const flightTime = 25 * time.Second

// share computes an answer and stores it in the cache, or waits for a request that is computing it, so that a
// spike on a cold cache reads the table only once for each URL; led reports whether this call computed it. A
// request that comes after a purge does not share a computation that began before the purge.
func (h *Handler) share(ctx context.Context, name string,
	compute func(context.Context) *answer) (a *answer, led bool) {
	id := strconv.FormatInt(h.Cache.Generation(), 36) + " " + name
	v, _, _ := h.flights.Do(id, func() (any, error) {
		fill := h.Cache.Begin()
		defer fill.End()
		if e, ok := h.Cache.Get(name); ok { // stored after the caller read the cache
			return e.Value, nil
		}
		led = true
		// Other requests wait for the answer even if the client of this one goes away.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightTime)
		defer cancel()
		a := compute(ctx)
		if len(a.tags) > 0 {
			now := h.Cache.Now()
			fill.Put(name, memory.Entry{Value: a, Tags: a.tags, Bytes: a.bytes(), Stored: now, Expires: a.expiry(now)})
		}
		return a, nil
	})
	return v.(*answer), led
}
