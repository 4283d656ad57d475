package content

import (
	"context"
	"encoding/binary"
	"encoding/json"

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
	// Draft is the number of a revision of the entry's drafts, 0 for one of the entry itself.
	Draft int64 `json:"-"`
}

func putRevision(t *db.Tx, m *site.Model, e *cms.Entry, actor cms.Actor, event string) {
	r := Revision{UserID: actor.UserID, Version: e.Version, Time: t.Time, Event: event, Entry: db.MustMarshal(e.Stored())}
	if actor.Name != "" {
		r.Actor = &actor.Name
	}
	t.Put(table.Item{Key: revisionKey(m.ID, e.ID, e.Version), Body: db.PackSeldom(db.MustMarshal(r))})
	if e.Version > MaxRevisions {
		t.Delete(revisionKey(m.ID, e.ID, e.Version-MaxRevisions))
	}
}

// Revisions lists the revisions of an entry, newest first.
func (s *Store) Revisions(ctx context.Context, m *site.Model, id string,
	p db.Paging) (db.Page[Revision], error) {
	page := db.Page[Revision]{Paging: p, Items: []Revision{}}
	newest, err := s.Table.Query(ctx, table.Range{Partition: entryPartition(m.ID, id),
		Prefix: revisionPrefix, Reverse: true, Limit: 1})
	if err != nil || len(newest) == 0 {
		return page, err
	}
	last := int64(binary.BigEndian.Uint64([]byte(newest[0].Sort[len(revisionPrefix):])))
	page.Total = int(min(last, MaxRevisions)) // each version leaves one
	var keys []table.Key
	for n := p.Offset(); n < min(p.Offset()+p.PerPage, page.Total); n++ {
		keys = append(keys, revisionKey(m.ID, id, last-int64(n)))
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return page, err
	}
	for _, item := range items {
		if item == nil {
			continue // deleted in the meantime because of a newer version
		}
		var r Revision
		if err := db.Unmarshal(item.Body, &r); err != nil {
			return page, err
		}
		if err := r.rename(m); err != nil {
			return page, err
		}
		page.Items = append(page.Items, r)
	}
	return page, nil
}

// rename puts the content of a revision under the present names of the fields of its model.
func (r *Revision) rename(m *site.Model) error {
	if len(m.Renames) == 0 {
		return nil
	}
	e, err := decodeEntryJSON(r.Entry)
	if err == nil && m.RenameData(e.Data) {
		r.Entry, err = cms.Marshal(e.Stored())
	}
	return err
}

// Revision reads the entry of one revision; ErrNotFound if it is no longer kept.
func (s *Store) Revision(ctx context.Context, m *site.Model, id string, version int64) (*cms.Entry, error) {
	item, err := s.Get(ctx, revisionKey(m.ID, id, version))
	if err != nil {
		return nil, err
	}
	var r Revision
	if err := db.Unmarshal(item.Body, &r); err != nil {
		return nil, err
	}
	e, err := decodeEntryJSON(r.Entry)
	if err == nil {
		m.RenameData(e.Data)
	}
	return e, err
}
