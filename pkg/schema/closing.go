package schema

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
)

// closeModels deactivates the models to be deleted, which then accept no entries, and checks again
// that they are empty. The plan continues from the resulting site.
func (s *Schemas) closeModels(ctx context.Context, w *work) (closed []string, err error) {
	for _, id := range w.closing {
		if m := w.st.site.ModelByID(id); m != nil && m.IsActive {
			closed = append(closed, id)
		}
	}
	if len(closed) == 0 {
		return nil, nil
	}
	version := w.st.site.Version
	if err := s.setActive(ctx, closed, false); err != nil {
		return nil, err
	}
	reopen := func(err error) ([]string, error) {
		return nil, errors.Join(s.setActive(context.WithoutCancel(ctx), closed, true), err)
	}
	site, err := s.Store.Site.Site(ctx)
	if err != nil {
		return reopen(err)
	}
	if site.Version != version+int64(len(inGroups(closed))) {
		return reopen(db.ErrOvertaken)
	}
	for _, id := range closed {
		m := site.ModelByID(id)
		n, err := s.Store.Site.CountEntries(ctx, m, site.Codes())
		if err != nil {
			return reopen(err)
		}
		if n > 0 {
			return reopen(cms.Errorf(cms.CodeConflict,
				"The model %q has %d entries: it cannot be deleted.", m.Slug, n))
		}
	}
	w.st.site = site
	return closed, nil
}

// inGroups splits ids of models into groups that fit into one transaction each.
func inGroups(ids []string) [][]string { return slices.Collect(slices.Chunk(ids, together/2)) }

// setActive opens or closes the models that still exist for entries.
func (s *Schemas) setActive(ctx context.Context, ids []string, active bool) error {
	for _, group := range inGroups(ids) {
		err := site.ChangeSite(ctx, s.Store.Site, func(siteNow *site.Site, tx *db.Tx) error {
			for _, id := range group {
				if m := siteNow.ModelByID(id); m != nil {
					next := *m
					next.IsActive = active
					site.PutModel(tx, siteNow, next.Slug, next)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
