package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"headless/pkg/store"
	"headless/pkg/table"
)

// TextMerger brings changed texts into the lists that searches read, some time after the events of the changes.
type TextMerger struct {
	Store *store.Store
	Log   *slog.Logger
}

// mergeTime is after how long no other merge begins: the events that come next wait.
const mergeTime = 20 * time.Second

// mergeEvery is how many changes of entries a merge takes together, on average: fewer cost more writes, more make searches read more.
const mergeEvery = 32

// After merges the texts of models to which some of the events in rows of the outbox belong. An event's id tells whether it is its turn, so that nobody
// has to count. What fails is left to the next turn or the sweeper.
func (m TextMerger) After(ctx context.Context, rows []table.Item) {
	due := map[string]bool{}
	for _, row := range rows {
		e, err := store.DecodeOutEvent(row)
		if err != nil || e.Model == "" {
			continue
		}
		if id, err := uuid.Parse(e.ID); err == nil && id[len(id)-1]%mergeEvery == 0 {
			due[e.Model] = true
		}
	}
	if len(due) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, mergeTime)
	defer cancel()
	if err := m.merge(ctx, due); err != nil && ctx.Err() == nil {
		m.Log.Error("merge texts", "error", err.Error())
	}
}

func (m TextMerger) merge(ctx context.Context, slugs map[string]bool) error {
	site, err := m.Store.Site(ctx)
	if err != nil {
		return err
	}
	for slug := range slugs {
		if model := site.Models[slug]; model != nil {
			if _, err := m.Store.MergeText(ctx, model.ID); err != nil {
				return err
			}
		}
	}
	return nil
}
