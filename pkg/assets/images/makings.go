package images

import (
	"context"
	"sync"
	"time"

	"headless/pkg/blob"
)

// makeTime limits how long making a variant may take, including the wait for memory.
const makeTime = 25 * time.Second

// makings lets requests for the same variant share one making. The zero value is usable.
type makings struct {
	mu      sync.Mutex
	running map[string]*making
}

// making is a variant that is being made.
type making struct {
	waiting int           // requests that have not given up
	stop    func()        // cancels the work
	done    chan struct{} // closed when info and err are set
	info    blob.Info
	err     error
}

// do makes the variant with a key, or waits for a request that is making it. The work ends when all
// requests that wait for it have given up.
func (m *makings) do(ctx context.Context, key string,
	work func(context.Context) (blob.Info, error)) (blob.Info, error) {
	g := m.join(ctx, key, work)
	select {
	case <-g.done:
		return g.info, g.err
	case <-ctx.Done():
		m.giveUp(key, g)
		return blob.Info{}, ctx.Err()
	}
}

// join returns the running making of a key, or starts one.
func (m *makings) join(ctx context.Context, key string, work func(context.Context) (blob.Info, error)) *making {
	m.mu.Lock()
	defer m.mu.Unlock()
	g := m.running[key]
	if g == nil {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), makeTime)
		g = &making{stop: stop, done: make(chan struct{})}
		if m.running == nil {
			m.running = map[string]*making{}
		}
		m.running[key] = g
		go func() {
			defer stop()
			g.info, g.err = work(ctx)
			m.mu.Lock()
			m.removeMaking(key, g)
			m.mu.Unlock()
			close(g.done)
		}()
	}
	g.waiting++
	return g
}

// giveUp is called by a request that gives up.
func (m *makings) giveUp(key string, g *making) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if g.waiting--; g.waiting == 0 {
		g.stop()
		m.removeMaking(key, g)
	}
}

// removeMaking makes the next request for a key start a new making. The caller holds the lock.
func (m *makings) removeMaking(key string, g *making) {
	if m.running[key] == g {
		delete(m.running, key)
	}
}
