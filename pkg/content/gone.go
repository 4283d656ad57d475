package content

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/index/totals"
	"headless/pkg/site"
	"headless/pkg/table"
)

// goneAfter is how long a replaced generation may still be used: longer than any request takes.
const goneAfter = time.Minute

// DropIndexes removes replaced generations and those of deleted models. The next run continues.
func (s *Store) DropIndexes(ctx context.Context) error {
	rows, err := s.Table.Query(ctx, table.Range{Partition: site.GonePartition})
	if err != nil {
		return err
	}
	var errs []error
	for _, row := range rows {
		var g site.Gone
		if err := json.Unmarshal(row.Body, &g); err != nil {
			errs = append(errs, err)
			continue
		}
		if s.Now().Before(g.At.Add(goneAfter)) {
			continue
		}
		dropped, err := s.dropIndex(ctx, g)
		if dropped {
			err = s.Table.BatchWrite(ctx, nil, []table.Key{row.Key})
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// dropIndex removes a generation: its rows, counters, texts, manifests, and the claims that no
// other generation has. dropped reports whether all is removed. While a merge of counters
// runs, they stay, and the next run removes them.
func (s *Store) dropIndex(ctx context.Context, g site.Gone) (dropped bool, err error) {
	siteNow, err := s.Site(ctx)
	if err != nil {
		return false, err
	}
	if err := s.FinishRests(ctx); err != nil { // so that nothing is counted there later
		return false, err
	}
	m := siteNow.ModelByID(g.ModelID)
	if m != nil { // the entries that a crash left stale
		_, err = s.buildStale(ctx, m.ID)
	} else {
		err = s.DeleteAll(ctx, stalePartition(g.ModelID))
	}
	if err != nil {
		return false, err
	}
	spaces := site.SpacesIn(g.ModelID, g.Gen, g.KeyLocales)
	for _, space := range spaces {
		if err := s.dropSpace(ctx, m, g, space); err != nil {
			return false, err
		}
	}
	name := site.IndexName(g.ModelID, g.Gen)
	if dropped, err := totals.Drop(ctx, s.DB, name, spaces...); err != nil || !dropped {
		return false, err
	}
	return true, s.texts.Drop(ctx, name)
}

// dropSpace removes the rows of a space.
func (s *Store) dropSpace(ctx context.Context, m *site.Model, g site.Gone, space string) error {
	for {
		rows, err := s.Table.Query(ctx,
			table.Range{Partition: index.RowPartition(space, index.DefaultPath), Limit: index.LoadChunk})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return nil
		}
		keys, err := s.writtenFor(ctx, m, g, rows)
		if err != nil {
			return err
		}
		if err := s.Table.BatchWrite(ctx, nil, keys); err != nil {
			return err
		}
	}
}

// writtenFor returns the keys of all rows in a generation of the entries to which rows belong.
func (s *Store) writtenFor(ctx context.Context, m *site.Model, g site.Gone, rows []table.Item) ([]table.Key, error) {
	var written, claims []table.Key
	holder := map[table.Key]string{}
	for _, row := range rows {
		id := index.RowID(row.Key)
		gone, live, err := s.manifestsOf(ctx, m, g, id.String())
		if err != nil {
			return nil, err
		}
		for _, key := range gone.claims(&site.Model{Model: cms.Model{ID: g.ModelID}}) {
			if !slices.Contains(live, key) {
				claims, holder[key] = append(claims, key), id.String()
			}
		}
		for _, key := range gone.Index.Keys(id) {
			if key != row.Key {
				written = append(written, key)
			}
		}
		written = append(written, manifestKey(g.ModelID, id.String(), g.Gen), row.Key)
	}
	held, err := s.holders(ctx, claims)
	for key, id := range held {
		if id == holder[key] {
			written = append(written, key)
		}
	}
	return written, err
}

// manifestsOf reads an entry's manifest in a generation to remove, and its claims in the others.
func (s *Store) manifestsOf(ctx context.Context, m *site.Model, g site.Gone,
	id string) (gone manifest, live []table.Key, err error) {
	keys := []table.Key{manifestKey(g.ModelID, id, g.Gen)}
	if m != nil {
		keys = append(keys, manifestKey(m.ID, id, m.ListedGen()))
		if m.Building() {
			keys = append(keys, manifestKey(m.ID, id, m.Gen))
		}
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return gone, nil, err
	}
	for i, item := range items {
		if item == nil {
			continue
		}
		var x manifest
		if err := db.Unmarshal(item.Body, &x); err != nil {
			return gone, nil, err
		}
		if i == 0 {
			gone = x
		} else {
			live = append(live, x.claims(m)...)
		}
	}
	return gone, live, nil
}
