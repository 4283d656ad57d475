package transfer

import (
	"context"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// Batch takes the lines of one request; they may be taken at once.
type Batch struct {
	Importer
	mu     sync.Mutex
	rivals map[string][]*site.Model // by id of the model that lines are for
	tried  *db.Rehearsal            // of the lines, if nothing is saved
}

// NewBatch begins a request. An export holds the entries of inactive models too.
func (i Importer) NewBatch() *Batch {
	entries := *i.Entries
	entries.Inactive = true
	return &Batch{Importer: Importer{&entries}, rivals: map[string][]*site.Model{}, tried: entries.Store.Rehearse()}
}

// try returns the error that saving a line after those before it would have.
func (b *Batch) try(ctx context.Context, tx *db.Tx) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return editing.Refusal(b.tried.CommitAlone(ctx, tx))
}

// checkRivals refuses a new entry whose id an entry of another model has: the two would have one
// place in the trash. Ids of this kind come from a model that was renamed in one service only, and
// then all lines have them. So the first new entry of a batch is looked for in all models, and the
// others in those models only that had it: what a line costs does not depend on how many models
// there are. An id that slips through does no harm: the trash takes one of the two only.
func (b *Batch) checkRivals(ctx context.Context, now *site.Site, m *site.Model, id string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	models, isKnown := b.rivals[m.ID]
	if !isKnown {
		for _, other := range now.Models {
			if other.ID != m.ID {
				models = append(models, other)
			}
		}
	}
	refs := make([]content.Reference, len(models))
	for at, other := range models {
		refs[at] = content.Reference{Model: other, ID: id}
	}
	entries, err := b.Entries.Store.EntriesByID(ctx, refs)
	if err != nil {
		return err
	}
	var holders []*site.Model
	for at, e := range entries {
		if e != nil {
			holders = append(holders, models[at])
		}
	}
	if !isKnown {
		b.rivals[m.ID] = holders
	}
	if len(holders) > 0 {
		return cms.Errorf(cms.CodeConflict, "The model %q has an entry of this id.", holders[0].Slug)
	}
	return nil
}
