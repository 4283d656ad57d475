package viewcount

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	// storeEvery is how often views are stored, so that they are listed within a minute.
	storeEvery = 10 * time.Second
	// maxWaiting is the maximum number of different views that wait to be stored; others do not
	// count.
	maxWaiting = 100_000
)

// Counter counts views in memory, where no log of a CDN has them. A crash loses those that wait to
// be stored. It is safe for concurrent use.
type Counter struct {
	Store
	Log *slog.Logger

	mu      sync.Mutex
	waiting map[View]int
}

// Seen counts a view of an entry for a publishable key. It does not wait.
func (c *Counter) Seen(key, entry string) {
	v := View{key, entry, dayOf(c.Entries.Now().Time)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		c.waiting = map[View]int{}
	}
	if c.waiting[v] > 0 || len(c.waiting) < maxWaiting {
		c.waiting[v]++
	}
}

// Run stores the counted views until ctx ends, and then the rest.
func (c *Counter) Run(ctx context.Context) {
	tick := time.NewTicker(storeEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
		c.storeViews(context.WithoutCancel(ctx))
	}
}

// storeViews stores the counted views. After an error, these are lost: to add them again might
// count some of them twice.
func (c *Counter) storeViews(ctx context.Context) {
	c.mu.Lock()
	views := c.waiting
	c.waiting = nil
	c.mu.Unlock()
	if len(views) == 0 {
		return
	}
	if err := c.Add(ctx, "", views); err != nil {
		c.Log.Error("views", "error", err.Error())
	}
}
