package embedded

import (
	"context"
	"log/slog"
	"time"

	"headless/pkg/table"
)

// signal tells a job that there is work. Several signals before the job runs count as one.
type signal chan struct{}

func newSignal() signal { return make(signal, 1) }

func (s signal) raise() {
	select {
	case s <- struct{}{}:
	default: // the job has not run since the last signal
	}
}

// runAfterEach runs a job after each signal, with at least pause in between, until ctx ends. The sweeper
// continues a job that was interrupted.
func (s signal) runAfterEach(ctx context.Context, pause time.Duration, log *slog.Logger, name string,
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
		if table.Pause(ctx, pause) != nil {
			return
		}
	}
}
