package links

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/translations"
)

// An include with translations takes one round trip more than one without, on all levels together:
// the members of the groups of one level are read together with the entries that the originals of
// that level refer to. Translations mostly refer to the same entries, or to translations of these.
// Other entries take a further round trip.

// prefetched holds the entries and groups that were read for an include.
type prefetched struct {
	entries map[content.Reference]*cms.Entry    // nil if the entry does not exist
	groups  map[content.Reference]*groups.Group // by each member
}

// ReadAhead reads the entries that some data refers to, with their groups, before Resolve needs
// them. Without a Chain it reads nothing. inc may be nil.
func (inc *Include) ReadAhead(ctx context.Context, s *content.Store, data ...map[string]any) error {
	if inc == nil || inc.Chain == nil {
		return nil
	}
	var slots []slot
	for _, d := range data {
		slots = gather(slots, maps.Clone(d), inc.children, nil)
	}
	return inc.readEntries(ctx, s, nil, inc.lackingGroups(references(slots)))
}

// references returns the distinct references of slots to entries.
func references(slots []slot) (refs []content.Reference) {
	seen := map[content.Reference]bool{}
	for _, sl := range slots {
		for _, v := range sl.references() {
			if _, r, ok := sl.node.reference(v); ok && !seen[r] {
				seen[r] = true
				refs = append(refs, r)
			}
		}
	}
	return refs
}

// lackingGroups returns the references to entries of localized models whose groups were not read yet, at
// most maxIncluded.
func (inc *Include) lackingGroups(refs []content.Reference) (list []content.Reference) {
	for _, r := range refs {
		if inc.prefetched.groups[r] == nil && r.Model.Localized && len(list) < maxIncluded {
			list = append(list, r)
		}
	}
	return list
}

// readEntries reads the entries bare, and the entries grouped with their groups, in one round trip.
func (inc *Include) readEntries(ctx context.Context, s *content.Store, bare, grouped []content.Reference) error {
	refs := slices.Concat(bare, grouped)
	if len(refs) == 0 {
		return nil
	}
	var entries []*cms.Entry
	var found []*groups.Group
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		entries, err = s.EntriesByID(gctx, refs)
		return err
	})
	g.Go(func() (err error) {
		found, err = groups.OfEach(gctx, s, grouped)
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	if inc.prefetched.entries == nil {
		inc.prefetched = prefetched{map[content.Reference]*cms.Entry{}, map[content.Reference]*groups.Group{}}
	}
	for i, r := range refs {
		inc.prefetched.entries[r] = entries[i]
	}
	for i, r := range grouped {
		inc.prefetched.groups[r] = found[i]
		for _, id := range found[i].Members {
			inc.prefetched.groups[content.Reference{Model: r.Model, ID: id}] = found[i]
		}
	}
	return nil
}

// nextReferences returns the references of the next level: those in the entries that slots refer
// to, and in the members of their groups, as far as these were read.
func (inc *Include) nextReferences(slots []slot) []content.Reference {
	var next []slot
	for _, sl := range slots {
		for _, r := range references([]slot{sl}) {
			members := []string{r.ID}
			if g := inc.prefetched.groups[r]; g != nil {
				members = slices.AppendSeq(members, maps.Values(g.Members))
			}
			for _, id := range members {
				if e := inc.prefetched.entries[content.Reference{Model: r.Model, ID: id}]; e != nil {
					next = gather(next, maps.Clone(e.Data), sl.node.targetFor(r.Model.Slug).children, nil)
				}
			}
		}
	}
	return inc.lackingGroups(references(next))
}

// entries reads the entries that slots refer to; refs are their references. With a Chain, each is
// replaced by its best translation.
func (inc *Include) entries(ctx context.Context, s *content.Store, slots []slot,
	refs []content.Reference) ([]*cms.Entry, error) {
	if inc.Chain == nil {
		return s.EntriesByID(ctx, refs)
	}
	if err := inc.readEntries(ctx, s, nil, inc.lackingGroups(refs)); err != nil {
		return nil, err
	}
	var missing []content.Reference
	for _, r := range refs {
		own := ""
		candidates := []string{r.ID}
		if g := inc.prefetched.groups[r]; g != nil {
			if e := inc.prefetched.entries[r]; e != nil {
				own = e.Locale
			} else {
				own = g.LocaleOf(r.ID)
			}
			candidates = append(candidates, translations.Better(inc.Chain, own, g)...)
		}
		for _, id := range candidates {
			c := content.Reference{Model: r.Model, ID: id}
			if _, known := inc.prefetched.entries[c]; !known {
				missing = append(missing, c)
			}
		}
	}
	if len(missing) > 0 {
		if err := inc.readEntries(ctx, s, missing, inc.nextReferences(slots)); err != nil {
			return nil, err
		}
	}
	entries := make([]*cms.Entry, len(refs))
	for i, r := range refs {
		if entries[i] = inc.prefetched.entries[r]; entries[i] != nil && inc.shows(r.Model, entries[i]) && r.Model.Localized {
			inc.Tags.Model(r.Model.Slug) // a translation that is published later replaces this one
			entries[i] = inc.best(r, entries[i])
			inc.Tags.Entry(r.Model.Slug, entries[i].ID)
		}
	}
	return entries, nil
}

// best returns the best translation of an entry, or the entry itself if there is none.
func (inc *Include) best(r content.Reference, e *cms.Entry) *cms.Entry {
	c := translations.Candidate{Model: r.Model, Entry: e, Group: inc.prefetched.groups[r]}
	byID := map[string]*cms.Entry{}
	for _, id := range translations.Better(inc.Chain, e.Locale, c.Group) {
		if better := inc.prefetched.entries[content.Reference{Model: r.Model, ID: id}]; better != nil &&
			inc.shows(r.Model, better) {
			byID[id] = better
		}
	}
	if better := c.Best(inc.Chain, func(e *cms.Entry) bool { return inc.shows(r.Model, e) }, byID); better != nil {
		return better
	}
	return e
}

// replaceTranslated returns refs with the ids of the entries that replace the original ones.
func replaceTranslated(refs []content.Reference, entries []*cms.Entry) []content.Reference {
	list := make([]content.Reference, len(refs))
	for i, r := range refs {
		if list[i] = r; entries[i] != nil {
			list[i].ID = entries[i].ID
		}
	}
	return list
}
