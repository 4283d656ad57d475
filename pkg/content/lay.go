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
	t.Put(entryItem(m, e))
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

// LayTrails returns what the changes of some entries would write of their former slugs. left is as in redirects.Lay.
func (s *Store) LayTrails(ctx context.Context, laid []Laid, left map[string][]string) ([]table.Op, error) {
	return redirects.Lay(ctx, s.DB, laid, left)
}

// Record is an entry with its draft, to lay changes over it with LayEntry.
type Record struct {
	EntryRecord
	Draft *Draft
}

// Records reads entries with their drafts in one round trip, whoever may read them. Those that are
// missing, or in the trash, are nil. It reads drafts of those entries only of which drafted reports
// that they may have one.
func (s *Store) Records(ctx context.Context, refs []Reference, drafted func(id string) bool) ([]*Record, error) {
	var keys []table.Key
	ends := make([]int, len(refs))
	for i, r := range refs {
		keys = append(keys, entryKey(r.Model.ID, r.ID))
		if drafted(r.ID) {
			keys = append(keys, draftKey(r.Model.ID, r.ID))
		}
		if r.Model.Building() {
			keys = append(keys, manifestKey(r.Model.ID, r.ID, r.Model.ListedGen()))
		}
		ends[i] = len(keys)
	}
	records := make([]*Record, len(refs))
	if len(keys) == 0 {
		return records, nil
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	at := 0
	for i := 0; i < len(refs) && err == nil; i++ {
		if items[at] != nil {
			records[i], err = readRecord(refs[i].Model, items[at:ends[i]])
		}
		at = ends[i]
	}
	return records, err
}

// readRecord decodes an entry, its draft if it was read and, where the model's index is being built, its manifest. Of
// others the manifest follows from the entry.
func readRecord(m *site.Model, rows []*table.Item) (*Record, error) {
	e, err := decodeEntry(m, rows[0])
	if err != nil {
		return nil, err
	}
	r, rows := &Record{EntryRecord: EntryRecord{Entry: e}}, rows[1:]
	r.manifest = manifest{KeyLocale: m.KeyLocale(e.Locale), Slug: e.Slug, Index: m.Spec().Index(m.Space(e), e)}
	if m.Building() {
		if last := rows[len(rows)-1]; last != nil {
			if err := db.Unmarshal(last.Body, &r.manifest); err != nil {
				return nil, err
			}
		}
		rows = rows[:len(rows)-1]
	}
	var draft *table.Item
	if len(rows) > 0 {
		draft = rows[0]
	}
	r.Draft, err = decodeDraft(m, draft)
	return r, err
}
