package undo

import (
	"cmp"
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Change is a change of an entry by a release.
type Change struct {
	At      int64  `json:"at"` // nanoseconds, and a number: two changes may have the same time
	ModelID string `json:"model_id"`
	ID      string `json:"id"`      // of the entry
	Version int64  `json:"version"` // of the entry after it

	key table.Key
}

// Note adds the row of a change to its transaction. before is the number of changes by the release before it.
func Note(tx *db.Tx, m *site.Model, releaseID string, before int) {
	if e, ok := tx.Made.(*cms.Entry); ok {
		c := Change{At: tx.At().UnixNano() + int64(before), ModelID: m.ID, ID: e.ID, Version: e.Version}
		tx.Put(table.Item{Key: key(releaseID, c), Body: db.Pack(c)})
	}
}

// Of lists the changes by a release that were not taken back, the last one first. With the id of an entry, it lists
// only the last one of that entry.
func Of(ctx context.Context, s *content.Store, releaseID, entryID string) ([]Change, error) {
	r := table.Range{Partition: partition(releaseID), Prefix: changePrefix + entryID, Reverse: true}
	if entryID != "" {
		r.Limit = 1
	}
	rows, err := s.Table.Query(ctx, r)
	list := make([]Change, len(rows))
	for i, row := range rows {
		list[i].key = row.Key
		if err := db.Unpack(row.Body, &list[i]); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return cmp.Compare(b.At, a.At) })
	return list, err
}

// Take deletes the row of a change. The commit returns taken if another one has.
func (c Change) Take(tx *db.Tx, taken error) {
	tx.Take(c.key, taken)
}

// SetJob stores which job takes back the changes by a release.
func SetJob(tx *db.Tx, releaseID, job string) {
	tx.Put(table.Item{Key: jobKey(releaseID), Body: []byte(job)})
}

// Job returns the id of the job that takes back the changes by a release, or did so last; "" if there is none.
func Job(ctx context.Context, s *content.Store, releaseID string) (string, error) {
	item, err := s.Get(ctx, jobKey(releaseID))
	if err != nil {
		return "", db.Missing(err, nil)
	}
	return string(item.Body), nil
}

// Drop deletes the rows of all changes by a release.
func Drop(ctx context.Context, s *content.Store, releaseID string) error {
	list, err := Of(ctx, s, releaseID, "")
	if err != nil || len(list) == 0 {
		return err
	}
	return s.Table.BatchWrite(ctx, nil, slice.Map(list, func(c Change) table.Key { return c.key }))
}
