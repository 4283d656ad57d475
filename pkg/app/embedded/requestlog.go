package embedded

import (
	"context"
	"log/slog"
	"time"

	"headless/pkg/db"
	"headless/pkg/rooms"
)

// requestLog writes the lines of the request log after the responses, in batches.
type requestLog struct {
	store *rooms.Stores
	log   *slog.Logger
	lines chan db.RequestLine
	many  signal // many lines are waiting
	done  chan struct{}
}

const (
	logBuffer   = 16_384          // maximum of waiting lines; further lines are only in the program's log
	logMany     = 2048            // number of waiting lines that are written without delay
	logInterval = time.Second / 2 // maximum delay before a line is listed
	logBatch    = 500
)

func newRequestLog(s *rooms.Stores, log *slog.Logger) *requestLog {
	return &requestLog{store: s, log: log, lines: make(chan db.RequestLine, logBuffer),
		many: newSignal(), done: make(chan struct{})}
}

// addLine queues a line without waiting.
func (l *requestLog) addLine(line db.RequestLine) {
	select {
	case l.lines <- line:
		if len(l.lines) >= logMany {
			l.many.raise()
		}
	default:
		l.log.Warn("the request log is too slow: a line is left out", "request_id", line.RequestID)
	}
}

// runWriter writes until ctx ends, then writes the rest.
func (l *requestLog) runWriter(ctx context.Context) {
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
		batch := l.takeLines()
		if len(batch) == 0 {
			return
		}
		if err := l.store.LogRequests(ctx, batch...); err != nil {
			l.log.Error("request log", "error", err.Error(), "lines", len(batch))
			return
		}
	}
}

func (l *requestLog) takeLines() []db.RequestLine {
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
