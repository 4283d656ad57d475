// Package waiting has what is common to rows that wait until many of them are merged together: a
// merge is begun by a conditional write of its state, and writers keep the rows few.
//
// It knows no database: rooms say how they look at their rows and merge some.
package waiting

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"headless/pkg/table"
)

const (
	paceEvery = 16
	paceTime  = 15 * time.Second       // that a writer waits at most: a merge takes no longer
	pacePause = 100 * time.Millisecond // between two looks
)

// Pace has one writer in paceEvery look how many rows wait before it adds its own. Where they are
// many it merges some, and where they are too many it waits until others have. Pace remembers which
// rows were too many a moment ago: then all writers of the process look.
type Pace struct {
	mu   sync.Mutex
	full map[string]time.Time
}

// Rows is how a room looks at the rows of a name.
type Rows struct {
	Name  string
	Clock func() time.Time
	// Help merges some of many rows, unless others do. It reports whether there are too many.
	Help func(ctx context.Context) (full bool, merged int, err error)
	// Merging reports whether a merge is under way.
	Merging func(ctx context.Context) (bool, error)
	Busy    error // where there is no room for more
}

// Hold may take a while, and ends with the error Busy where there is no room for more.
func (p *Pace) Hold(ctx context.Context, r Rows) error {
	if !p.looks(r.Name, r.Clock()) {
		return nil
	}
	for end := r.Clock().Add(paceTime); ; {
		full, merged, err := r.Help(ctx)
		switch {
		case !full: // what was not merged is left to the others
			return nil
		case err != nil:
			return err
		case r.Clock().After(end):
			return r.Busy
		case merged > 0:
			continue
		}
		p.note(r.Name, r.Clock().Add(time.Second))
		if err := r.await(ctx, end); err != nil {
			return err
		}
	}
}

func (p *Pace) looks(name string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now.Before(p.full[name]) || rand.IntN(paceEvery) == 0
}

func (p *Pace) note(name string, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.full == nil {
		p.full = map[string]time.Time{}
	}
	p.full[name] = until
}

// await waits until the merge that is under way has ended, or for the last time at end.
func (r *Rows) await(ctx context.Context, end time.Time) error {
	for r.Clock().Before(end) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pacePause + time.Duration(rand.Int64N(int64(pacePause)))):
		}
		if merging, err := r.Merging(ctx); err != nil || !merging {
			return err
		}
	}
	return nil
}

// Succeed puts an item in place of the one that was read, nil where there was none, if that is
// still there.
func Succeed(was *table.Item, next table.Item) table.Op {
	if was == nil {
		next.Version = 1
		return table.Op{Kind: table.Put, Item: next, If: table.Absent}
	}
	next.Version = was.Version + 1
	return table.Op{Kind: table.Put, Item: next, If: table.VersionIs, Version: was.Version}
}
