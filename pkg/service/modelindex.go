package service

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// prepareIndex refuses changes that the model's entries rule out, and begins a new generation of the index where the change needs one.
func (m *Models) prepareIndex(ctx context.Context, site *store.Site, was string, model *store.Model) error {
	before := site.Models[was]
	if before == nil {
		model.NextGeneration(nil, nil)
		return nil
	}
	p := cms.Problems{}
	total, places := 0, 0
	for _, l := range site.Locales {
		n, err := m.Store.CountEntries(ctx, before, []string{l.Code})
		if err != nil {
			return err
		}
		if n > 0 {
			places++
		}
		if !before.Localized {
			total = n
			break
		}
		total += n
	}
	if model.Kind != before.Kind && total > 0 {
		p.Add("kind", "cannot be changed while the model has entries")
	}
	if before.Localized && !model.Localized && places > 1 {
		p.Add("localized", "cannot be switched off while there are entries in more than one locale")
	}
	if err := p.Err(); err != nil {
		return err
	}
	model.NextGeneration(before, site.Codes())
	return nil
}

// Reindex moves the entries of changed models to their current index, until all are moved or ctx ends; what fails for one model does not hold up
// the others. It may run in several places at once.
func (m *Models) Reindex(ctx context.Context) error {
	site, err := m.Store.Site(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range site.ModelsToReindex() {
		_, err := m.Store.Reindex(ctx, id)
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// MergeText brings what changed in the texts of all models into the lists that searches read.
func (m *Models) MergeText(ctx context.Context) error {
	site, err := m.Store.Site(ctx)
	if err != nil {
		return err
	}
	for _, model := range site.Models {
		if _, err := m.Store.MergeText(ctx, model.ID); err != nil {
			return err
		}
	}
	return nil
}
