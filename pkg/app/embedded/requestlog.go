package embedded

import (
	"context"
	"log/slog"
	"time"

	"headless/pkg/db"
	"headless/pkg/rooms"
)

// requestLog writes the lines of the request log behind the answers, in batches.
type requestLog struct {
	store *rooms.Stores
	log   *slog.Logger
	lines chan db.RequestLine
	many  signal // lines wait
	done  chan struct{}
}

const (
	logBuffer   = 16_384          // lines waiting; past that, lines are written by the log itself only
	logMany     = 2048            // lines waiting that are written at once
	logInterval = time.Second / 2 // a line is listed that long after the answer
	logBatch    = 500
)

func newRequestLog(s *rooms.Stores, log *slog.Logger) *requestLog {
	return &requestLog{store: s, log: log, lines: make(chan db.RequestLine, logBuffer),
		many: newSignal(), done: make(chan struct{})}
}

// add takes a line without waiting.
func (l *requestLog) add(line db.RequestLine) {
	select {
	case l.lines <- line:
		if len(l.lines) >= logMany {
			l.many.raise()
		}
	default:
		l.log.Warn("request log is behind", "request_id", line.RequestID)
	}
}

// run writes until ctx ends, then writes the rest.
func (l *requestLog) run(ctx context.Context) {
	defer close(l.done)
	tick := time.NewTicker(logInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			l.flush(context.WithoutCancel(ctx))
		case <-l.many:
			l.flush(context.WithoutCancel(ctx))
		case <-ctx.Done():
			l.flush(context.WithoutCancel(ctx))
			return
		}
	}
}

func (l *requestLog) wait() { <-l.done }

func (l *requestLog) flush(ctx context.Context) {
	for {
		batch := l.take()
		if len(batch) == 0 {
			return
		}
		if err := l.store.LogRequests(ctx, batch...); err != nil {
			l.log.Error("request log", "error", err.Error(), "lines", len(batch))
			return
		}
	}
}

func (l *requestLog) take() []db.RequestLine {
	var batch []db.RequestLine
	for len(batch) < logBatch {
		select {
		case line := <-l.lines:
			batch = append(batch, line)
		default:
			return batch
		}
	}
	return batch
}
