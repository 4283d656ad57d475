package editing

import (
	"context"
	"errors"
)

// Reindex builds the indexes of changed models, until all are built or ctx ends; what fails for one
// model does not hold up the others. It may run in several places at once.
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

// MergeText brings what changed in the texts of all models into the lists that searches read; what
// fails for one model does not hold up the others.
func (s *Entries) MergeText(ctx context.Context) error {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, m := range site.Models {
		_, err := s.Store.MergeText(ctx, m)
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// DropIndexes removes what is left of indexes that were replaced or whose models were deleted.
func (s *Entries) DropIndexes(ctx context.Context) error { return s.Store.DropIndexes(ctx) }
