package translations

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

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

// few is up to how many entries the groups of each are read: more are found by reading the groups
// of the model.
const few = 100

// Choose lets a list find only what a filter chooses. It reads index rows and groups, 16,000 of
// each at most: QUERY_NOT_INDEXED where there are more.
func Choose(ctx context.Context, s *content.Store, now *site.Site, m *site.Model,
	q *search.EntryQuery, f Filter) error {
	locales := slices.DeleteFunc(slices.Clone(q.Locales),
		func(code string) bool { return slices.Contains(f.Missing, code) })
	chosen := &search.Chosen{Only: map[uuid.UUID]string{}, Name: f.name()}
	q.Chosen = chosen
	if !m.Localized && slices.Contains(f.Missing, now.Default) || len(locales) == 0 {
		return nil
	}
	if m.Localized {
		q.Locales = locales // what is in another of them is not missing there
	}
	ctx = cms.WithPermissions(ctx, nil) // only whether a translation is missing or newer is told
	spaces := m.Spaces(locales, q.Statuses)
	rows, err := rowsIn(ctx, s, spaces, index.DefaultPath, few+1)
	if err != nil {
		return err
	}
	if len(rows) <= few {
		return chooseOf(ctx, s, now, m, f, rows, chosen)
	}
	all, err := groups.All(ctx, s, m, index.MaxCollect+1)
	if err != nil {
		return err
	}
	if len(all) > index.MaxCollect {
		return index.ErrNotIndexed
	}
	chosen.Only, chosen.Except = nil, map[uuid.UUID]bool{}
	for _, g := range all {
		if !f.found(g) {
			continue
		}
		for code, id := range g.Members {
			chosen.Except[uuid.MustParse(id)] = true
			if slices.Contains(q.Locales, code) {
				chosen.Here++
			}
		}
	}
	if !m.Localized || len(q.Statuses) < len(cms.Statuses) {
		chosen.Here = -1
	}
	if f.Outdated != nil {
		originals := m.Spaces([]string{now.Default}, cms.Statuses)
		return chooseByAge(ctx, s, now.Default, spaces, originals, all, *f.Outdated, chosen)
	}
	return nil
}

// found reports whether a group has a member in a locale in which it should be missing.
func (f Filter) found(g *groups.Group) bool {
	return slices.ContainsFunc(f.Missing, func(code string) bool { return g.Members[code] != "" })
}

// chooseOf chooses among a few entries, by their groups.
func chooseOf(ctx context.Context, s *content.Store, now *site.Site, m *site.Model, f Filter,
	rows []row, chosen *search.Chosen) error {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.id.String()
	}
	of, err := groups.Of(ctx, s, m, ids)
	if err != nil {
		return err
	}
	var refs []content.Reference // pairs of an entry and its original, for those that have one
	for i, id := range ids {
		original := of[i].Members[now.Default]
		if f.Outdated != nil && original != "" && original != id {
			refs = append(refs, content.Reference{Model: m, ID: id},
				content.Reference{Model: m, ID: original})
		}
	}
	entries, err := s.EntriesByID(ctx, refs)
	if err != nil {
		return err
	}
	outdated := map[string]bool{}
	for i := 0; i < len(entries); i += 2 {
		e, original := entries[i], entries[i+1]
		outdated[refs[i].ID] = e != nil && original != nil && original.Locale == now.Default &&
			e.UpdatedAt.Before(original.UpdatedAt.Time)
	}
	for i, r := range rows {
		if !f.found(of[i]) && (f.Outdated == nil || outdated[ids[i]] == *f.Outdated) {
			chosen.Only[r.id] = r.space
		}
	}
	return nil
}

// chooseByAge chooses the entries of some spaces that were changed before their originals were, or
// those that were not, by the rows of when they were changed.
func chooseByAge(ctx context.Context, s *content.Store, original string, spaces, originals []string,
	all []*groups.Group, outdated bool, chosen *search.Chosen) error {
	changed := map[uuid.UUID]string{} // originals, by what the rows have as the time
	rows, err := rowsIn(ctx, s, originals, "updated_at", index.MaxCollect+1)
	if err != nil {
		return err
	}
	for _, r := range rows {
		changed[r.id] = r.value
	}
	originalOf := map[uuid.UUID]string{}
	for _, g := range all {
		if id := g.Members[original]; id != "" {
			for _, member := range g.Members {
				originalOf[uuid.MustParse(member)] = changed[uuid.MustParse(id)]
			}
		}
	}
	if rows, err = rowsIn(ctx, s, spaces, "updated_at", index.MaxCollect+1); err != nil {
		return err
	}
	chosen.Only = map[uuid.UUID]string{}
	for _, r := range rows {
		if r.value < originalOf[r.id] == outdated && !chosen.Except[r.id] {
			chosen.Only[r.id] = r.space
		}
	}
	return nil
}

// row is an index row of an entry.
type row struct {
	id           uuid.UUID
	space, value string
}

// rowsIn reads the rows of a path in some spaces, one an entry, and stops at a number of rows.
// QUERY_NOT_INDEXED where there are more than a list may read.
func rowsIn(ctx context.Context, s *content.Store, spaces []string, path string, most int) ([]row, error) {
	seen := map[uuid.UUID]bool{}
	var rows []row
	for _, space := range spaces {
		items, err := s.Table.Query(ctx, table.Range{
			Partition: index.RowPartition(space, path), Limit: most - len(rows),
		})
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			if id := index.RowID(item.Key); !seen[id] {
				seen[id] = true
				rows = append(rows, row{id, space, index.RowValue(item.Key)})
			}
		}
		if len(rows) > index.MaxCollect {
			return nil, index.ErrNotIndexed
		}
		if len(rows) >= most {
			break
		}
	}
	return rows, nil
}
