package runtime

import (
	"context"
	"syscall"
	"time"

	"github.com/google/uuid"
)

// Cost is the cost of one cold start.
type Cost struct {
	Wall time.Duration // from the start of the process to its response
	CPU  time.Duration // of the process, user and system
	// Maximum memory in use, in KiB. The kernel includes the memory of this process at the time of
	// the fork.
	MaxRSS int64
}

// Cold starts a process for a single event and measures it. It returns an error if the function
// fails.
func (f *Function) Cold(ctx context.Context, payload []byte) (Cost, error) {
	began := time.Now()
	e, err := f.acquire(ctx)
	if err != nil {
		return Cost{}, err
	}
	defer func() { <-f.slots }()
	defer f.forget(e)
	e.hand(job{id: uuid.NewString(), payload: payload, deadline: time.Now().Add(f.Timeout)})
	select {
	case o := <-e.outcome:
		cost := Cost{Wall: time.Since(began)}
		if o.err != nil {
			return cost, o.err
		}
		e.stop()
		state := e.process.ProcessState
		cost.CPU = state.UserTime() + state.SystemTime()
		if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
			cost.MaxRSS = int64(usage.Maxrss)
		}
		return cost, nil
	case <-time.After(f.Timeout):
		return Cost{}, ErrTimeout
	}
}
