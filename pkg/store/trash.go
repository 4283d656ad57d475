package store

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// TrashDays is how long a deleted entry can be restored.
const TrashDays = 90

// Trashed is an entry in the trash (decisions §9).
type Trashed struct {
	ID        string     `json:"id"`
	Model     string     `json:"model"` // slug of the model
	Title     string     `json:"title"`
	Slug      string     `json:"slug"`
	Locale    string     `json:"locale"`
	Status    cms.Status `json:"status"`
	DeletedAt cms.Time   `json:"deleted_at"`
}

// trashedEntry is what the trash keeps: found by the entry's id, listed by time.
type trashedEntry struct {
	ModelID   string     `json:"model_id"`
	DeletedAt cms.Time   `json:"deleted_at"`
	Entry     *cms.Entry `json:"entry"`
}

// TrashRecord is an entry in the trash, read for a change.
type TrashRecord struct {
	Entry     *cms.Entry
	ModelID   string
	DeletedAt cms.Time
	pending   *pendingChange // its removal, until it is merged
}

// TrashEntry moves an entry to the trash; e is the entry as deleted, its version one more.
func (t *Tx) TrashEntry(m *Model, was *EntryRecord, e *cms.Entry, actor cms.Actor, event string) {
	t.removeEntry(m, was)
	item := table.Item{Key: trashIDKey(e.ID), Version: e.Version, Body: packSeldom(mustMarshal(trashedEntry{m.ID, t.at, e}))}
	t.put(item)
	t.put(table.Item{Key: trashKey(t.at.Time, e.ID), Body: []byte(e.ID)})
	t.add(trashCountKey(t.shard), 1)
	t.putRevision(m, e, actor, event)
}

// FromTrash reads an entry in the trash for a change; ErrNotFound when it is not there.
func (s *Store) FromTrash(ctx context.Context, id string) (*TrashRecord, error) {
	rec, err := s.trashed(ctx, id)
	if err != nil {
		return nil, err
	}
	rec.pending, err = s.pendingChange(ctx, rec.ModelID, uuid.MustParse(rec.Entry.ID))
	return rec, err
}

// trashed reads an entry in the trash, to be shown.
func (s *Store) trashed(ctx context.Context, id string) (*TrashRecord, error) {
	item, err := s.get(ctx, trashIDKey(id))
	if err != nil {
		return nil, err
	}
	raw, err := unpack(item.Body)
	if err != nil {
		return nil, err
	}
	var d trashedEntry
	if err := cms.Unmarshal(raw, &d); err != nil {
		return nil, err
	}
	return &TrashRecord{Entry: d.Entry, ModelID: d.ModelID, DeletedAt: d.DeletedAt}, nil
}

// leaveTrash removes an entry from the trash, as read.
func (t *Tx) leaveTrash(rec *TrashRecord) {
	t.remove(trashIDKey(rec.Entry.ID), rec.Entry.Version)
	t.delete(trashKey(rec.DeletedAt.Time, rec.Entry.ID))
	t.add(trashCountKey(t.shard), -1)
}

// RestoreEntry brings an entry back from the trash; e is the entry as restored, its version one more.
func (t *Tx) RestoreEntry(m *Model, rec *TrashRecord, e *cms.Entry, actor cms.Actor, event string) {
	t.leaveTrash(rec)
	t.claim(m, nil, e)
	t.putEntry(m, &EntryRecord{pending: rec.pending}, e, uniques(m, m.place(e.Locale), e))
	t.putRevision(m, e, actor, event)
}

// PurgeEntry removes an entry from the trash for good; its revisions go by DeleteRevisions.
func (t *Tx) PurgeEntry(rec *TrashRecord) { t.leaveTrash(rec) }

// DeleteRevisions removes what is left of a purged entry.
func (s *Store) DeleteRevisions(ctx context.Context, modelID, id string) error {
	items, err := s.table.Query(ctx, table.Range{Partition: entryPartition(modelID, id), Prefix: revisionPrefix})
	if err != nil {
		return err
	}
	keys := make([]table.Key, len(items))
	for i := range items {
		keys[i] = items[i].Key
	}
	return s.table.BatchWrite(ctx, nil, keys)
}

// Trash lists the trash, what was deleted last first.
func (s *Store) Trash(ctx context.Context, site *Site, p Paging) (Page[Trashed], error) {
	page := Page[Trashed]{Paging: p, Items: []Trashed{}}
	counts, err := s.table.Query(ctx, table.Range{Partition: trashCountKey(0).Partition})
	if err != nil {
		return page, err
	}
	for _, c := range counts {
		page.Total += int(c.Count)
	}
	rows, err := s.table.Query(ctx, table.Range{Partition: trashPartition, Reverse: true, Limit: p.Offset() + p.PerPage})
	if err != nil {
		return page, err
	}
	for _, row := range PageOf(rows, p).Items {
		rec, err := s.trashed(ctx, string(row.Body))
		if errors.Is(err, ErrNotFound) {
			continue // restored meanwhile
		}
		if err != nil {
			return page, err
		}
		item := Trashed{ID: rec.Entry.ID, Title: rec.Entry.Title, Slug: rec.Entry.Slug, Locale: rec.Entry.Locale,
			Status: rec.Entry.Status, DeletedAt: rec.DeletedAt}
		if m := site.ModelByID(rec.ModelID); m != nil {
			item.Model = m.Slug
		}
		page.Items = append(page.Items, item)
	}
	return page, nil
}

// ExpiredTrash lists up to limit ids of entries that were deleted before a time, oldest first.
func (s *Store) ExpiredTrash(ctx context.Context, before time.Time, limit int) ([]string, error) {
	rows, err := s.table.Query(ctx, table.Range{Partition: trashPartition, To: timeBytes(before), Limit: limit})
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = string(rows[i].Body)
	}
	return ids, err
}
