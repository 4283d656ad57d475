package approval

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/tasks"
)

// The states of a review (extensions §14).
const (
	None      = "none"
	Requested = "requested"
	Approved  = "approved"
	Returned  = "returned"
)

// Review is the review of an entry, a row beside it (extensions §14). State and Approvals are for
// one version: that of the entry and, if it has a draft, the number of the draft's revision. Each
// save of the entry or draft moves the review to the new version, and drops the approvals if the
// content changed. State is the stored one; Judge reports the present one. Last is the version that
// was approved last since somebody asked.
type Review struct {
	State       string     `json:"state"`
	RequestedBy string     `json:"by"` // id of the user
	RequestedAt cms.Time   `json:"at"`
	Askers      []string   `json:"askers"` // all who asked since it began
	Reviewers   []string   `json:"reviewers"`
	Due         *string    `json:"due"`
	Note        *string    `json:"note"`
	Approvals   []Approval `json:"approvals"`
	Entry       int64      `json:"entry"` // version
	Draft       int64      `json:"draft"` // number of the revision; 0: there is no draft
	Last        *Version   `json:"last,omitempty"`
	Decided     *Decision  `json:"decided,omitempty"`

	row int64 // version of the row; 0 if it is new
}

// Decision is an approval or a return, with the review as it was before, until the next change of the review: so long
// who made it can take it back.
type Decision struct {
	By  string   `json:"by"` // id of the user
	At  cms.Time `json:"at"`
	Was *Review  `json:"was"`
}

// Version is a version of an entry: its number and, if it has a draft, that of the draft's revision.
type Version struct {
	Entry int64 `json:"entry"`
	Draft int64 `json:"draft,omitempty"`
}

// Approval is the approval of one version by one user.
type Approval struct {
	User   string   `json:"user"` // id
	At     cms.Time `json:"at"`
	Locale string   `json:"locale"` // of the entry; a save that changes it drops the approval
}

// listed is the part of a review that its row in the list of a model's reviews has.
type listed struct {
	State     string     `json:"state"`
	Approvals []Approval `json:"approvals,omitempty"`
}

// Decode reads the row of a review; nil if there is none.
func Decode(item *table.Item) (*Review, error) {
	if item == nil {
		return nil, nil
	}
	r := &Review{row: item.Version}
	return r, db.Unpack(item.Body, r)
}

// Exists reports whether somebody asked for the review.
func (r *Review) Exists() bool { return r.row != 0 }

// IsOf reports whether r is the review of a version.
func (r *Review) IsOf(entry, draft int64) bool { return r.Entry == entry && r.Draft == draft }

// Before returns r as it was before the decision, in the row of r.
func (r *Review) Before() *Review {
	was := *r.Decided.Was
	was.row = r.row
	return &was
}

// Move makes r the review of another version. With changed set, the content differs.
func (r *Review) Move(entry, draft int64, changed bool) {
	r.Entry, r.Draft, r.Decided = entry, draft, nil
	if changed {
		r.Approvals = nil
		if r.State == Approved {
			r.State = Requested
		}
	}
}

// Put stores the review of an entry. The commit fails if it changed since it was read.
func Put(t *db.Tx, m *site.Model, id string, r *Review) {
	item := table.Item{Key: Key(m.ID, id), Body: db.Pack(r)}
	t.Save(item, r.row)
	t.Put(table.Item{Key: listKey(m.ID, uuid.MustParse(id)), Body: db.Pack(listed{r.State, r.Approvals})})
}

// Task returns the task of a user in the review of an entry.
func Task(m *site.Model, id string, kind tasks.Kind) tasks.Task {
	return tasks.Task{Kind: kind, ModelID: m.ID, EntryID: id}
}

// End removes the review of an entry, with its tasks.
func End(t *db.Tx, m *site.Model, id string, r *Review) {
	t.Remove(Key(m.ID, id), r.row)
	t.Delete(listKey(m.ID, uuid.MustParse(id)))
	for _, user := range r.Reviewers {
		tasks.End(t, user, Task(m, id, tasks.Review))
	}
	if r.State == Returned {
		tasks.End(t, r.RequestedBy, Task(m, id, tasks.Returned))
	}
}

// Entries lists the ids of a model's entries whose reviews now have one of some states. It returns
// QUERY_NOT_INDEXED if there are too many.
func Entries(ctx context.Context, d *db.DB, m *site.Model, states []string) ([]string, error) {
	rows, err := d.Table.Query(ctx, table.Range{Partition: listPartition(m.ID), Limit: index.MaxCollect + 1})
	if err != nil {
		return nil, err
	}
	if len(rows) > index.MaxCollect {
		return nil, index.ErrNotIndexed
	}
	ids, judge := []string{}, Judge(d)
	for _, row := range rows {
		state := string(row.Body) // rows of earlier versions have nothing else
		if r := (listed{}); db.Unpack(row.Body, &r) == nil {
			if state, _, err = judge(ctx, m, r.State, r.Approvals); err != nil {
				return nil, err
			}
		}
		if slices.Contains(states, state) {
			var id uuid.UUID
			copy(id[:], row.Sort)
			ids = append(ids, id.String())
		}
	}
	return ids, nil
}
