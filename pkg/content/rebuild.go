package content

import (
	"context"
	"maps"
	"slices"

	"headless/pkg/fulltext"
	"headless/pkg/index"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Upgrade brings a table of the format before this one up to date, which had another text index: it
// builds the index from all entries. progress is called from time to time. If the process ends, the
// next call continues.
func (s *Store) Upgrade(ctx context.Context, progress func(entries int)) error {
	return s.Store.Upgrade(ctx, func(ctx context.Context, now *site.Site) error {
		models := map[string]*site.Model{} // by space
		for _, m := range now.Models {
			locales := append(now.Codes(), site.SharedLocale)
			for _, space := range site.SpacesIn(m.ID, m.Gen, locales) {
				models[space] = m.Next()
			}
			if m.Building() {
				for _, space := range m.FormerSpaces(now) {
					models[space] = m
				}
			}
		}
		return s.texts.Rebuild(ctx, slices.Collect(maps.Keys(models)),
			func(ctx context.Context, space string, rows []table.Item) ([]fulltext.Entry, error) {
				return s.textsOf(ctx, models[space], space, rows)
			}, progress)
	})
}

// textsOf reads the entries of some rows of a space.
func (s *Store) textsOf(ctx context.Context, m *site.Model, space string,
	rows []table.Item) (list []fulltext.Entry, err error) {
	for part := range slices.Chunk(rows, index.LoadChunk) {
		keys := slice.Map(part, func(row table.Item) table.Key { return entryKey(m.ID, index.RowID(row.Key).String()) })
		items, err := s.Table.Get(ctx, table.Strong, keys...)
		if err != nil {
			return nil, err
		}
		for i, item := range items {
			if item == nil {
				continue
			}
			e, err := decodeEntry(m, item)
			if err != nil {
				return nil, err
			}
			x := m.Spec().Index(space, e)
			list = append(list, fulltext.Entry{ID: index.RowID(part[i].Key), Change: textOf(m, &x, e)})
		}
	}
	return list, nil
}
