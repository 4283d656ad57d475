package pipeline

import (
	"sync"
	"time"

	"headless/pkg/apikeys"
)

// A refusal must cost less than an answer. So requests that this process knows will be refused skip
// most steps.
const (
	// Lines of the request log for refused requests of a key; lookups of keys with a wrong secret.
	refusedPerMinute = 20
	wrongEvery       = time.Second
	maxGates         = 1000 // keys whose refusals a process remembers
)

// refuseEarly refuses a request that cannot pass according to the cached key; it returns nil if the
// request may pass. It still allows some reads, which find out if the key was changed by another
// process.
func (a *API) refuseEarly(c *Call) error {
	key := a.keys.CachedKey(c.R.Header.Get("X-API-Key"))
	if key == nil {
		return nil
	}
	wrong := !a.valid(key, c.R.Header.Get("X-API-Secret"))
	switch {
	case wrong && a.lookups.allow(key.ID, a.keys.Now().Time):
		return nil
	case wrong:
	case a.keys.Allowance(key.ID, key.RateLimit) != apikeys.AllowanceSpent:
		return nil
	default:
		if same, err := a.keys.Unchanged(c.Context(), key); err != nil || !same {
			return nil
		}
	}
	c.Key = key
	if err := c.checkOrigin(); err != nil {
		return err
	}
	if wrong {
		return errUnauthorized
	}
	return a.limitError(c, key.RateLimit, key.RateLimit, false)
}

// gates limit events by key: a burst first, then one event per interval.
type gates struct {
	every time.Duration
	mu    sync.Mutex
	full  map[string]time.Time // when the full burst is available again, by key
}

// allow counts an event of a key and reports whether it is allowed.
func (g *gates) allow(key string, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.full == nil || len(g.full) >= maxGates && g.full[key].IsZero() {
		g.full = map[string]time.Time{}
	}
	full := g.full[key]
	if full.Before(now) {
		full = now
	}
	full = full.Add(g.every)
	if full.Sub(now) > refusedPerMinute*g.every {
		return false
	}
	g.full[key] = full
	return true
}
