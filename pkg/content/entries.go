package content

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/content/drafted"
	"headless/pkg/content/tree"
	"headless/pkg/coverage"
	"headless/pkg/db"
	"headless/pkg/fulltext"
	"headless/pkg/index"
	"headless/pkg/site"
	"headless/pkg/table"
)

// EntryRecord is an entry read for a change, with its index content.
type EntryRecord struct {
	Entry    *cms.Entry
	Draft    *Draft // nil unless the caller has read it
	Sharing  bool   // the save gives the entry shared values of another member of its group
	manifest manifest
	// Of the manifest, 0 if there is none. It also changes if only the index is rebuilt.
	version int64
	review  *approval.Review // of the entry, nil if there is none

	isNew      bool   // and was never in the trash
	publishing bool   // Publish makes the change
	draft      *Draft // that the change publishes, nil if there is none
}

// manifest lists the rows that were written for an entry besides its own item, so that a change
// removes exactly these.
type manifest struct {
	KeyLocale string        `json:"p"` // see site.Model.KeyLocale
	Slug      string        `json:"g"`
	Index     index.Indexed `json:"i"`
	Uniques   []string      `json:"u,omitempty"` // partitions of its unique values
	// The change that wrote this may have a rest that is not done; see restName.
	Rest bool `json:"r,omitempty"`
}

// MaxRevisions is how many revisions of an entry are kept.
const MaxRevisions = 100

func decodeEntryJSON(raw []byte) (*cms.Entry, error) {
	var e cms.Entry
	if err := cms.Unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("content: damaged entry: %w", err)
	}
	return &e, nil
}

// EntryJSON reads an entry in the form of the API, without decoding it. It returns ErrNotFound if
// the model has no entry with this id.
func (s *Store) EntryJSON(ctx context.Context, m *site.Model, id string) ([]byte, error) {
	item, err := s.EntryByID(ctx, m, id, false)
	return item.JSON, err
}

// EntryByID is EntryJSON, with the entry's translation group if withGroup is set.
func (s *Store) EntryByID(ctx context.Context, m *site.Model, id string, withGroup bool) (EntryItem, error) {
	items, err := s.Table.Get(ctx, table.Strong, itemKeys(m, id, withGroup)...)
	if err != nil {
		return EntryItem{}, err
	}
	return readItem(ctx, m, items)
}

// itemKeys returns the keys of the rows from which an item is read.
func itemKeys(m *site.Model, id string, withGroup bool) []table.Key {
	if withGroup {
		return []table.Key{entryKey(m.ID, id), MemberKey(m.ID, id)}
	}
	return []table.Key{entryKey(m.ID, id)}
}

// readItem returns the item that the rows of itemKeys contain.
func readItem(ctx context.Context, m *site.Model, rows []*table.Item) (item EntryItem, err error) {
	if rows[0] == nil {
		return item, db.ErrNotFound
	}
	if item.JSON, err = readable(ctx, m, rows[0]); err == nil && len(rows) > 1 {
		item.Beside = rows[1]
	}
	return item, err
}

// Entry reads an entry. It returns ErrNotFound if the model has no entry with this id.
func (s *Store) Entry(ctx context.Context, m *site.Model, id string) (*cms.Entry, error) {
	raw, err := s.EntryJSON(ctx, m, id)
	if err != nil {
		return nil, err
	}
	return decodeEntryJSON(raw)
}

// EntryForChange reads an entry with its manifest; ErrNotFound if the model has none with this id.
func (s *Store) EntryForChange(ctx context.Context, m *site.Model, id string) (*EntryRecord, error) {
	if _, err := uuid.Parse(id); err != nil {
		return nil, db.ErrNotFound
	}
	keys := []table.Key{entryKey(m.ID, id), manifestKey(m.ID, id, m.ListedGen()), approval.Key(m.ID, id)}
	if m.Building() {
		keys = append(keys, manifestKey(m.ID, id, m.Gen))
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	// Finish an earlier change, so that a new entry with this id finds no rows of a deleted one.
	if items[0] == nil || items[1] == nil {
		return nil, cmp.Or(s.FinishRest(ctx, restName(m.ID, id, m.ListedGen())), db.ErrNotFound)
	}
	rec := &EntryRecord{version: items[1].Version}
	if rec.Entry, err = decodeEntry(m, items[0]); err != nil {
		return nil, err
	}
	if !cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, rec.Entry.Locale) {
		return nil, db.ErrNotFound
	}
	if err := s.SetAboveOf(ctx, rec.Entry); err != nil {
		return nil, err
	}
	if err := db.Unmarshal(items[1].Body, &rec.manifest); err != nil {
		return nil, err
	}
	if rec.review, err = approval.Decode(items[2]); err != nil {
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

// SaveEntry stores an entry with its claims, index rows and revision. was is nil for a new entry,
// else the record that the change started from; its version must still be the stored one. The
// caller must set e.Version to one more. The commit fails if the slug or a unique value is taken,
// and with APPROVAL_REQUIRED if the change publishes what is not approved.
func SaveEntry(t *db.Tx, m *site.Model, was *EntryRecord, e *cms.Entry, actor cms.Actor, event string) {
	was.changeTo(e).Require(t, m, actor)
	saveEntry(t, m, was, e, actor, event)
}

// ImportEntry is SaveEntry for imports, which need no approval. A deleted entry may have had the id
// of a new one.
func ImportEntry(t *db.Tx, m *site.Model, was *EntryRecord, e *cms.Entry, actor cms.Actor, event string) {
	if was == nil {
		was = &EntryRecord{}
	}
	saveEntry(t, m, was, e, actor, event)
}

func saveEntry(t *db.Tx, m *site.Model, was *EntryRecord, e *cms.Entry, actor cms.Actor, event string) {
	needSave(t, m, was, e)
	var before *cms.Entry
	if was != nil {
		before = was.Entry
	}
	referEntry(t, m, before, e)
	addClaim(t, m, was, e)
	putEntry(t, &db.Rest{}, m, was, e, uniques(m, m.KeyLocale(e.Locale), e))
	putRevision(t, m, was, e, actor, event)
	entryChanged(t, m, before, e, was == nil)
	if was != nil {
		was.changeTo(e).Follow(t, m)
	}
	drafted.Follow(t, m, before, e)
}

// putEntry writes an entry with its manifest, claims and index rows, and adds the rest of the
// change.
func putEntry(t *db.Tx, rest *db.Rest, m *site.Model, was *EntryRecord, e *cms.Entry, unique []string) {
	e.Data = m.WithoutNulls(e.Data) // of a former version, which kept them
	id, space, spec := uuid.MustParse(e.ID), m.Space(e), m.Spec()
	now := manifest{KeyLocale: m.KeyLocale(e.Locale), Slug: e.Slug, Index: spec.Index(space, e), Uniques: unique}
	item := entryItem(m, e)
	if was == nil {
		was = &EntryRecord{isNew: true}
	}
	before := was.manifest
	if m.Listed().Localized {
		coverage.Keep(&now.Index, &before.Index, e.Locale)
	}
	// This claim comes first: that the entry exists already is a clearer error than a taken slug.
	if m.Kind == cms.KindSingle {
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
	putAddress(t, m, was.Entry, e)
	putIndex(t, rest, m, was, e, now)
	markStale(t, m, id)
}

// putIndex replaces the rows by which lists and searches find an entry, and adds the change's rest.
func putIndex(t *db.Tx, rest *db.Rest, m *site.Model, was *EntryRecord, e *cms.Entry, now manifest) {
	id := uuid.MustParse(e.ID)
	paceTexts(t, m)
	fulltext.Put(t, m.IndexName(), id, textOf(m, &now.Index, e), was.isNew)
	index.Move(t, rest, was.manifest.indexedOrNil(), &now.Index, id, e.Version, m.Spec().Scalars(e))
	at := len(t.Ops)
	putManifest(t, manifestKey(m.ID, e.ID, m.ListedGen()), was, now)
	t.Finally(restName(m.ID, e.ID, m.ListedGen()), rest, func() {
		now.Rest = true
		t.Ops[at].Item.Body = now.encodeFields()
	})
}

// paceTexts makes the commit wait while too many changes of texts are pending.
func paceTexts(t *db.Tx, m *site.Model) {
	t.Check(func(ctx context.Context) error { return m.Pace(ctx) })
}

// putManifest stores the manifest. The commit fails if the stored one is no longer that of was.
func putManifest(t *db.Tx, key table.Key, was *EntryRecord, now manifest) {
	t.Save(table.Item{Key: key, Body: now.encodeFields()}, was.version)
}

func (x *manifest) encodeFields() []byte { return db.PackSeldom(db.MustMarshal(x)) }

func (x *manifest) slugKey(m *site.Model) table.Key { return slugKey(m.ID, x.KeyLocale, x.Slug) }

func (x *manifest) indexedOrNil() *index.Indexed {
	if x.Index.Space == "" {
		return nil
	}
	return &x.Index
}

func reserveSlug(t *db.Tx, m *site.Model, e *cms.Entry) {
	createClaim(t, slugKey(m.ID, m.KeyLocale(e.Locale), e.Slug), e.ID, &SlugTakenError{e.Slug})
}

// SlugTakenError says that another entry of the model and locale has the slug.
type SlugTakenError struct{ Slug string }

func (e *SlugTakenError) Error() string { return "content: slug is taken: " + e.Slug }

// removeEntry removes an entry with its claims and index rows.
func removeEntry(t *db.Tx, m *site.Model, was *EntryRecord) {
	e := was.Entry
	t.Remove(entryKey(m.ID, e.ID), e.Version)
	t.Delete(tree.Key(e.ID))
	rest := &db.Rest{}
	rest.Delete(was.manifest.slugKey(m))
	swapUniques(t, rest, was.manifest.Uniques, nil, e.ID)
	removeIndex(t, rest, m, was, uuid.MustParse(e.ID))
	markStale(t, m, uuid.MustParse(e.ID))
}

// removeIndex removes the rows by which lists and searches find an entry, and adds the rest.
func removeIndex(t *db.Tx, rest *db.Rest, m *site.Model, was *EntryRecord, id uuid.UUID) {
	t.Remove(manifestKey(m.ID, id.String(), m.ListedGen()), was.version)
	index.Move(t, rest, &was.manifest.Index, nil, id, 0, nil)
	t.Finally(restName(m.ID, id.String(), m.ListedGen()), rest, func() {})
	paceTexts(t, m)
	fulltext.Put(t, m.IndexName(), id, fulltext.Change{}, false)
}

// RequireEntry makes the commit fail with ErrNotFound if the entry does not exist or is in the
// trash.
func RequireEntry(t *db.Tx, m *site.Model, id string) {
	t.Do(table.Op{Kind: table.Check, Item: table.Item{Key: entryKey(m.ID, id)}, If: table.Present}, db.ErrNotFound)
}

// RequireUnchanged makes the commit fail with ErrOvertaken if the entry changed after it was read.
func RequireUnchanged(t *db.Tx, m *site.Model, e *cms.Entry) {
	t.Require(entryKey(m.ID, e.ID), e.Version)
}

// RequireNoEntry makes the commit fail with ErrOvertaken if the model has the entry.
func RequireNoEntry(t *db.Tx, m *site.Model, id string) {
	t.RequireAbsent(entryKey(m.ID, id), db.ErrOvertaken)
}
