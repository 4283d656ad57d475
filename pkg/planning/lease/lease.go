// Package lease is the right of one worker to go on with a job or a release for a while. It keeps
// two workers apart that are woken for the same work.
package lease

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"headless/pkg/cms"
)

// duration is how long a worker has something without a step.
const duration = 30 * time.Second

// workTime is how long a worker goes on before it gives the rest back.
const workTime = 20 * time.Second

// ErrLost is returned when what is leased changed meanwhile: another worker took over, or somebody
// stopped it.
var ErrLost = errors.New("planning: taken over or stopped")

// Lease is a worker's right to work on something until a time. The zero Lease is nobody's.
type Lease struct {
	ID    int64    `json:"id"`
	Until cms.Time `json:"until"`
}

// New makes a lease that nobody else has.
func New(now cms.Time) Lease { return Lease{1 + rand.Int64N(1<<52), end(now)} }

// Held reports whether a worker still has it.
func (l Lease) Held(now cms.Time) bool { return l.ID != 0 && now.Before(l.Until.Time) }

// Extend makes it last from now on, as each step does.
func (l *Lease) Extend(now cms.Time) { l.Until = end(now) }

func end(now cms.Time) cms.Time { return cms.At(now.Add(duration)) }

// RetryAt ends the work of a worker that another one overtook. It says to look again when the lease
// of the other ends: that worker may be gone by then, and both may share one timer row. Other
// errors it returns as they are.
func RetryAt(now cms.Time, err error) (again cms.Time, rest error) {
	if errors.Is(err, ErrLost) {
		return end(now), nil
	}
	return cms.Time{}, err
}

// Worker is at work on a job or a release that it has the lease of.
type Worker interface {
	// Running reports whether something is left to do.
	Running() bool
	// Step does the next part.
	Step(ctx context.Context) error
	// GiveBack ends the lease. Where that fails, others wait for its end.
	GiveBack(ctx context.Context)
}

// Work has a worker go on until nothing is left to do, or for a while, and then give the lease
// back. It returns when to look again, the zero time where there is no need to.
func Work(ctx context.Context, now func() cms.Time, w Worker) (again cms.Time, err error) {
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
