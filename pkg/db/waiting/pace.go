// Package waiting is for rows that wait until many of them are merged together. A merge begins with
// a conditional write of its state. Writers help to merge, so that few rows wait.
//
// It does not know package db: its callers give it functions that count and merge their rows.
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
	paceTime  = 15 * time.Second // longest wait of a writer: a merge takes no longer

	// The pauses between two checks grow from the first to the longest.
	firstPause   = 10 * time.Millisecond
	longestPause = 160 * time.Millisecond
)

// Pace limits how many rows wait. One writer in paceEvery checks their number before it adds its
// own row. If there are many, it merges some. If there are too many and others are merging, it
// waits for them; for a second after that, all writers of the process check the number.
//
// In each process, one writer at a time checks and merges the rows of a name. The others wait for
// it if there are too many rows: each check reads all of them, and only one can get the lease.
type Pace struct {
	mu       sync.Mutex
	full     map[string]time.Time
	checking map[string]chan struct{} // closed at the end of the check
}

// Rows is a set of rows that wait, with the functions to check and merge them.
type Rows struct {
	Name  string
	Clock func() time.Time
	// Help merges some rows if there are many, unless others are merging. full reports whether
	// there are too many.
	Help func(ctx context.Context) (full bool, merged int, err error)
	// Merging reports whether a merge is in progress.
	Merging func(ctx context.Context) (bool, error)
	Busy    error // returned if there are still too many rows
}

// Hold is called before a row is added. It waits while there are too many rows, and returns Busy if
// there still are after about paceTime.
func (p *Pace) Hold(ctx context.Context, r Rows) error {
	if !p.looks(r.Name, r.Clock()) {
		return nil
	}
	for end := r.Clock().Add(paceTime); ; {
		done, mine := p.beginCheck(r.Name)
		if !mine {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-done:
			}
			if !p.isFull(r.Name, r.Clock()) {
				return nil
			}
			if r.Clock().After(end) {
				return r.Busy
			}
			continue
		}
		if full, err := p.helpOnce(ctx, r, end); !full || err != nil {
			return err
		}
	}
}

// helpOnce merges some rows, or waits for the merge of another process. full reports whether there
// are still too many rows.
func (p *Pace) helpOnce(ctx context.Context, r Rows, end time.Time) (full bool, err error) {
	defer p.noteCheck(r.Name)
	full, merged, err := r.Help(ctx)
	switch {
	case !full: // others merge the remaining rows
		p.noteUntil(r.Name, time.Time{})
		return false, nil
	case err != nil:
		return true, err
	case r.Clock().After(end):
		return true, r.Busy
	}
	p.noteUntil(r.Name, r.Clock().Add(time.Second))
	if merged == 0 {
		err = r.await(ctx, end)
		p.noteUntil(r.Name, r.Clock().Add(time.Second))
	}
	return true, err
}

// looks reports whether a writer checks the number of rows. While another one checks them, it need
// not, unless there were too many.
func (p *Pace) looks(name string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now.Before(p.full[name]) || p.checking[name] == nil && rand.IntN(paceEvery) == 0
}

func (p *Pace) isFull(name string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return now.Before(p.full[name])
}

// beginCheck begins a check. If another writer is checking, mine is false and done is closed at its end.
func (p *Pace) beginCheck(name string) (done <-chan struct{}, mine bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if running := p.checking[name]; running != nil {
		return running, false
	}
	if p.checking == nil {
		p.checking = map[string]chan struct{}{}
	}
	p.checking[name] = make(chan struct{})
	return nil, true
}

func (p *Pace) noteCheck(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.checking[name])
	delete(p.checking, name)
}

func (p *Pace) noteUntil(name string, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.full == nil {
		p.full = map[string]time.Time{}
	}
	p.full[name] = until
}

// await waits until the merge in progress has ended, but not after end.
func (r *Rows) await(ctx context.Context, end time.Time) error {
	for pause := firstPause; r.Clock().Before(end); pause = min(2*pause, longestPause) {
		if err := table.Pause(ctx, pause/2+rand.N(pause)); err != nil {
			return err
		}
		if merging, err := r.Merging(ctx); err != nil || !merging {
			return err
		}
	}
	return nil
}

// Succeed returns the operation that replaces the item was by next, if was has not changed since it
// was read. was is nil if there was no item; then there must still be none.
func Succeed(was *table.Item, next table.Item) table.Op {
	if was == nil {
		return table.PutNext(next, 0)
	}
	return table.PutNext(next, was.Version)
}
