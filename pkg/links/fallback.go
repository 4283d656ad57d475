package links

import (
	"context"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/translations"
)

// Translate shows included entries in the best translation along a chain of locales (extensions
// §3). nil includes nothing.
func (inc *Include) Translate(chain []string) {
	if inc != nil {
		inc.chain = chain
	}
}

// entries reads what is referred to, each in its best translation where that is asked for: one
// round trip more for each level of the include.
func (inc *Include) entries(ctx context.Context, s *content.Store,
	refs []content.Reference) ([]*cms.Entry, error) {
	if inc.chain == nil {
		return s.EntriesByID(ctx, refs)
	}
	var entries []*cms.Entry
	var of []*groups.Group
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		entries, err = s.EntriesByID(gctx, refs)
		return err
	})
	g.Go(func() (err error) {
		of, err = groups.OfEach(gctx, s, refs)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var list []translations.Candidate
	var at []int // of each candidate among the entries
	for i, e := range entries {
		if e != nil && inc.sees(e) && refs[i].Model.Localized {
			list, at = append(list, translations.Candidate{Model: refs[i].Model, Entry: e,
				Group: of[i]}), append(at, i)
			inc.Tags.Model(refs[i].Model.Slug) // a translation that is published later takes the place of this one
		}
	}
	best, err := translations.Pick(ctx, s, inc.chain, inc.sees, list)
	for j, e := range best {
		if e != nil {
			entries[at[j]] = e
			inc.Tags.Entry(refs[at[j]].Model.Slug, e.ID)
		}
	}
	return entries, err
}

// sees reports whether the reader may see an entry.
func (inc *Include) sees(e *cms.Entry) bool {
	if inc.admin {
		return true
	}
	l := inc.site.Locale(e.Locale)
	return (inc.any || e.Status == cms.StatusPublished) && l != nil && l.IsActive
}

// shown are the references to the entries that are shown in the place of those that are referred
// to.
func shown(refs []content.Reference, entries []*cms.Entry) []content.Reference {
	list := make([]content.Reference, len(refs))
	for i, r := range refs {
		if list[i] = r; entries[i] != nil {
			list[i].ID = entries[i].ID
		}
	}
	return list
}
