package translations

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/index"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Filter chooses entries by their translations (extensions §3). The zero value chooses all.
type Filter struct {
	// Codes of locales: entries in other locales that have no translation in any of these.
	Missing  []string
	Outdated *bool // whether the entry was changed before its translation in the default locale was
}

// None reports whether the filter chooses all.
func (f Filter) None() bool { return len(f.Missing) == 0 && f.Outdated == nil }

// name tells filters apart in cursors.
func (f Filter) name() string {
	if f.Outdated == nil {
		return fmt.Sprint(f.Missing)
	}
	return fmt.Sprint(f.Missing, *f.Outdated)
}

// groupChunk is how many entries are looked at together.
const groupChunk = 500

// Choose finds the entries of a list that a filter chooses. It looks at each entry of the list's
// locales and statuses: QUERY_NOT_INDEXED where there are more than 16,000.
func Choose(ctx context.Context, s *content.Store, now *site.Site, m *site.Model,
	q search.EntryQuery, f Filter) (*search.Chosen, error) {
	found := &search.Chosen{IDs: map[uuid.UUID]bool{}, Name: f.name()}
	locales := slices.DeleteFunc(slices.Clone(q.Locales),
		func(code string) bool { return slices.Contains(f.Missing, code) })
	if !m.Localized && slices.Contains(f.Missing, now.Default) || len(locales) == 0 {
		return found, nil
	}
	all, err := idsIn(ctx, s, m, locales, q.Statuses)
	if err != nil {
		return nil, err
	}
	ctx = cms.WithPermissions(ctx, nil) // only whether a translation is missing or newer is told
	parts := make([][]uuid.UUID, 0, len(all)/groupChunk+1)
	for part := range slices.Chunk(all, groupChunk) {
		parts = append(parts, part)
	}
	kept := make([][]uuid.UUID, len(parts))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for i, part := range parts {
		g.Go(func() (err error) {
			kept[i], err = chosenOf(ctx, s, now, m, f, part)
			return err
		})
	}
	err = g.Wait()
	for _, id := range slices.Concat(kept...) {
		found.IDs[id] = true
	}
	return found, err
}

// chosenOf keeps those of some entries that a filter chooses.
func chosenOf(ctx context.Context, s *content.Store, now *site.Site, m *site.Model, f Filter,
	all []uuid.UUID) ([]uuid.UUID, error) {
	ids := make([]string, len(all))
	for i, id := range all {
		ids[i] = id.String()
	}
	of, err := groups.Of(ctx, s, m, ids)
	if err != nil {
		return nil, err
	}
	var kept []uuid.UUID
	var refs []content.Reference // pairs of an entry and its original, for those in kept that have one
	var pairs []uuid.UUID
	for i, id := range all {
		if slices.ContainsFunc(f.Missing, func(code string) bool { return of[i].Members[code] != "" }) {
			continue
		}
		kept = append(kept, id)
		if original := of[i].Members[now.Default]; f.Outdated != nil && original != "" &&
			original != ids[i] {
			refs, pairs = append(refs, content.Reference{Model: m, ID: ids[i]},
				content.Reference{Model: m, ID: original}), append(pairs, id)
		}
	}
	if f.Outdated == nil {
		return kept, nil
	}
	entries, err := s.EntriesByID(ctx, refs)
	if err != nil {
		return nil, err
	}
	outdated := map[uuid.UUID]bool{}
	for i, id := range pairs {
		e, original := entries[2*i], entries[2*i+1]
		outdated[id] = e != nil && original != nil && original.Locale == now.Default &&
			e.UpdatedAt.Before(original.UpdatedAt.Time)
	}
	return slices.DeleteFunc(kept, func(id uuid.UUID) bool { return outdated[id] != *f.Outdated }), nil
}

// idsIn are the ids of a model's entries in some locales and statuses. QUERY_NOT_INDEXED where
// there are more than 16,000.
func idsIn(ctx context.Context, s *content.Store, m *site.Model, locales []string,
	statuses []cms.Status) ([]uuid.UUID, error) {
	seen := map[uuid.UUID]bool{}
	var ids []uuid.UUID
	for _, space := range m.Spaces(locales, statuses) {
		rows, err := s.Table.Query(ctx, table.Range{
			Partition: index.RowPartition(space, index.DefaultPath), Limit: index.MaxCollect + 1 - len(ids),
		})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			id := index.RowID(row.Key)
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
		if len(ids) > index.MaxCollect {
			return nil, index.ErrNotIndexed
		}
	}
	return ids, nil
}
