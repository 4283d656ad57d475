package content

import (
	"context"

	"github.com/google/uuid"

	"headless/pkg/coverage"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Coverage returns the coverage with which an entry is listed, as read for a change.
func (rec *EntryRecord) Coverage() coverage.Coverage { return coverage.Of(&rec.manifest.Index) }

// PutCoverage lists an entry with another coverage. The commit fails if the manifest changed since.
func PutCoverage(t *db.Tx, m *site.Model, rec *EntryRecord, to coverage.Coverage) {
	now, id := rec.manifest, uuid.MustParse(rec.Entry.ID)
	to.Set(&now.Index)
	index.Relabel(t, &rec.manifest.Index, &now.Index, id, rec.Entry.Version, m.Spec().Scalars(rec.Entry))
	now.Rest = false // it was done when the entry was read
	putManifest(t, manifestKey(m.ID, rec.Entry.ID, m.ListedGen()), rec, now)
	markStale(t, m, id)
}

// readIndexed reads the index content of some entries.
func (s *Store) readIndexed(ctx context.Context, m *site.Model, ids []uuid.UUID) ([]index.Indexed, error) {
	keys := slice.Map(ids, func(id uuid.UUID) table.Key { return manifestKey(m.ID, id.String(), m.ListedGen()) })
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	list := make([]index.Indexed, len(ids))
	for i := 0; i < len(items) && err == nil; i++ {
		var x manifest
		if items[i] != nil {
			err = db.Unmarshal(items[i].Body, &x)
		}
		list[i] = x.Index
	}
	return list, err
}
