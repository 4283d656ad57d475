package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// EntryRecord is an entry read for a change, with what its index holds.
type EntryRecord struct {
	Entry    *cms.Entry
	manifest manifest
	version  int64          // of the manifest, which changes also when the entry is only indexed anew
	pending  *pendingChange // of the entry, nil where there is none
}

// manifest lists what was written for an entry outside its own item, so that a change removes exactly that.
type manifest struct {
	Place   string     `json:"p"` // see Model.place
	Index   indexed    `json:"i"`
	Uniques []string   `json:"u,omitempty"` // partitions of the unique values it holds
	Texts   []heldText `json:"t,omitempty"`
}

// maxRevisions is how many revisions of an entry are kept.
const maxRevisions = 100

// decodeEntry reads a stored entry; numbers keep their digits.
func decodeEntry(item *table.Item) (*cms.Entry, error) {
	raw, err := unpack(item.Body)
	if err != nil {
		return nil, err
	}
	return decodeEntryJSON(raw)
}

func decodeEntryJSON(raw []byte) (*cms.Entry, error) {
	var e cms.Entry
	if err := cms.Unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("store: damaged entry: %w", err)
	}
	return &e, nil
}

// EntryJSON reads an entry as the API shows it, undecoded; ErrNotFound when the model has none with this id.
func (s *Store) EntryJSON(ctx context.Context, m *Model, id string) ([]byte, error) {
	item, err := s.get(ctx, entryKey(m.ID, id))
	if err != nil {
		return nil, err
	}
	return unpack(item.Body)
}

// Entry reads an entry; ErrNotFound when the model has none with this id.
func (s *Store) Entry(ctx context.Context, m *Model, id string) (*cms.Entry, error) {
	raw, err := s.EntryJSON(ctx, m, id)
	if err != nil {
		return nil, err
	}
	return decodeEntryJSON(raw)
}

// EntryForChange reads an entry with its manifest; ErrNotFound when the model has none with this id.
func (s *Store) EntryForChange(ctx context.Context, m *Model, id string) (*EntryRecord, error) {
	uid, err := uuid.Parse(id)
	if err != nil {
		return nil, ErrNotFound
	}
	items, err := s.table.Get(ctx, table.Strong, entryKey(m.ID, id), manifestKey(m.ID, id), pendingKey(m.ID, uid))
	if err != nil {
		return nil, err
	}
	if items[0] == nil || items[1] == nil {
		return nil, ErrNotFound
	}
	rec := &EntryRecord{version: items[1].Version}
	if rec.Entry, err = decodeEntry(items[0]); err != nil {
		return nil, err
	}
	if items[2] != nil {
		if rec.pending, err = decodePending(items[2]); err != nil {
			return nil, err
		}
	}
	return rec, unmarshal(items[1].Body, &rec.manifest)
}

// indexedAs is what the text index may hold of the entry, and where the ranks count it.
func (rec *EntryRecord) indexedAs(id string) (stale []heldText, counted ranked) {
	if rec.pending == nil {
		return rec.manifest.Texts, rec.manifest.Index.ranked(id)
	}
	return rec.pending.held(), rec.pending.Counted
}

// SaveEntry stores an entry and everything that leads to it. was is nil for a new one, else the record that the change started from: its version
// must still be the stored one. e.Version is set by the caller to one more. A taken slug or unique value is returned by the commit.
func (t *Tx) SaveEntry(m *Model, was *EntryRecord, e *cms.Entry, actor cms.Actor, event string) {
	t.claim(m, was, e)
	t.putEntry(m, was, e, uniques(m, m.place(e.Locale), e))
	t.putRevision(m, e, actor, event)
}

// putEntry writes an entry, its manifest, index rows and all that leads to it. was may have no entry but a pending removal of it.
func (t *Tx) putEntry(m *Model, was *EntryRecord, e *cms.Entry, unique []string) {
	id, space, spec := uuid.MustParse(e.ID), m.space(e), m.spec()
	texts := m.texts(space, e)
	now := manifest{Place: m.place(e.Locale), Index: spec.index(space, e), Uniques: unique, Texts: held(texts)}
	item := table.Item{Key: entryKey(m.ID, e.ID), Version: e.Version, Body: pack(mustMarshal(e))}
	if was == nil {
		was = &EntryRecord{}
	}
	before := was.manifest
	if m.Kind == cms.KindSingle { // that the place is taken says more than that the slug is
		t.swapUniques(before.Uniques, now.Uniques, e.ID)
	}
	if was.Entry == nil {
		t.create(item, ErrOvertaken)
		t.reserveSlug(m, e)
	} else {
		t.replace(item, was.Entry.Version)
		if old := was.manifest.slugKey(m, was.Entry); old != slugKey(m.ID, now.Place, e.Slug) {
			t.delete(old)
			t.reserveSlug(m, e)
		}
	}
	if m.Kind != cms.KindSingle {
		t.swapUniques(before.Uniques, now.Uniques, e.ID)
	}
	if place := now.Index.ranked(e.ID); place != before.Index.ranked(e.ID) || !slices.Equal(before.Texts, now.Texts) {
		stale, counted := was.indexedAs(e.ID)
		t.putPending(m, id, was.pending, pendingChange{Counted: counted, Place: place, Texts: texts, Stale: stale})
	}
	t.putManifest(manifestKey(m.ID, e.ID), was, now)
	t.reindex(before.indexedOrNil(), &now.Index, id, e.Version, spec.scalars(e))
}

// putManifest stores the manifest, which must still be the one that the change was computed from: moving an entry to another index
// changes the manifest and leaves the entry's version as it is.
func (t *Tx) putManifest(key table.Key, was *EntryRecord, now manifest) {
	item := table.Item{Key: key, Version: 1, Body: packSeldom(mustMarshal(now))}
	if was.Entry == nil {
		t.put(item)
		return
	}
	item.Version = was.version + 1
	t.replace(item, was.version)
}

func (x *manifest) slugKey(m *Model, e *cms.Entry) table.Key {
	return slugKey(m.ID, x.Place, e.Slug)
}

func (x *manifest) indexedOrNil() *indexed {
	if x.Index.Space == "" {
		return nil
	}
	return &x.Index
}

func (t *Tx) reserveSlug(m *Model, e *cms.Entry) {
	t.create(table.Item{Key: slugKey(m.ID, m.place(e.Locale), e.Slug), Body: []byte(e.ID)}, &SlugTakenError{e.Slug})
}

// SlugTakenError tells that another entry of the model and locale has the slug.
type SlugTakenError struct{ Slug string }

func (e *SlugTakenError) Error() string { return "store: slug is taken: " + e.Slug }

// removeEntry takes the entry out of everything that leads to it.
func (t *Tx) removeEntry(m *Model, was *EntryRecord) {
	e := was.Entry
	t.remove(entryKey(m.ID, e.ID), e.Version)
	t.remove(manifestKey(m.ID, e.ID), was.version)
	t.delete(was.manifest.slugKey(m, e))
	t.swapUniques(was.manifest.Uniques, nil, e.ID)
	t.reindex(&was.manifest.Index, nil, uuid.MustParse(e.ID), e.Version, nil)
	stale, counted := was.indexedAs(e.ID)
	t.putPending(m, uuid.MustParse(e.ID), was.pending, pendingChange{Counted: counted, Stale: stale})
}

func mustMarshal(v any) []byte {
	raw, err := marshal(v)
	if err != nil {
		panic("store: cannot be encoded: " + err.Error())
	}
	return raw
}
