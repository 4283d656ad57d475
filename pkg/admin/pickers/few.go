package pickers

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/site"
)

// few is the greatest number of entries of a model that a form shows as choices without a search.
const few = 8

// ShowFew adds all entries of small models, such as topics and authors, as choices to the fields of
// a form. The form is for an entry of the model of in locale. Entries of the same model are not
// offered: they are rarely few, and the edited entry would be one of them.
func (l Library) ShowFew(c *frame.Call, of *site.Model, locale string, fields []ui.Field) error {
	picks := slices.DeleteFunc(PicksOf(fields, nil), func(f *ui.Field) bool {
		return f.Pick.Model == nil || f.Pick.Several != nil || f.Pick.Model == of || f.Pick.Panel != nil
	})
	var models []*site.Model
	for _, f := range picks {
		if !slices.Contains(models, f.Pick.Model) {
			models = append(models, f.Pick.Model)
		}
	}
	found, err := l.Few(c.R.Context(), c.Site, models, locale, offeredStatuses, few)
	if err != nil {
		return err
	}
	for _, f := range picks {
		page := found[slices.Index(models, f.Pick.Model)]
		if page.Total > few {
			continue
		}
		for _, v := range page.Items {
			if !slices.Contains(f.Pick.Ids, v.ID) {
				v.Name, v.Many, v.Href = f.Name, f.Pick.Many, f.Pick.Page(v.ID)
				f.Pick.Few = append(f.Pick.Few, v)
			}
		}
	}
	return nil
}

// Few returns the first entries of some models with one of some statuses, up to limit of each, and how many each has.
// Of localized models they are those in locale, "" for all.
func (l Library) Few(ctx context.Context, s *site.Site, models []*site.Model, locale string, statuses []cms.Status,
	limit int) ([]db.Page[ui.Choice], error) {
	found := make([]db.Page[ui.Choice], len(models))
	g, ctx := errgroup.WithContext(ctx)
	for i, m := range models {
		q := content.EntryQuery{ListQuery: index.ListQuery{Paging: db.Paging{Page: 1, PerPage: limit}},
			Statuses: statuses, Locales: s.Codes()}
		if m.Localized && locale != "" {
			q.Locales = []string{locale}
		}
		g.Go(func() (err error) {
			found[i], err = l.entries(ctx, s, m, q)
			return err
		})
	}
	return found, g.Wait()
}
