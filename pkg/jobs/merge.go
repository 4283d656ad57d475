package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/table"
)

// TextMerger merges changed texts into the posting lists that searches read, some time after the
// events of the changes.
type TextMerger struct {
	Store *content.Store
	Log   *slog.Logger
}

// mergeTime is how long a merge may run before no other begins: later events are waiting.
const mergeTime = 20 * time.Second

// mergeEvery is how many changes of entries a merge takes together on average. A higher number
// costs fewer writes; a lower number lets searches read fewer unmerged changes.
const mergeEvery = 32

// After merges the texts of models that some of the events in rows of the outbox belong to. The
// event's id decides whether it triggers a merge, so no counter is needed. A failed merge is left
// to the next event or the sweeper.
func (m TextMerger) After(ctx context.Context, rows []table.Item) {
	due := map[string]bool{}
	for _, row := range rows {
		e, err := db.DecodePendingEvent(row)
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
			if _, err := m.Store.MergeText(ctx, model); err != nil {
				return err
			}
		}
	}
	return nil
}
