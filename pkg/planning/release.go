package planning

import (
	"cmp"
	"context"
	"encoding/json"
	"math/bits"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/planning/lease"
	"headless/pkg/planning/mails"
	"headless/pkg/planning/reach"
	"headless/pkg/planning/undo"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// ReleaseStatus is the state of a release.
type ReleaseStatus string

// The states of a release. A failed one may be changed and published again.
const (
	ReleaseOpen       ReleaseStatus = "open"
	ReleasePublishing ReleaseStatus = "publishing"
	ReleasePublished  ReleaseStatus = "published"
	ReleaseFailed     ReleaseStatus = "failed"
)

const (
	maxReleaseItems = 1_000
	maxReleaseName  = 255
	maxReleases     = 2_000
)

// ReleaseItem is an entry of a release, with the action on it.
type ReleaseItem struct {
	Model  string `json:"model"` // slug
	ID     string `json:"id"`
	Action string `json:"action"` // ActionPublish or ActionUnpublish
	// Children is what an unpublication does with the entries below; see package moving.
	Children string `json:"children,omitempty"`
}

// Problem says why an item of a release cannot be published or unpublished, or why that failed.
type Problem struct {
	Model   string          `json:"model"`
	ID      string          `json:"id"`
	Code    cms.Code        `json:"code"`
	Message string          `json:"message"`
	Details json.RawMessage `json:"details"` // cms.Problems; for cms.CodeInUse objects

	Changed *cms.PlanChange `json:"changed,omitempty"` // as of ShownItem; not in events
}

// storedItem is the stored form of an item of a release.
type storedItem struct {
	ReleaseItem
	ModelID string    `json:"model_id,omitempty"` // "" in rows from a former version
	Locale  string    `json:"locale,omitempty"`   // of the entry when it was added
	By      cms.Actor `json:"by"`                 // who added it: the actor of its change

	version string // sent with it; "" if none
	bound   bool   // this request adds it, or binds it to the present content
}

// ShownItem is the public form of an item.
type ShownItem struct {
	ReleaseItem
	// Changed is the last change of the content, since the item was bound to it, by somebody who may
	// not publish the entry. The item will fail; nil if there was none.
	Changed *cms.PlanChange `json:"changed"`
}

func (i storedItem) isSame(other storedItem) bool { return i.ReleaseItem == other.ReleaseItem }

// targetOf returns what the right to the item's action is about.
func (i storedItem) targetOf() reach.Target { return reach.Target{Model: i.Model, Locale: i.Locale} }

// ItemActions are the permissions that both actions of items need.
var ItemActions = []cms.Action{cms.ActionWrite, cms.ActionPublish}

func newProblem(item ReleaseItem, e *cms.Error) Problem {
	var details any = e.Details
	switch {
	case e.Objects != nil:
		details = e.Objects
	case e.Details == nil:
		details = cms.Problems{}
	}
	return Problem{item.Model, item.ID, e.Code, e.Message, db.MustMarshal(details), nil}
}

func (p Problem) mailed() mails.Failure {
	return mails.Failure{Model: p.Model, ID: p.ID, Message: p.Message, Details: p.Details}
}

// Release is the public form of a release.
type Release struct {
	ID          string        `json:"id"`
	Name        string        `json:"name"`
	PublishAt   cms.Time      `json:"publish_at"`
	Items       []ShownItem   `json:"items"`
	Status      ReleaseStatus `json:"status"`
	Problems    []Problem     `json:"problems"`
	Done        int           `json:"done"` // number of items that succeeded
	PublishedAt cms.Time      `json:"published_at"`
	CreatedAt   cms.Time      `json:"created_at"`
	UpdatedAt   cms.Time      `json:"updated_at"`
}

// release is the stored form of a release; items and problems have rows of their own. Every step of
// publishing replaces it in the transaction that changes the entry.
type release struct {
	ID          string        `json:"id"`
	Name        string        `json:"name"`
	PublishAt   cms.Time      `json:"publish_at"`
	Status      ReleaseStatus `json:"status"`
	Checked     bool          `json:"checked,omitempty"` // while it is publishing: the check found no problems
	Next        int           `json:"next,omitempty"`    // position of the next item
	Done        []byte        `json:"done,omitempty"`    // one bit per position; set if the item succeeded
	Problems    int           `json:"problems,omitempty"`
	Changes     int           `json:"changes,omitempty"` // number of changes of entries so far
	By          cms.Actor     `json:"by"`                // who set the time or published it
	PublishedAt cms.Time      `json:"published_at"`
	CreatedAt   cms.Time      `json:"created_at"`
	UpdatedAt   cms.Time      `json:"updated_at"`
	Lease       lease.Lease   `json:"lease"`

	version int64
}

func (r *release) putOp() table.Op {
	r.version++
	return table.PutNext(table.Item{Key: releaseKey(r.ID), Body: db.Pack(r)}, r.version-1)
}

// isDone reports whether the item at a position succeeded.
func (r *release) isDone(position int) bool {
	return position/8 < len(r.Done) && r.Done[position/8]&(1<<(position%8)) != 0
}

// setDone records that the item at a position succeeded.
func (r *release) setDone(position int) {
	done := slices.Clone(r.Done)
	for position/8 >= len(done) {
		done = append(done, 0)
	}
	done[position/8] |= 1 << (position % 8)
	r.Done = done
}

// note adds the row of a change to its transaction.
func (r *release) note(tx *db.Tx, m *site.Model) {
	undo.Note(tx, m, r.ID, r.Changes)
	r.Changes++
}

func (r *release) countDone() (n int) {
	for _, b := range r.Done {
		n += bits.OnesCount8(b)
	}
	return n
}

// keepDone sets the bits of Done for a changed list of items: items that have succeeded before stay
// done.
func (r *release) keepDone(was, now []storedItem) {
	done := map[ReleaseItem]bool{}
	for i, item := range was {
		done[item.ReleaseItem] = r.isDone(i)
	}
	r.Done = nil
	for i, item := range now {
		if done[item.ReleaseItem] {
			r.setDone(i)
		}
	}
}

// timer returns the timer at which a planned release is published.
func (r *release) timer() db.Timer {
	return db.Timer{At: r.PublishAt, Kind: KindRelease, Ref: r.ID}
}

var errNoRelease = cms.Errorf(cms.CodeNotFound, "There is no such release.")

// readRelease reads a release and its items.
func (s *Releases) readRelease(ctx context.Context, id string) (*release, []storedItem, error) {
	if !cms.IsUUID(id) {
		return nil, nil, errNoRelease
	}
	rows, err := s.Store.Table.Get(ctx, table.Strong, releaseKey(id), releaseItemsKey(id),
		site.ConfigKey(db.RandomShard()))
	if err != nil {
		return nil, nil, err
	}
	if rows[0] == nil || rows[1] == nil {
		return nil, nil, errNoRelease
	}
	now, err := s.Store.SiteAt(ctx, rows[2])
	r, items := &release{version: rows[0].Version}, []storedItem{}
	if err = cmp.Or(err, db.Unpack(rows[0].Body, r), db.Unpack(rows[1].Body, &items)); err != nil {
		return nil, nil, err
	}
	for i := range items { // the model may have another slug since
		if m := now.ModelByID(items[i].ModelID); m != nil {
			items[i].Model = m.Slug
		}
	}
	return r, items, nil
}

// openRelease reads a release; NOT_FOUND if there is none, or if the caller may not read all its items.
func (s *Releases) openRelease(ctx context.Context, id string) (*release, []storedItem, error) {
	r, items, err := s.readRelease(ctx, id)
	if err == nil && !reach.Shows(ctx, targetsOf(items)...) {
		err = errNoRelease
	}
	return r, items, err
}

// openAll is openRelease for a change of the release as a whole: FORBIDDEN unless the caller may do all
// that its items say.
func (s *Releases) openAll(ctx context.Context, id string) (*release, []storedItem, error) {
	return s.openFor(ctx, id, ItemActions)
}

func (s *Releases) openFor(ctx context.Context, id string, actions []cms.Action) (*release, []storedItem, error) {
	r, items, err := s.openRelease(ctx, id)
	if err == nil {
		err = reach.Check(ctx, actions, targetsOf(items)...)
	}
	return r, items, err
}

// May returns FORBIDDEN unless the caller may do the actions on all items of a release. With the id "" it is about
// the items of any release.
func (s *Releases) May(ctx context.Context, id string, actions ...cms.Action) error {
	if id == "" {
		return reach.Check(ctx, actions)
	}
	_, _, err := s.openFor(ctx, id, actions)
	return err
}

func targetsOf(items []storedItem) []reach.Target { return slice.Map(items, storedItem.targetOf) }

// putListed stores the row of a release in the list: what its items are about, by the ids of models.
func putListed(id string, items []storedItem) table.Op {
	targets := slice.Distinct(slice.Map(items, func(item storedItem) reach.Target {
		return reach.Target{Model: cmp.Or(item.ModelID, item.Model), Locale: item.Locale}
	}))
	return table.Op{Kind: table.Put, Item: table.Item{Key: releaseListKey(id), Body: db.Pack(targets)}}
}

func publicItems(items []storedItem) []ReleaseItem {
	return slice.Map(items, func(item storedItem) ReleaseItem { return item.ReleaseItem })
}

func (s *Releases) show(ctx context.Context, r *release, items []storedItem) (Release, error) {
	shown := Release{
		ID: r.ID, Name: r.Name, PublishAt: r.PublishAt, Items: make([]ShownItem, len(items)), Status: r.Status,
		Problems: []Problem{}, Done: r.countDone(),
		PublishedAt: r.PublishedAt, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	marks := changedItems{}
	if r.Status != ReleasePublished && len(items) > 0 {
		var err error
		if marks, err = s.changedItems(ctx, r.ID); err != nil {
			return shown, err
		}
	}
	for i, item := range items {
		shown.Items[i] = ShownItem{item.ReleaseItem, marks.markOf(item)}
	}
	if r.Problems == 0 {
		return shown, nil
	}
	rows, err := s.Store.Table.Query(ctx, table.Range{Partition: releasePartition(r.ID),
		Prefix: problemPrefix, Limit: maxReleaseItems})
	for _, row := range rows {
		var p Problem
		if err := db.Unpack(row.Body, &p); err != nil {
			return shown, err
		}
		shown.Problems = append(shown.Problems, p)
	}
	return shown, err
}
