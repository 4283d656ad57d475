package content

import (
	"context"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/redirects"
	"headless/pkg/site"
	"headless/pkg/table"
)

// LayEntry adds to a transaction that is never committed what readers find of an entry that is saved
// in place of was: its row, slug, address, index rows and counters, but not its former slugs, which
// LayTrails adds. It adds no texts to search and no revision. Whether the change would succeed does not matter.
func LayEntry(t *db.Tx, m *site.Model, was *EntryRecord, e *cms.Entry) {
	id := uuid.MustParse(e.ID)
	t.Put(table.Item{Key: entryKey(m.ID, e.ID), Version: e.Version, Body: db.PackBytes(db.MustMarshal(e.Stored()))})
	old, slug := was.manifest.slugKey(m), slugKey(m.ID, m.KeyLocale(e.Locale), e.Slug)
	if old != slug {
		t.Delete(old)
		t.Put(table.Item{Key: slug, Body: []byte(e.ID)})
	}
	t.Put(tree.Item(m, e))
	now := m.Spec().Index(m.Space(e), e)
	index.Reindex(t, &was.manifest.Index, &now, id, e.Version, m.Spec().Scalars(e))
}

// Laid is a change that is laid over the stored entries.
type Laid = redirects.Laid

// IsTrail reports whether a partition has former slugs.
var IsTrail = redirects.IsTrail

// LayTrails returns what the changes of some entries would write of their former slugs.
func (s *Store) LayTrails(ctx context.Context, laid []Laid) ([]table.Op, error) {
	return redirects.Lay(ctx, s.DB, laid)
}

// Record is an entry with its draft, to lay changes over it with LayEntry.
type Record struct {
	EntryRecord
	Draft *Draft
}

// Records reads entries with their drafts in one round trip, whoever may read them. Those that are
// missing, or in the trash, are nil.
func (s *Store) Records(ctx context.Context, refs []Reference) ([]*Record, error) {
	keys := make([]table.Key, 0, 3*len(refs))
	for _, r := range refs {
		keys = append(keys, entryKey(r.Model.ID, r.ID), draftKey(r.Model.ID, r.ID))
		if r.Model.Building() {
			keys = append(keys, manifestKey(r.Model.ID, r.ID, r.Model.ListedGen()))
		}
	}
	records := make([]*Record, len(refs))
	if len(keys) == 0 {
		return records, nil
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	for i := 0; i < len(refs) && err == nil; i++ {
		rows := 2
		if refs[i].Model.Building() {
			rows = 3
		}
		if items[0] != nil {
			records[i], err = readRecord(refs[i].Model, items[:rows])
		}
		items = items[rows:]
	}
	return records, err
}

// readRecord decodes an entry, its draft and, where the model's index is being built, its manifest. Of
// others the manifest follows from the entry.
func readRecord(m *site.Model, rows []*table.Item) (*Record, error) {
	e, err := decodeEntry(m, rows[0])
	if err != nil {
		return nil, err
	}
	r := &Record{EntryRecord: EntryRecord{Entry: e}}
	if r.Draft, err = decodeDraft(m, rows[1]); err != nil {
		return nil, err
	}
	if len(rows) > 2 && rows[2] != nil {
		return r, db.Unmarshal(rows[2].Body, &r.manifest)
	}
	r.manifest = manifest{KeyLocale: m.KeyLocale(e.Locale), Slug: e.Slug, Index: m.Spec().Index(m.Space(e), e)}
	return r, nil
}

// DraftLists returns the partitions with a row for each entry of a model that has a draft, those in the trash
// included, or that has the status draft. RowID reads the rows.
func DraftLists(m *site.Model, locales []string) []string {
	lists := []string{draftsPartition(m.ID)}
	for _, space := range m.Spaces(locales, []cms.Status{cms.StatusDraft}) {
		lists = append(lists, index.RowPartition(space, index.DefaultPath))
	}
	return lists
}

// RowID returns the id of the entry of a row of a list.
var RowID = index.RowID
