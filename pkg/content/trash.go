package content

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/content/drafted"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/index/totals"
	"headless/pkg/redirects"
	"headless/pkg/refs"
	"headless/pkg/site"
	"headless/pkg/slice"
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
	DeletedAt cms.Time   `json:"deleted_at"`
	Locale    string     `json:"locale"`
	Status    cms.Status `json:"status"`
}

// trashedEntry is the stored form of an entry in the trash. It is found by id and listed by time.
type trashedEntry struct {
	ModelID   string     `json:"model_id"`
	DeletedAt cms.Time   `json:"deleted_at"`
	Entry     *cms.Entry `json:"entry"`
	Gen       int        `json:"gen,omitempty"` // see site.Model.RenameData
}

// TrashRecord is an entry in the trash, read for a change.
type TrashRecord struct {
	Entry     *cms.Entry
	ModelID   string
	DeletedAt cms.Time
}

// TrashEntry moves an entry to the trash. e is the deleted entry, its version one higher.
func TrashEntry(t *db.Tx, m *site.Model, was *EntryRecord, e *cms.Entry, actor cms.Actor, event string) {
	need(t, cms.ActionDelete, m, e)
	removeEntry(t, m, was)
	item := table.Item{Key: trashIDKey(e.ID), Version: e.Version,
		Body: db.PackSeldom(db.MustMarshal(trashedEntry{m.ID, t.Time, e.Stored(), m.Gen}))}
	t.Create(item, cms.Errorf(cms.CodeConflict, "An entry of this id is in the trash already."))
	t.Put(table.Item{Key: trashKey(t.Time.Time, e.ID), Body: []byte(e.ID)})
	totals.Count(t, trashCounter, 1)
	putRevision(t, m, nil, e, actor, event)
	entryChanged(t, m, was.Entry, nil, false)
	drafted.Note(t, m, e, true)
	if was.review != nil {
		approval.End(t, m, e.ID, was.review)
	}
}

// FromTrash reads an entry in the trash for a change. It returns ErrNotFound if it is not there.
func (s *Store) FromTrash(ctx context.Context, site *site.Site, id string) (*TrashRecord, error) {
	item, err := s.Get(ctx, trashIDKey(id))
	if err != nil {
		return nil, err
	}
	return decodeTrashed(site, item)
}

// FinishDeletion does the rest of an entry's deletion, so that the entry can be restored to its model.
func (s *Store) FinishDeletion(ctx context.Context, m *site.Model, rec *TrashRecord) error {
	return s.FinishRest(ctx, restName(m.ID, rec.Entry.ID, m.ListedGen()))
}

// decodeTrashed reads an entry in the trash, with the current names of its fields.
func decodeTrashed(site *site.Site, item *table.Item) (*TrashRecord, error) {
	raw, err := db.UnpackBytes(item.Body)
	if err != nil {
		return nil, err
	}
	var d trashedEntry
	if err := cms.Unmarshal(raw, &d); err != nil {
		return nil, err
	}
	if m := site.ModelByID(d.ModelID); m != nil {
		m.RenameData(d.Gen, d.Entry.Data)
	}
	return &TrashRecord{Entry: d.Entry, ModelID: d.ModelID, DeletedAt: d.DeletedAt}, nil
}

// leaveTrash removes an entry from the trash, as read.
func leaveTrash(t *db.Tx, rest *db.Rest, rec *TrashRecord) {
	t.Remove(trashIDKey(rec.Entry.ID), rec.Entry.Version)
	rest.Delete(trashKey(rec.DeletedAt.Time, rec.Entry.ID))
	totals.Count(t, trashCounter, -1)
}

// RestoreEntry restores an entry from the trash. e is the restored entry, its version one higher.
func RestoreEntry(t *db.Tx, m *site.Model, rec *TrashRecord, e *cms.Entry, actor cms.Actor, event string) {
	need(t, cms.ActionWrite, m, e)
	rest := &db.Rest{}
	leaveTrash(t, rest, rec)
	t.Refer(db.Holder{Kind: db.HolderEntry, ModelID: m.ID, ID: e.ID}, nil, refs.TargetsOf(e), nil)
	t.Unmark(e.ID) // saves may refer to it again
	addClaim(t, m, nil, e)
	putEntry(t, rest, m, &EntryRecord{}, e, uniques(m, m.KeyLocale(e.Locale), e))
	putRevision(t, m, nil, e, actor, event)
	entryChanged(t, m, nil, e, false)
	drafted.Note(t, m, e, false)
}

// PurgeEntry removes an entry from the trash for good. DeleteRevisions removes its revisions and
// its draft afterwards; a row is kept until that is done.
func PurgeEntry(t *db.Tx, rec *TrashRecord) {
	rest := &db.Rest{}
	leaveTrash(t, rest, rec)
	rest.AddTo(t)
	redirects.Forget(t, rec.ModelID, rec.Entry.ID)
	t.Put(table.Item{Key: entryGoneKey(rec.ModelID, rec.Entry.ID)})
}

// deleteTogether is how many revisions are read and deleted together; each may be large.
const deleteTogether = 10

// DeleteRevisions removes the remaining rows of a purged entry.
func (s *Store) DeleteRevisions(ctx context.Context, modelID, id string) error {
	// Remove the entry from the generation that is being built.
	if err := s.build(ctx, modelID, uuid.MustParse(id)); err != nil {
		return err
	}
	for {
		items, err := s.Table.Query(ctx, table.Range{Partition: entryPartition(modelID, id), Limit: deleteTogether})
		if err != nil {
			return err
		}
		if len(items) == 0 {
			return s.Table.BatchWrite(ctx, nil, append(drafted.Keys(modelID, id), entryGoneKey(modelID, id)))
		}
		keys := make([]table.Key, len(items))
		for i := range items {
			keys[i] = items[i].Key
			if !strings.HasPrefix(keys[i].Sort, manifestPrefix) {
				continue
			}
			// Its generation is not dropped yet, and nothing else leads to its rows.
			var of manifest
			if err := db.Unmarshal(items[i].Body, &of); err != nil {
				return err
			}
			if err := s.Table.BatchWrite(ctx, nil, of.Index.Keys(uuid.MustParse(id))); err != nil {
				return err
			}
		}
		if err := s.Table.BatchWrite(ctx, nil, keys); err != nil {
			return err
		}
	}
}

// DeleteLeftRevisions calls DeleteRevisions for up to limit entries for which a crash prevented it.
func (s *Store) DeleteLeftRevisions(ctx context.Context, limit int) error {
	rows, err := s.Table.Query(ctx, table.Range{Partition: entryGonePartition, Limit: limit})
	if err != nil {
		return err
	}
	for _, row := range rows {
		modelID, id, _ := strings.Cut(row.Sort, "/")
		if err := s.DeleteRevisions(ctx, modelID, id); err != nil {
			return err
		}
	}
	return nil
}

// Trash lists the trash, the latest deletion first. With keep, it lists the entries that keep accepts
// among the latest ones.
func (s *Store) Trash(ctx context.Context, site *site.Site, keep func(Trashed) bool,
	p db.Paging) (db.Page[Trashed], error) {
	if cms.PermissionsOf(ctx) != nil || keep != nil {
		return s.searchTrash(ctx, site, keep, p)
	}
	page := db.Page[Trashed]{Paging: p, Items: []Trashed{}}
	n, err := totals.Of(ctx, s.DB, []string{TrashSpace}, totals.All)
	if err != nil {
		return page, err
	}
	page.Total = n[0]
	if p.Offset() >= page.Total {
		return page, nil // past the end
	}
	if p.Offset()+p.PerPage > index.MaxCollect {
		return page, cms.Errorf(cms.CodeQueryNotIndexed,
			"The trash is listed up to its first %d entries.", index.MaxCollect)
	}
	rows, err := s.Table.Query(ctx, table.Range{Partition: trashPartition, Reverse: true,
		Limit: p.Offset() + p.PerPage})
	if err != nil {
		return page, err
	}
	page.Items, err = s.Trashed(ctx, site, page.Items, trashedIDs(db.PageOf(rows, p).Items), nil)
	return page, err
}

func trashedIDs(rows []table.Item) []string {
	return slice.Map(rows, func(row table.Item) string { return string(row.Body) })
}

// Trashed adds those of some entries to list that are in the trash, may be read, and are accepted by keep, if
// there is one. It reads them in one round trip.
func (s *Store) Trashed(ctx context.Context, site *site.Site, list []Trashed, ids []string,
	keep func(Trashed) bool) ([]Trashed, error) {
	items, err := s.Table.Get(ctx, table.Strong, slice.Map(ids, trashIDKey)...)
	if err != nil {
		return list, err
	}
	for _, found := range items {
		if found == nil {
			continue // restored, or deleted for good
		}
		rec, err := decodeTrashed(site, found)
		if err != nil {
			return list, err
		}
		if t := rec.toShown(site); ReadableTrash(ctx, site, rec) && (keep == nil || keep(t)) {
			list = append(list, t)
		}
	}
	return list, nil
}

func (rec *TrashRecord) toShown(site *site.Site) Trashed {
	item := Trashed{ID: rec.Entry.ID, Title: rec.Entry.Title, Slug: rec.Entry.Slug, Locale: rec.Entry.Locale,
		Status: rec.Entry.Status, DeletedAt: rec.DeletedAt}
	if m := site.ModelByID(rec.ModelID); m != nil {
		item.Model = m.Slug
	}
	return item
}

// maxTrashScan is how many deleted entries a search reads, and trashPart how many of them at a time.
const maxTrashScan, trashPart = 500, 100

// searchTrash is Trash among the maxTrashScan latest deletions.
func (s *Store) searchTrash(ctx context.Context, site *site.Site, keep func(Trashed) bool,
	p db.Paging) (db.Page[Trashed], error) {
	none, found := db.Page[Trashed]{Paging: p, Items: []Trashed{}}, []Trashed{}
	rows, err := s.Table.Query(ctx, table.Range{Partition: trashPartition, Reverse: true, Limit: maxTrashScan})
	if err != nil {
		return none, err
	}
	for part := range slices.Chunk(rows, trashPart) {
		if found, err = s.Trashed(ctx, site, found, trashedIDs(part), keep); err != nil {
			return none, err
		}
	}
	page := db.PageOf(found, p)
	page.Estimate = len(rows) == maxTrashScan
	return page, nil
}

// ExpiredTrash lists up to limit ids of entries that were deleted before a time, oldest first.
func (s *Store) ExpiredTrash(ctx context.Context, before time.Time, limit int) ([]string, error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: trashPartition, To: db.TimeBytes(before), Limit: limit})
	return trashedIDs(rows), err
}
