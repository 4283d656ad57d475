// Package lease gives one worker at a time the right to work on a job or a release. It prevents two
// workers that are woken for the same work from doing it at the same time.
package lease

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"headless/pkg/cms"
)

// duration is how long a lease lasts unless it is extended.
const duration = 30 * time.Second

// workTime is how long one call of Work runs before it gives the lease back.
const workTime = 20 * time.Second

// ErrLost says that the job or release changed while a worker had the lease: another worker took
// over, or a user stopped it.
var ErrLost = errors.New("planning: taken over or stopped")

// Lease is a worker's right to work on a job or release until a time. The zero Lease belongs to
// nobody.
type Lease struct {
	ID    int64    `json:"id"`
	Until cms.Time `json:"until"`
}

// New returns a lease with a new random id.
func New(now cms.Time) Lease { return Lease{1 + rand.Int64N(1<<52), leaseEnd(now)} }

// Held reports whether a worker has the lease at now.
func (l Lease) Held(now cms.Time) bool { return l.ID != 0 && now.Before(l.Until.Time) }

// Extend makes the lease last for its full duration from now. Each step calls it.
func (l *Lease) Extend(now cms.Time) { l.Until = leaseEnd(now) }

func leaseEnd(now cms.Time) cms.Time { return cms.At(now.Add(duration)) }

// RetryAt turns ErrLost into a next run at the end of the other worker's lease: that worker may
// have crashed by then, and both workers may share one timer. It returns other errors unchanged.
func RetryAt(now cms.Time, err error) (nextRun cms.Time, rest error) {
	if errors.Is(err, ErrLost) {
		return leaseEnd(now), nil
	}
	return cms.Time{}, err
}

// Worker works on a job or release whose lease it has.
type Worker interface {
	// Running reports whether there is work left.
	Running() bool
	// Step does the next part of the work.
	Step(ctx context.Context) error
	// GiveBack ends the lease. If that fails, other workers wait until it expires.
	GiveBack(ctx context.Context)
}

// Work runs the steps of a worker until no work is left or workTime has passed, and then gives the
// lease back. nextRun is when to continue, zero if no work is left.
func Work(ctx context.Context, now func() cms.Time, w Worker) (nextRun cms.Time, err error) {
	for end := now().Add(workTime); w.Running() && now().Before(end) && ctx.Err() == nil; {
		if err := w.Step(ctx); err != nil {
			w.GiveBack(context.WithoutCancel(ctx))
			return RetryAt(now(), err)
		}
	}
	if !w.Running() {
		return cms.Time{}, nil
	}
	w.GiveBack(context.WithoutCancel(ctx))
	return cms.At(now().Add(time.Millisecond)), ctx.Err()
}
