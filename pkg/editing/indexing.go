package editing

import (
	"context"
	"errors"

	"headless/pkg/assets"
	"headless/pkg/content"
	"headless/pkg/index/totals"
	"headless/pkg/recheck"
)

// Reindex builds the indexes of changed models, until all are built or ctx ends. After an error of
// one model it continues with the others. It may run concurrently.
func (s *Entries) Reindex(ctx context.Context) error {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range site.ModelsToReindex() {
		_, err := s.Store.Reindex(ctx, id)
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// SettleTexts puts the texts of recent changes into segments of the text index, if they are many or
// old, and merges segments.
func (s *Entries) SettleTexts(ctx context.Context) error {
	_, err := s.Store.SettleTexts(ctx)
	return err
}

// FlushTexts is SettleTexts for all changes.
func (s *Entries) FlushTexts(ctx context.Context) error {
	_, err := s.Store.FlushTexts(ctx)
	return err
}

// MergeTotals merges the change rows of all models, of the trash and of files into the totals.
// After an error of one model it continues with the others. Lists count change rows before their
// merge.
func (s *Entries) MergeTotals(ctx context.Context) error {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return err
	}
	collections := []string{content.TrashSpace, assets.MediaSpace, recheck.Space}
	for _, m := range site.Models {
		collections = append(collections, m.IndexName())
		if m.Building() {
			collections = append(collections, m.Next().IndexName())
		}
	}
	var failed []error
	for _, collection := range collections {
		_, err := totals.Merge(ctx, s.Store.DB, collection)
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// DropIndexes removes the rows of indexes that were replaced or whose models were deleted.
func (s *Entries) DropIndexes(ctx context.Context) error { return s.Store.DropIndexes(ctx) }
