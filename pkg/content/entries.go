package content

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/coverage"
	"headless/pkg/db"
	"headless/pkg/fulltext"
	"headless/pkg/index"
	"headless/pkg/site"
	"headless/pkg/table"
)

// EntryRecord is an entry read for a change, with what its index holds.
type EntryRecord struct {
	Entry    *cms.Entry
	manifest manifest
	// Of the manifest, 0 where there is none; it changes also when the entry is only indexed anew.
	version int64
	pending *fulltext.PendingChange // of the entry, nil where there is none
}

// manifest lists what was written for an entry outside its own item, so that a change removes
// exactly that.
type manifest struct {
	KeyLocale string              `json:"p"` // see site.Model.KeyLocale
	Slug      string              `json:"g"`
	Index     index.Indexed       `json:"i"`
	Uniques   []string            `json:"u,omitempty"` // partitions of the unique values it holds
	Texts     []fulltext.HeldText `json:"t,omitempty"`
	// Something may be left to do of the change that wrote this; see restName.
	Rest bool `json:"r,omitempty"`
}

// maxRevisions is how many revisions of an entry are kept.
const maxRevisions = 100

func decodeEntryJSON(raw []byte) (*cms.Entry, error) {
	var e cms.Entry
	if err := cms.Unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("store: damaged entry: %w", err)
	}
	return &e, nil
}

// EntryJSON reads an entry as the API shows it, undecoded; ErrNotFound when the model has none with
// this id.
func (s *Store) EntryJSON(ctx context.Context, m *site.Model, id string) ([]byte, error) {
	item, err := s.EntryByID(ctx, m, id, false)
	return item.JSON, err
}

// EntryByID is EntryJSON, with the entry's group where that is asked for.
func (s *Store) EntryByID(ctx context.Context, m *site.Model, id string, withGroup bool) (EntryItem, error) {
	items, err := s.Table.Get(ctx, table.Strong, itemKeys(m, id, withGroup)...)
	if err != nil {
		return EntryItem{}, err
	}
	return readItem(ctx, m, items)
}

// itemKeys are the rows that an item is read from.
func itemKeys(m *site.Model, id string, withGroup bool) []table.Key {
	if withGroup {
		return []table.Key{entryKey(m.ID, id), MemberKey(m.ID, id)}
	}
	return []table.Key{entryKey(m.ID, id)}
}

// readItem makes an item of the rows of its keys.
func readItem(ctx context.Context, m *site.Model, rows []*table.Item) (item EntryItem, err error) {
	if rows[0] == nil {
		return item, db.ErrNotFound
	}
	if item.JSON, err = readable(ctx, m, rows[0].Body); err == nil && len(rows) > 1 {
		item.Beside = rows[1]
	}
	return item, err
}

// Entry reads an entry; ErrNotFound when the model has none with this id.
func (s *Store) Entry(ctx context.Context, m *site.Model, id string) (*cms.Entry, error) {
	raw, err := s.EntryJSON(ctx, m, id)
	if err != nil {
		return nil, err
	}
	return decodeEntryJSON(raw)
}

// EntryForChange reads an entry with its manifest; ErrNotFound when the model has none with this
// id.
func (s *Store) EntryForChange(ctx context.Context, m *site.Model, id string) (*EntryRecord, error) {
	uid, err := uuid.Parse(id)
	if err != nil {
		return nil, db.ErrNotFound
	}
	keys := []table.Key{entryKey(m.ID, id), manifestKey(m.ID, id, m.ListedGen()),
		fulltext.PendingKey(m.IndexName(), uid)}
	if m.Building() {
		keys = append(keys, manifestKey(m.ID, id, m.Gen))
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	if items[0] == nil || items[1] == nil { // who creates it finds nothing of a former life
		return nil, cmp.Or(s.FinishRest(ctx, restName(m.ID, id, m.ListedGen())), db.ErrNotFound)
	}
	rec := &EntryRecord{version: items[1].Version}
	if rec.Entry, err = decodeEntry(m, items[0]); err != nil {
		return nil, err
	}
	if !cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, rec.Entry.Locale) {
		return nil, db.ErrNotFound
	}
	if items[2] != nil {
		if rec.pending, err = fulltext.DecodePending(items[2]); err != nil {
			return nil, err
		}
	}
	if err := db.Unmarshal(items[1].Body, &rec.manifest); err != nil {
		return nil, err
	}
	if rec.manifest.Rest {
		if err := s.FinishRest(ctx, restName(m.ID, id, m.ListedGen())); err != nil {
			return nil, err
		}
	}
	if len(items) == 3 || items[3] == nil {
		return rec, nil
	}
	var built manifest
	err = db.Unmarshal(items[3].Body, &built)
	for _, p := range built.Uniques { // claimed when the entry was built
		if keyLocaleOf(p) == rec.manifest.KeyLocale && !slices.Contains(rec.manifest.Uniques, p) {
			rec.manifest.Uniques = append(rec.manifest.Uniques, p)
		}
	}
	return rec, err
}

// indexedAs is what the text index may hold of the entry, and where the ranks count it.
func (rec *EntryRecord) indexedAs(id string) (stale []fulltext.HeldText, counted fulltext.Ranked) {
	if rec.pending == nil {
		return rec.manifest.Texts, fulltext.RankedOf(&rec.manifest.Index, id)
	}
	return rec.pending.Held(), rec.pending.Counted
}

// SaveEntry stores an entry and everything that leads to it. was is nil for a new one, else the
// record that the change started from: its version must still be the stored one. e.Version is set
// by the caller to one more. A taken slug or unique value is returned by the commit.
func SaveEntry(t *db.Tx, m *site.Model, was *EntryRecord, e *cms.Entry, actor cms.Actor, event string) {
	needSave(t, m, was, e)
	var before *cms.Entry
	if was != nil {
		before = was.Entry
	}
	referEntry(t, m, before, e)
	addClaim(t, m, was, e)
	putEntry(t, &db.Rest{}, m, was, e, uniques(m, m.KeyLocale(e.Locale), e))
	putRevision(t, m, e, actor, event)
	if was == nil {
		EntryChanged(t, m, nil, e)
	} else {
		EntryChanged(t, m, was.Entry, e)
	}
}

// putEntry writes an entry, its manifest, index rows and all that leads to it, and ends the change
// with its rest. was may have no entry but a pending removal of it.
func putEntry(t *db.Tx, rest *db.Rest, m *site.Model, was *EntryRecord, e *cms.Entry, unique []string) {
	id, space, spec := uuid.MustParse(e.ID), m.Space(e), m.Spec()
	texts := texts(m, space, e)
	now := manifest{KeyLocale: m.KeyLocale(e.Locale), Slug: e.Slug, Index: spec.Index(space, e),
		Uniques: unique, Texts: fulltext.Held(texts)}
	item := table.Item{Key: entryKey(m.ID, e.ID), Version: e.Version,
		Body: db.PackBytes(db.MustMarshal(e.Stored()))}
	if was == nil {
		was = &EntryRecord{}
	}
	before := was.manifest
	if m.Listed().Localized {
		coverage.Keep(&now.Index, &before.Index, e.Locale)
	}
	if m.Kind == cms.KindSingle { // that the place is taken says more than that the slug is
		swapUniques(t, rest, before.Uniques, now.Uniques, e.ID)
	}
	if was.Entry == nil {
		t.Create(item, db.ErrOvertaken)
		reserveSlug(t, m, e)
	} else {
		t.Replace(item, was.Entry.Version)
		if old := was.manifest.slugKey(m); old != slugKey(m.ID, now.KeyLocale, e.Slug) {
			rest.Delete(old)
			reserveSlug(t, m, e)
		}
	}
	if m.Kind != cms.KindSingle {
		swapUniques(t, rest, before.Uniques, now.Uniques, e.ID)
	}
	putIndex(t, rest, m, was, e, now, texts)
	markStale(t, m, id)
}

// putIndex writes what lists and searches find the entry by, in place of what was written before,
// and ends the change with its rest.
func putIndex(t *db.Tx, rest *db.Rest, m *site.Model, was *EntryRecord, e *cms.Entry, now manifest,
	texts []fulltext.IndexedText) {
	id, before := uuid.MustParse(e.ID), was.manifest
	if ranked := fulltext.RankedOf(&now.Index, e.ID); ranked != fulltext.RankedOf(&before.Index,
		e.ID) || !slices.Equal(before.Texts, now.Texts) {
		pacing(t, m)
		stale, counted := was.indexedAs(e.ID)
		fulltext.PutPending(t, m.IndexName(), id, was.pending,
			fulltext.PendingChange{Counted: counted, Ranked: ranked, Texts: texts, Stale: stale})
	}
	index.Move(t, rest, before.indexedOrNil(), &now.Index, id, e.Version, m.Spec().Scalars(e))
	at := len(t.Ops)
	putManifest(t, manifestKey(m.ID, e.ID, m.ListedGen()), was, now)
	t.Finally(restName(m.ID, e.ID, m.ListedGen()), rest, func() {
		now.Rest = true
		t.Ops[at].Item.Body = now.encode()
	})
}

// pacing holds the commit up while too many changes of texts are pending.
func pacing(t *db.Tx, m *site.Model) {
	t.Check(func(ctx context.Context) error { return m.Pace(ctx) })
}

// putManifest stores the manifest, which must still be the one that the change was computed from.
func putManifest(t *db.Tx, key table.Key, was *EntryRecord, now manifest) {
	item := table.Item{Key: key, Version: was.version + 1, Body: now.encode()}
	if was.version == 0 {
		t.Create(item, db.ErrOvertaken)
		return
	}
	t.Replace(item, was.version)
}

func (x *manifest) encode() []byte { return db.PackSeldom(db.MustMarshal(x)) }

func (x *manifest) slugKey(m *site.Model) table.Key { return slugKey(m.ID, x.KeyLocale, x.Slug) }

func (x *manifest) indexedOrNil() *index.Indexed {
	if x.Index.Space == "" {
		return nil
	}
	return &x.Index
}

func reserveSlug(t *db.Tx, m *site.Model, e *cms.Entry) {
	t.Create(table.Item{Key: slugKey(m.ID, m.KeyLocale(e.Locale), e.Slug), Body: []byte(e.ID)},
		&SlugTakenError{e.Slug})
}

// SlugTakenError tells that another entry of the model and locale has the slug.
type SlugTakenError struct{ Slug string }

func (e *SlugTakenError) Error() string { return "store: slug is taken: " + e.Slug }

// removeEntry takes the entry out of everything that leads to it.
func removeEntry(t *db.Tx, m *site.Model, was *EntryRecord) {
	e := was.Entry
	t.Remove(entryKey(m.ID, e.ID), e.Version)
	rest := &db.Rest{}
	rest.Delete(was.manifest.slugKey(m))
	swapUniques(t, rest, was.manifest.Uniques, nil, e.ID)
	removeIndex(t, rest, m, was, uuid.MustParse(e.ID))
	markStale(t, m, uuid.MustParse(e.ID))
}

// removeIndex takes an entry out of what lists and searches find it by, and ends the change with
// its rest.
func removeIndex(t *db.Tx, rest *db.Rest, m *site.Model, was *EntryRecord, id uuid.UUID) {
	t.Remove(manifestKey(m.ID, id.String(), m.ListedGen()), was.version)
	index.Move(t, rest, &was.manifest.Index, nil, id, 0, nil)
	t.Finally(restName(m.ID, id.String(), m.ListedGen()), rest, func() {})
	pacing(t, m)
	stale, counted := was.indexedAs(id.String())
	fulltext.PutPending(t, m.IndexName(), id, was.pending,
		fulltext.PendingChange{Counted: counted, Stale: stale})
}

// RequireEntry makes the commit fail with ErrNotFound unless the model has the entry, outside the
// trash.
func RequireEntry(t *db.Tx, m *site.Model, id string) {
	t.Do(table.Op{Kind: table.Check, Item: table.Item{Key: entryKey(m.ID, id)}, If: table.Present},
		db.ErrNotFound)
}

// RequireUnchanged makes the commit depend on an entry being as it was read.
func RequireUnchanged(t *db.Tx, m *site.Model, e *cms.Entry) {
	t.Do(table.Op{Kind: table.Check, Item: table.Item{Key: entryKey(m.ID, e.ID)}, If: table.VersionIs,
		Version: e.Version}, db.ErrOvertaken)
}

// RequireNoEntry makes the commit depend on the model having no such entry: ErrOvertaken where it
// came meanwhile.
func RequireNoEntry(t *db.Tx, m *site.Model, id string) {
	t.Do(table.Op{Kind: table.Check, Item: table.Item{Key: entryKey(m.ID, id)}, If: table.Absent},
		db.ErrOvertaken)
}
