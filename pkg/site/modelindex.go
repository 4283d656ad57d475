package site

import (
	"context"

	"headless/pkg/cms"
)

// StageIndex starts a new generation of a model's index if the change needs one. VALIDATION_FAILED
// if the model's entries do not allow the change.
func (m *Models) StageIndex(ctx context.Context, site *Site, was string, model *Model) error {
	before := site.Models[was]
	if before == nil {
		model.NextGeneration(nil, "")
		return nil
	}
	p := cms.Problems{}
	total, places, home := 0, 0, site.Default
	for _, l := range site.Locales {
		n, err := m.Store.CountEntries(ctx, before, []string{l.Code})
		if err != nil {
			return err
		}
		if n > 0 {
			places++
			home = l.Code
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
	if places > 1 || !before.Localized {
		home = site.Default
	}
	model.NextGeneration(before, home)
	return nil
}
