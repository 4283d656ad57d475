package runtime

import (
	"context"
	"syscall"
	"time"
)

// Cost is what one cold start took.
type Cost struct {
	Wall time.Duration // from the start of the process to its answer
	CPU  time.Duration // of the process, user and system
	// Most memory in use, in KiB; the kernel also counts what this process used when it started the
	// other.
	MaxRSS int64
}

// Cold starts a process for one event alone and measures it. It is an error when the function
// fails.
func (f *Function) Cold(ctx context.Context, payload []byte) (Cost, error) {
	began := time.Now()
	e, err := f.acquire(ctx)
	if err != nil {
		return Cost{}, err
	}
	defer func() { <-f.slots }()
	defer f.forget(e)
	e.hand(job{id: requestID(), payload: payload, deadline: time.Now().Add(f.Timeout)})
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
