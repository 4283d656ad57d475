package content

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content/drafted"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/refs"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// DraftRevisions is how many revisions of an entry's drafts are kept.
const DraftRevisions = 20

// maxDraftActors is the largest number of authors that a draft stores.
const maxDraftActors = 50

// draftDoc is the row of an entry's draft. When the draft ends, the row stays without changes, so
// that the numbers of revisions continue with the next draft.
type draftDoc struct {
	Open   bool          `json:"open"`
	Number int64         `json:"number"` // of the newest revision
	Info   cms.DraftInfo `json:"info"`
	// Digest of the entry's content at Info.BaseVersion, "" if that version is no longer kept.
	Base    string         `json:"base"`
	Changes cms.EntryPatch `json:"changes"`
	// Ids of rows in the entry with its changes, as forms name them. They outlive the draft.
	RowIDs  map[string]string `json:"row_ids,omitempty"`
	Actors  []string          `json:"actors,omitempty"` // who saved it, newest last
	Authors []string          `json:"users,omitempty"`  // ids of the users who saved it
	Gen     int               `json:"gen,omitempty"`    // see site.Model.RenameData
}

// Draft holds the changes of an entry that are not published yet. An entry that never had a draft
// has the zero Draft, which is not Open.
type Draft struct {
	draftDoc
	version int64            // of the row, 0 if there is none
	review  *approval.Review // of the entry, if EntryAndDraft read it; nil if there is none
}

// DraftRevision is the draft of an entry after one save.
type DraftRevision struct {
	Number  int64          `json:"number"`
	Actor   *string        `json:"actor"`
	Time    cms.Time       `json:"time"`
	Info    cms.DraftInfo  `json:"info"`
	Base    string         `json:"base"`
	Changes cms.EntryPatch `json:"changes"`
	Gen     int            `json:"gen,omitempty"` // see site.Model.RenameData
}

// decodeDraft reads a stored draft, with the current names of its fields.
func decodeDraft(m *site.Model, item *table.Item) (*Draft, error) {
	d := &Draft{}
	if item == nil {
		return d, nil
	}
	d.version = item.Version
	err := decodeNumbers(item.Body, &d.draftDoc)
	m.RenameData(d.Gen, d.Changes.Data)
	return d, err
}

// decodeNumbers reads a packed document whose numbers keep their digits.
func decodeNumbers(body []byte, into any) error {
	raw, err := db.UnpackBytes(body)
	if err != nil {
		return err
	}
	return cms.Unmarshal(raw, into)
}

// Draft reads the draft of an entry. If there is none, the result is not Open.
func (s *Store) Draft(ctx context.Context, m *site.Model, id string) (*Draft, error) {
	items, err := s.Table.Get(ctx, table.Strong, draftKey(m.ID, id))
	if err != nil {
		return nil, err
	}
	return decodeDraft(m, items[0])
}

// EntryAndDraft reads an entry and its draft in one round trip; ErrNotFound if there is no entry.
func (s *Store) EntryAndDraft(ctx context.Context, m *site.Model, id string) (*cms.Entry, *Draft, error) {
	items, err := s.Table.Get(ctx, table.Strong, entryKey(m.ID, id), draftKey(m.ID, id), approval.Key(m.ID, id))
	if err != nil {
		return nil, nil, err
	}
	if items[0] == nil {
		return nil, nil, db.ErrNotFound
	}
	e, err := decodeEntry(m, items[0])
	if err != nil {
		return nil, nil, err
	}
	if !cms.PermissionsOf(ctx).May(cms.ActionRead, m.Slug, e.Locale) {
		return nil, nil, db.ErrNotFound
	}
	d, err := decodeDraft(m, items[1])
	if err == nil {
		d.review, err = approval.Decode(items[2])
	}
	return e, d, err
}

// Drafts reads the drafts of entries in one round trip. Those of entries without one are not Open.
func (s *Store) Drafts(ctx context.Context, refs []Reference) ([]*Draft, error) {
	items, err := s.Each(ctx, refs, draftKey)
	drafts := make([]*Draft, len(items))
	for i := 0; i < len(items) && err == nil; i++ {
		drafts[i], err = decodeDraft(refs[i].Model, items[i])
	}
	return drafts, err
}

// SaveDraft stores changes as the draft of an entry, in place of was, the draft as read, and adds a
// revision. The caller must make sure that the entry still exists: with RequireEntry, or by saving
// it in the same transaction; for a first draft that it is unchanged, with RequireUnchanged. first
// reports whether this is the actor's first save of this draft.
func SaveDraft(t *db.Tx, m *site.Model, e *cms.Entry, was *Draft, changes cms.EntryPatch, rowIDs map[string]string,
	baseVersion int64, base string, actor cms.Actor) (saved *Draft, first bool) {
	id := e.ID
	d := &Draft{draftDoc: was.draftDoc, version: was.version + 1}
	if !was.Open {
		d.Info.Version, d.Actors, d.Authors = 0, nil, nil
	}
	if id := actor.UserID; id != "" && !slices.Contains(d.Authors, id) {
		d.Authors = append(slices.Clone(d.Authors), id)
	}
	d.Open, d.Number, d.Changes, d.RowIDs, d.Base = true, was.Number+1, changes, rowIDs, base
	d.Info.BaseVersion, d.Info.Version, d.Info.UpdatedAt = baseVersion, d.Info.Version+1, t.Time
	d.Info.Actor = nil
	if actor.Name != "" {
		d.Info.Actor = &actor.Name
	}
	who := actor.Source + " " + actor.Name
	if first = !slices.Contains(d.Actors, who); first {
		d.Actors = append(slices.Clone(d.Actors[max(0, len(d.Actors)-maxDraftActors+1):]), who)
	}
	t.Refer(db.Holder{Kind: db.HolderDraft, ModelID: m.ID, ID: id}, refs.TargetsOfPatch(was.Changes),
		refs.TargetsOfPatch(d.Changes), func(target string) []string {
			var e cms.Entry // other references are checked when the draft is published
			changes.Apply(&e)
			return refs.RequiredPathsTo(&m.Model, &e, target)
		})
	PutDraft(t, m, id, was, d)
	was.review.FollowDraft(t, m, id, d.Number)
	t.Put(table.Item{Key: draftRevisionKey(m.ID, id, d.Number),
		Body: db.PackSeldom(db.MustMarshal(DraftRevision{
			Number: d.Number, Actor: d.Info.Actor, Time: t.Time, Info: d.Info, Base: base, Changes: changes,
			Gen: d.Gen,
		}))})
	if !was.Open {
		t.Put(drafted.Row(m, e, false))
	}
	return d, first
}

// EndDraft ends a draft, as read, because it is published or discarded.
func EndDraft(t *db.Tx, m *site.Model, id string, was *Draft) {
	PutDraft(t, m, id, was, &Draft{draftDoc: draftDoc{Number: was.Number, RowIDs: was.RowIDs}})
	t.Delete(drafted.Key(m.ID, id))
	was.review.FollowDraft(t, m, id, 0)
}

// PutDraft stores the draft of an entry in place of was, the draft as read, without a revision.
func PutDraft(t *db.Tx, m *site.Model, id string, was, d *Draft) {
	d.Gen = m.Gen
	t.Save(table.Item{Key: draftKey(m.ID, id), Body: db.PackSeldom(db.MustMarshal(d.draftDoc))}, was.version)
}

// DraftRevisions returns how many revisions of an entry's drafts are kept, and reads them, newest first. The newest
// one has the number of the draft.
func (s *Store) DraftRevisions(ctx context.Context, m *site.Model, id string,
	newest int64) (kept int, each iter.Seq2[DraftRevision, error]) {
	keys := make([]table.Key, min(newest, DraftRevisions))
	for n := range keys {
		keys[n] = draftRevisionKey(m.ID, id, newest-int64(n))
	}
	return len(keys), readEach(ctx, s, m, keys, decodeDraftRevision)
}

func decodeDraftRevision(m *site.Model, item *table.Item) (r DraftRevision, err error) {
	err = decodeNumbers(item.Body, &r)
	m.RenameData(r.Gen, r.Changes.Data)
	return r, err
}

// DraftRevision reads one revision of an entry's drafts; ErrNotFound if it is no longer kept.
func (s *Store) DraftRevision(ctx context.Context, m *site.Model, id string,
	number int64) (r DraftRevision, err error) {
	item, err := s.Get(ctx, draftRevisionKey(m.ID, id, number))
	if err != nil {
		return r, err
	}
	if r, err = decodeDraftRevision(m, item); err == nil && r.Number != number {
		err = db.ErrNotFound
	}
	return r, err
}

// entriesWithDraft returns the ids of a model's entries that have a draft, including entries in the
// trash. It returns QUERY_NOT_INDEXED if there are too many.
func (s *Store) entriesWithDraft(ctx context.Context, modelID string) (map[uuid.UUID]bool, error) {
	rows, err := s.Table.Query(ctx, table.Range{Partition: drafted.Partition(modelID), Limit: index.MaxCollect + 1})
	if err != nil {
		return nil, err
	}
	if len(rows) > index.MaxCollect {
		return nil, index.ErrNotIndexed
	}
	ids := make(map[uuid.UUID]bool, len(rows))
	for _, row := range rows {
		var id uuid.UUID
		copy(id[:], row.Sort)
		ids[id] = true
	}
	return ids, nil
}

// draftsAsked reads which entries have a draft, if a query filters or sorts by that; else it
// returns nil. For a filter on entries with a draft, it sets their ids as the hits of the query.
func (s *Store) draftsAsked(ctx context.Context, m *site.Model, q *index.ListQuery) (map[uuid.UUID]bool, error) {
	asked := slices.ContainsFunc(q.Sort, func(f query.SortField) bool { return f.Path == cms.ColumnHasDraft })
	only := false
	for _, f := range q.Filters {
		if f.Path == cms.ColumnHasDraft {
			asked = true
			only = only || f.Op == query.OpEq && f.Values[0] == "true"
		}
	}
	if !asked {
		return nil, nil
	}
	drafts, err := s.entriesWithDraft(ctx, m.ID)
	if err == nil && only && q.Hits == nil {
		q.Hits = slice.Map(slices.Collect(maps.Keys(drafts)), func(id uuid.UUID) index.Hit { return index.Hit{ID: id} })
	}
	return drafts, err
}
