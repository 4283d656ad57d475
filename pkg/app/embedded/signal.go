package embedded

import (
	"context"
	"log/slog"
	"time"
)

// signal tells a job that there is something to do. Signals that come before the job looks are one.
type signal chan struct{}

func newSignal() signal { return make(signal, 1) }

func (s signal) raise() {
	select {
	case s <- struct{}{}:
	default: // the job has not looked since the last one
	}
}

// follow does a job after each signal, at most once every pause, until ctx ends. What a stop
// interrupts, the sweeper goes on with.
func (s signal) follow(ctx context.Context, pause time.Duration, log *slog.Logger, name string,
	job func(context.Context) error) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s:
		}
		if err := job(ctx); err != nil && ctx.Err() == nil {
			log.Error(name, "error", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
