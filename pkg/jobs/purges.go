package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/purge"
	"headless/pkg/table"
)

// Purges sends pending purges to the caches in front of the delivery API and the media files. Each
// tag and path is paid for, so it sends as few as possible (extensions §8, What a purge costs).
type Purges struct {
	Store *db.DB
	To    purge.Purger
	Log   *slog.Logger
	// Published reports whether a publishable key is valid. Without one, no answer can be cached.
	Published func(ctx context.Context) (bool, error)
	// Metrics gets a line of metrics for each batch, and the age of the oldest change of a batch that
	// a cache did not accept; nil for none. Stack is their dimension.
	Metrics *slog.Logger
	Stack   string
}

const (
	purgeLease   = 30 * time.Second // longer than one step of a purger takes
	purgeSend    = 25 * time.Second // the longest time to send a batch
	purgeRunTime = 45 * time.Second // in which steps begin; one waits 30 s at most, and the function has 120
	purgePoll    = 500 * time.Millisecond
)

// Run sends all pending purges. It waits for those that are not due yet, and for another purger. If
// a cache is busy or time is up, it stops without an error, and the next call sends the rest.
func (p Purges) Run(ctx context.Context) error {
	end := p.Store.Clock().Add(purgeRunTime)
	for p.Store.Clock().Before(end) {
		pause, err := p.sendNext(ctx)
		switch {
		case errors.Is(err, purge.ErrBusy):
			p.Log.Warn("purge", "error", err.Error())
			return nil
		case err != nil || pause < 0:
			return err
		}
		if err := table.Pause(ctx, pause); err != nil {
			return err
		}
	}
	return nil
}

// sendNext sends at most one batch. It returns the time to wait before the next step, less than zero if
// nothing is left to do.
func (p Purges) sendNext(ctx context.Context) (pause time.Duration, err error) {
	state, err := p.Store.PurgeState(ctx)
	if err != nil {
		return 0, err
	}
	now := p.Store.Now()
	if now.Before(state.Until.Time) {
		return min(purgePoll, state.Until.Sub(now.Time)), nil // another purger works
	}
	if state.Pending == nil {
		next, done, pause, err := p.plan(ctx, state, now)
		if err != nil || len(done) == 0 && next.Pending == nil {
			return pause, err
		}
		if next.Pending != nil {
			next.Until = cms.At(now.Add(purgeLease))
		}
		ok := false
		if state, ok, err = p.Store.AdvancePurges(ctx, next, done...); err != nil || !ok {
			return 0, err
		}
	}
	if state.Pending != nil {
		return 0, p.sendBatch(ctx, state)
	}
	return 0, nil
}

// plan reads the rows and plans the next batch. pause is how long to wait if there is none.
func (p Purges) plan(ctx context.Context, state db.PurgeState, now cms.Time) (next db.PurgeState,
	done []db.Purge, pause time.Duration, err error) {
	rows, err := p.Store.Purges(ctx, db.MaxPurgesDone)
	if err != nil || len(rows) == 0 {
		return state, nil, -1, err
	}
	published, err := p.Published(ctx)
	if err != nil {
		return state, nil, 0, err
	}
	next, done, pause = planPurge(state, rows, published, now)
	if next.Pending != nil {
		next.Pending.ID = uuid.NewString()
	}
	return next, done, pause, nil
}

// sendBatch sends the pending batch, and stores what the caches have not accepted. Its lease ends with
// it, so the next purger repeats a batch that failed under the same id.
func (p Purges) sendBatch(ctx context.Context, state db.PurgeState) error {
	b := state.Pending
	batch := purge.Batch{ID: b.ID, Tags: b.Tags, All: b.All, Files: b.Files, AllFiles: b.AllFiles}
	timed, stop := context.WithTimeout(ctx, purgeSend)
	defer stop()
	left, sent := p.To.Purge(timed, batch)
	state.Until, state.Pending = cms.Time{}, nil
	if sent != nil {
		state.Pending = &db.PurgeBatch{ID: b.ID, Tags: left.Tags, All: left.All, Files: left.Files,
			AllFiles: left.AllFiles, Since: b.Since}
		measure(ctx, p.Metrics, "purge waits", p.Stack, p.Store.Clock(),
			metric{"OldestPurge", "Seconds", p.Store.Clock().Sub(b.Since.Time).Seconds()})
	} else {
		measure(ctx, p.Metrics, "purge", p.Stack, p.Store.Clock(),
			metric{"PurgedTags", "Count", float64(len(batch.Tags))},
			metric{"PurgedPaths", "Count", float64(batch.Paths())})
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), purgeLease)
	defer cancel()
	_, _, err := p.Store.AdvancePurges(ctx, state)
	return errors.Join(sent, err)
}
