package embedded

import (
	"context"
	"log/slog"

	"headless/pkg/service"
)

// reindexer moves the entries of changed models to their new index as soon as a model is changed. What a stop interrupts, the sweeper goes on with.
type reindexer struct {
	models *service.Models
	log    *slog.Logger
	work   chan struct{}
}

func newReindexer(models *service.Models, log *slog.Logger) *reindexer {
	r := &reindexer{models: models, log: log, work: make(chan struct{}, 1)}
	models.OnReindex = r.signal
	return r
}

func (r *reindexer) signal() {
	select {
	case r.work <- struct{}{}:
	default: // it has not looked since the last one
	}
}

func (r *reindexer) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.work:
		}
		if err := r.models.Reindex(ctx); err != nil && ctx.Err() == nil {
			r.log.Error("reindex", "error", err.Error())
		}
	}
}
