package content

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"iter"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Revision is the content of an entry after one save (decisions §2).
type Revision struct {
	Version int64           `json:"version"`
	Actor   *string         `json:"actor"`
	Time    cms.Time        `json:"time"`
	Event   string          `json:"event"`
	Entry   json.RawMessage `json:"entry"`
	UserID  string          `json:"user,omitempty"` // of the actor
	// Sharing means that the save gave the entry shared values of another member of its group, which is nobody's change
	// (extensions §11).
	Sharing bool `json:"sharing,omitempty"`
	Gen     int  `json:"gen,omitempty"` // of the names in Entry as stored; see site.Model.RenameData
	// From is the place in the tree before the save: that of the revision before, unless Reposition has changed it.
	From *cms.Spot `json:"from,omitempty"`
	// Draft is the number of a revision of the entry's drafts, 0 for one of the entry itself.
	Draft int64 `json:"-"`
}

// putRevision adds the revision of a save. was is nil for a new entry, and for moves to the trash and back.
func putRevision(t *db.Tx, m *site.Model, was *EntryRecord, e *cms.Entry, actor cms.Actor, event string) {
	r := Revision{UserID: actor.UserID, Version: e.Version, Time: t.Time, Event: event, Entry: db.MustMarshal(e.Stored()),
		Gen: m.Gen}
	if was != nil && was.Entry != nil {
		r.Sharing, r.From = was.Sharing, was.Entry.Spot
	}
	if actor.Name != "" {
		r.Actor = &actor.Name
	}
	t.Put(table.Item{Key: revisionKey(m.ID, e.ID, e.Version), Body: db.PackSeldom(db.MustMarshal(r))})
	if e.Version > MaxRevisions {
		t.Delete(revisionKey(m.ID, e.ID, e.Version-MaxRevisions))
	}
}

// Revisions returns how many revisions of an entry are kept, and reads them, newest first.
func (s *Store) Revisions(ctx context.Context, m *site.Model, id string) (kept int, each iter.Seq2[Revision, error],
	err error) {
	newest, err := s.Table.Query(ctx, table.Range{Partition: entryPartition(m.ID, id),
		Prefix: revisionPrefix, Reverse: true, Limit: 1})
	if err != nil || len(newest) == 0 {
		return 0, func(func(Revision, error) bool) {}, err
	}
	last := int64(binary.BigEndian.Uint64([]byte(newest[0].Sort[len(revisionPrefix):])))
	keys := make([]table.Key, min(last, MaxRevisions)) // each version leaves one
	for n := range keys {
		keys[n] = revisionKey(m.ID, id, last-int64(n))
	}
	return len(keys), readEach(ctx, s, m, keys, decodeRevision), nil
}

// readEach reads rows a few at a time, since each may be large. It leaves out those that were deleted meanwhile.
func readEach[T any](ctx context.Context, s *Store, m *site.Model, keys []table.Key,
	decode func(*site.Model, *table.Item) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for part := range slices.Chunk(keys, 10) {
			items, err := s.Table.Get(ctx, table.Strong, part...)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if item == nil {
					continue
				}
				if v, err := decode(m, item); !yield(v, err) {
					return
				}
			}
		}
	}
}

// decodeRevision reads a revision, with its content under the present names of the fields of its model.
func decodeRevision(m *site.Model, item *table.Item) (r Revision, err error) {
	if err = db.Unmarshal(item.Body, &r); err != nil || len(m.Renames) == 0 {
		return r, err
	}
	e, err := decodeEntryJSON(r.Entry)
	if err == nil && m.RenameData(r.Gen, e.Data) {
		r.Entry, err = cms.Marshal(e.Stored())
	}
	return r, err
}

// Revision reads the entry of one revision; ErrNotFound if it is no longer kept.
func (s *Store) Revision(ctx context.Context, m *site.Model, id string, version int64) (*cms.Entry, error) {
	_, e, err := s.revision(ctx, m, id, version)
	return e, err
}

func (s *Store) revision(ctx context.Context, m *site.Model, id string, v int64) (r Revision, e *cms.Entry, err error) {
	item, err := s.Get(ctx, revisionKey(m.ID, id, v))
	if err != nil {
		return r, nil, err
	}
	if r, err = decodeRevision(m, item); err == nil {
		e, err = decodeEntryJSON(r.Entry)
	}
	return r, e, err
}

// Around reads an entry before and after the save of a version; ErrNotFound if a revision is no longer kept.
func (s *Store) Around(ctx context.Context, m *site.Model, id string, version int64) (was, saved *cms.Entry,
	err error) {
	if was, err = s.Revision(ctx, m, id, version-1); err != nil {
		return nil, nil, err
	}
	r, saved, err := s.revision(ctx, m, id, version)
	if r.From != nil {
		was.Spot = r.From
	}
	return was, saved, err
}
