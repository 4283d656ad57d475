package schema

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
)

// closeParts deactivates the models and locales to be deleted, which then accept no entries, and
// checks again that they are empty. The plan continues from the resulting site.
func (s *Schemas) closeParts(ctx context.Context, w *work) (closed []string, err error) {
	for _, id := range w.closing {
		m, l := w.st.site.ModelByID(id), w.st.site.Locale(id)
		if m != nil && m.IsActive || l != nil && l.IsActive {
			closed = append(closed, id)
		}
	}
	if len(closed) == 0 {
		return nil, nil
	}
	version := w.st.site.Version
	reopen := func(err error) ([]string, error) {
		return nil, errors.Join(s.setActive(context.WithoutCancel(ctx), closed, true), err)
	}
	if err := s.setActive(ctx, closed, false); err != nil {
		return reopen(err)
	}
	site, err := s.Store.Site.Site(ctx)
	if err != nil {
		return reopen(err)
	}
	if site.Version != version+int64(len(inGroups(closed))) {
		return reopen(db.ErrOvertaken)
	}
	for _, id := range closed {
		if err := s.checkEmpty(ctx, site, id); err != nil {
			return reopen(err)
		}
	}
	w.st.site = site
	return closed, nil
}

// checkEmpty returns CONFLICT if a model, by its id, or a locale, by its code, has entries.
func (s *Schemas) checkEmpty(ctx context.Context, site *site.Site, id string) error {
	m := site.ModelByID(id)
	if m == nil {
		used, err := s.Locales.InUse(ctx, id)
		if err == nil && used {
			err = cms.Errorf(cms.CodeConflict, "Entries use the locale %s: it cannot be deleted.", id)
		}
		return err
	}
	n, err := s.Store.Site.CountEntries(ctx, m, site.Codes())
	if err == nil && n > 0 {
		err = cms.Errorf(cms.CodeConflict, "The model %q cannot be deleted. Entries in it: %d.", m.Slug, n)
	}
	return err
}

// inGroups splits ids of models and codes of locales into groups that fit into one transaction each.
func inGroups(ids []string) [][]string { return slices.Collect(slices.Chunk(ids, together/2)) }

// setActive opens or closes the models and locales that still exist for entries.
func (s *Schemas) setActive(ctx context.Context, ids []string, active bool) error {
	for _, group := range inGroups(ids) {
		err := site.ChangeSite(ctx, s.Store.Site, func(siteNow *site.Site, tx *db.Tx) error {
			var locales []cms.Locale
			for _, id := range group {
				if m := siteNow.ModelByID(id); m != nil {
					site.PutOpen(tx, siteNow, *m, active)
				}
				if l := siteNow.Locale(id); l != nil {
					locales = append(locales, *l)
				}
			}
			if len(locales) > 0 {
				site.PutOpenLocales(tx, siteNow, active, locales...)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
