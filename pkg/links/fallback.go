package links

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/translations"
)

// Translate shows included entries in the best translation along a chain of locales (extensions
// §3). nil includes nothing.
func (inc *Include) Translate(chain []string) {
	if inc != nil {
		inc.chain = chain
	}
}

// An include with translations takes one round trip more than one without, however many levels it
// has: the members of the groups of one level are read together with what the originals of that
// level refer to. Their translations mostly refer to the same entries, or to translations of those.
// What they refer to beyond that takes a round trip of its own.

// ahead is what was read of entries that an include may show.
type ahead struct {
	entries map[content.Reference]*cms.Entry    // nil for one that is not there
	groups  map[content.Reference]*groups.Group // by each member
}

// ReadAhead reads what some data refers to, of which the answer may show translations.
func (inc *Include) ReadAhead(ctx context.Context, s *content.Store, data ...map[string]any) error {
	if inc == nil || inc.chain == nil {
		return nil
	}
	var slots []slot
	for _, d := range data {
		slots = gather(slots, maps.Clone(d), inc.children, 1)
	}
	return inc.read(ctx, s, nil, inc.lacking(references(slots)))
}

// references are those of slots to entries, each once.
func references(slots []slot) (refs []content.Reference) {
	seen := map[content.Reference]bool{}
	for _, sl := range slots {
		for _, id := range sl.ids() {
			canonical, ok := input.CanonicalID(id)
			r := content.Reference{Model: sl.node.target, ID: canonical}
			if ok && r.Model != nil && !seen[r] {
				seen[r] = true
				refs = append(refs, r)
			}
		}
	}
	return refs
}

// lacking are those of localized models whose groups are not known, few enough to be read ahead.
func (inc *Include) lacking(refs []content.Reference) (list []content.Reference) {
	for _, r := range refs {
		if inc.ahead.groups[r] == nil && r.Model.Localized && len(list) < maxIncluded {
			list = append(list, r)
		}
	}
	return list
}

// read reads entries, and others with their groups, in one round trip.
func (inc *Include) read(ctx context.Context, s *content.Store, bare, grouped []content.Reference) error {
	refs := slices.Concat(bare, grouped)
	if len(refs) == 0 {
		return nil
	}
	var entries []*cms.Entry
	var of []*groups.Group
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		entries, err = s.EntriesByID(gctx, refs)
		return err
	})
	g.Go(func() (err error) {
		of, err = groups.OfEach(gctx, s, grouped)
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	if inc.ahead.entries == nil {
		inc.ahead = ahead{map[content.Reference]*cms.Entry{}, map[content.Reference]*groups.Group{}}
	}
	for i, r := range refs {
		inc.ahead.entries[r] = entries[i]
	}
	for i, r := range grouped {
		inc.ahead.groups[r] = of[i]
		for _, id := range of[i].Members {
			inc.ahead.groups[content.Reference{Model: r.Model, ID: id}] = of[i]
		}
	}
	return nil
}

// below are the entries that the known members of what slots refer to refer to in turn.
func (inc *Include) below(slots []slot) []content.Reference {
	var next []slot
	for _, sl := range slots {
		for _, r := range references([]slot{sl}) {
			members := []string{r.ID}
			if g := inc.ahead.groups[r]; g != nil {
				members = slices.AppendSeq(members, maps.Values(g.Members))
			}
			for _, id := range members {
				if e := inc.ahead.entries[content.Reference{Model: r.Model, ID: id}]; e != nil {
					next = gather(next, maps.Clone(e.Data), sl.node.children, 1)
				}
			}
		}
	}
	return inc.lacking(references(next))
}

// entries reads what slots refer to, each in its best translation where that is asked for.
func (inc *Include) entries(ctx context.Context, s *content.Store, slots []slot,
	refs []content.Reference) ([]*cms.Entry, error) {
	if inc.chain == nil {
		return s.EntriesByID(ctx, refs)
	}
	if err := inc.read(ctx, s, nil, inc.lacking(refs)); err != nil {
		return nil, err
	}
	var missing []content.Reference
	for _, r := range refs {
		own := ""
		candidates := []string{r.ID}
		if g := inc.ahead.groups[r]; g != nil {
			if e := inc.ahead.entries[r]; e != nil {
				own = e.Locale
			} else {
				own = g.LocaleOf(r.ID)
			}
			candidates = append(candidates, translations.Better(inc.chain, own, g)...)
		}
		for _, id := range candidates {
			c := content.Reference{Model: r.Model, ID: id}
			if _, known := inc.ahead.entries[c]; !known {
				missing = append(missing, c)
			}
		}
	}
	if len(missing) > 0 {
		if err := inc.read(ctx, s, missing, inc.below(slots)); err != nil {
			return nil, err
		}
	}
	entries := make([]*cms.Entry, len(refs))
	for i, r := range refs {
		if entries[i] = inc.ahead.entries[r]; entries[i] != nil && inc.sees(entries[i]) && r.Model.Localized {
			inc.Tags.Model(r.Model.Slug) // a translation that is published later takes the place of this one
			entries[i] = inc.best(r, entries[i])
			inc.Tags.Entry(r.Model.Slug, entries[i].ID)
		}
	}
	return entries, nil
}

// best is the best translation of an entry, the entry itself where there is none.
func (inc *Include) best(r content.Reference, e *cms.Entry) *cms.Entry {
	c := translations.Candidate{Model: r.Model, Entry: e, Group: inc.ahead.groups[r]}
	byID := map[string]*cms.Entry{}
	for _, id := range translations.Better(inc.chain, e.Locale, c.Group) {
		if better := inc.ahead.entries[content.Reference{Model: r.Model, ID: id}]; better != nil &&
			inc.sees(better) {
			byID[id] = better
		}
	}
	if better := c.Best(inc.chain, inc.sees, byID); better != nil {
		return better
	}
	return e
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
