package store

import (
	"context"
	"encoding/json"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Revision is the content of an entry as one save left it (decisions §2).
type Revision struct {
	Version int64           `json:"version"`
	Actor   *string         `json:"actor"`
	Time    cms.Time        `json:"time"`
	Event   string          `json:"event"`
	Entry   json.RawMessage `json:"entry"`
}

func (t *Tx) putRevision(m *Model, e *cms.Entry, actor cms.Actor, event string) {
	r := Revision{Version: e.Version, Time: t.at, Event: event, Entry: mustMarshal(e)}
	if actor.Name != "" {
		r.Actor = &actor.Name
	}
	t.put(table.Item{Key: revisionKey(m.ID, e.ID, e.Version), Body: packSeldom(mustMarshal(r))})
	if e.Version > maxRevisions {
		t.delete(revisionKey(m.ID, e.ID, e.Version-maxRevisions))
	}
}

// Revisions lists the revisions of an entry, newest first.
func (s *Store) Revisions(ctx context.Context, m *Model, id string, p Paging) (Page[Revision], error) {
	items, err := s.table.Query(ctx, table.Range{Partition: entryPartition(m.ID, id), Prefix: revisionPrefix, Reverse: true})
	if err != nil {
		return Page[Revision]{}, err
	}
	page := PageOf(items, p)
	revisions := Page[Revision]{Paging: p, Total: page.Total, Items: make([]Revision, len(page.Items))}
	for i := range page.Items {
		if err := unmarshal(page.Items[i].Body, &revisions.Items[i]); err != nil {
			return revisions, err
		}
	}
	return revisions, nil
}

// Revision reads one revision with its entry; ErrNotFound when it is not kept.
func (s *Store) Revision(ctx context.Context, m *Model, id string, version int64) (*cms.Entry, error) {
	item, err := s.get(ctx, revisionKey(m.ID, id, version))
	if err != nil {
		return nil, err
	}
	var r Revision
	if err := unmarshal(item.Body, &r); err != nil {
		return nil, err
	}
	return decodeEntryJSON(r.Entry)
}
