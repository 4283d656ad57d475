package planning

import (
	"context"
	"errors"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// A plan or an item of a release that publishes an entry is bound to the content that the entry had
// when it was planned (extensions §14). A change of that content by somebody who may not publish the
// entry marks the plan and the items as changed, in its own transaction, and at its time a marked
// one fails. The marks of the items of a release stand beside the release. So that they can be set,
// each item also has a row beside the plan of its entry, written before the item and deleted after
// it: a row that a crash leaves marks an item that does not exist, which nobody reads.

// mailEvery is how often planners get a mail about changes of the same entry.
const mailEvery = time.Hour

// maxReleasesOfEntry is in how many releases an entry may be published while somebody who may not
// publish it changes it.
const maxReleasesOfEntry = 20

var errManyReleases = cms.Errorf(cms.CodeConflict, "This entry is in more than %d releases. "+
	"Until some are published or deleted, it can be changed by those who may publish it.", maxReleasesOfEntry)

// errChanged refuses a publication of what was changed after it was planned.
var errChanged = cms.Errorf(cms.CodeConflict, "The content was changed after this was planned, "+
	"by somebody who may not publish it. Look at it and plan it again.")

// markUnapproved marks what is planned for an entry as changed, in the transaction of a change of its
// content by somebody who may not publish it, and sends a mail to who planned it.
func (s *Schedules) markUnapproved(ctx context.Context, m *site.Model, tx *db.Tx, actor cms.Actor,
	e *cms.Entry) error {
	rows, err := s.Store.Table.Query(ctx, table.Range{Partition: planPartition(m.ID, e.ID),
		Limit: maxReleasesOfEntry + 3})
	if err != nil || len(rows) == 0 {
		return err
	}
	account, err := rights.AccountOf(ctx, s.Store.DB, actor.UserID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	changed := &cms.PlanChange{By: cms.Person{ID: actor.UserID, Name: account.Name}, At: tx.At()}
	var planners []cms.Actor
	var mailed cms.Time
	releases := 0
	for _, row := range rows {
		switch id, ofRelease := releaseOfPlan(row.Key); {
		case ofRelease:
			var by cms.Actor
			if err := db.Unpack(row.Body, &by); err != nil {
				return err
			}
			if releases++; releases > maxReleasesOfEntry {
				return errManyReleases
			}
			tx.Put(table.Item{Key: changedItemKey(id, e.ID), Version: tx.At().UnixNano(), Body: db.Pack(changed)})
			planners = append(planners, by)
		case row.Sort == mailedSort:
			if err := db.Unpack(row.Body, &mailed); err != nil {
				return err
			}
		default:
			was, err := decodePlan(&row)
			if err != nil {
				return err
			}
			if was.PublishAt.IsZero() {
				continue
			}
			now := was
			now.Changed = changed
			replacePlan(tx, was, now)
			planners = append(planners, was.By)
		}
	}
	if len(planners) == 0 || tx.At().Sub(mailed.Time) < mailEvery {
		return nil
	}
	if s.Mails.Mailer == nil {
		return nil
	}
	tx.Put(table.Item{Key: mailedKey(m.ID, e.ID), Body: db.Pack(tx.At()), Expires: tx.At().Add(mailEvery).Unix()})
	return s.Mails.Changed(ctx, tx, m, e, planners)
}

// bind stores that the bound items of a release are to be marked when their entries change.
func (s *Releases) bind(ctx context.Context, id string, items []storedItem) error {
	rows, err := s.bindings(ctx, id, slice.Filter(items, func(item storedItem) bool { return item.bound }))
	if err != nil || len(rows) == 0 {
		return err
	}
	return s.Store.Table.BatchWrite(ctx, rows, nil)
}

// unbind undoes bind for items that a release does not have any more.
func (s *Releases) unbind(ctx context.Context, id string, items []storedItem) error {
	rows, err := s.bindings(ctx, id, items)
	if err != nil || len(rows) == 0 {
		return err
	}
	return s.Store.Table.BatchWrite(ctx, nil, slice.Map(rows, func(row table.Item) table.Key { return row.Key }))
}

// bindings returns the rows of items beside the plans of the entries that they publish.
func (s *Releases) bindings(ctx context.Context, id string, items []storedItem) (rows []table.Item, err error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		if m := site.Models[item.Model]; m != nil && item.Action == ActionPublish {
			rows = append(rows, table.Item{Key: planOfReleaseKey(m.ID, item.ID, id), Body: db.Pack(item.By)})
		}
	}
	return rows, nil
}

// changedItem is the mark of an item of a release.
type changedItem struct {
	cms.PlanChange
	version int64
}

// changedItems are the marks of the items of a release, by the ids of the entries.
type changedItems map[string]changedItem

// markOf returns the mark of an item that publishes its entry, nil if there is none.
func (marks changedItems) markOf(item storedItem) *cms.PlanChange {
	if mark, ok := marks[item.ID]; ok && item.Action == ActionPublish {
		return &mark.PlanChange
	}
	return nil
}

// changedItems reads the marks of a release.
func (s *Releases) changedItems(ctx context.Context, id string) (changedItems, error) {
	rows, err := s.Store.Table.Query(ctx, table.Range{Partition: releasePartition(id), Prefix: changedPrefix})
	marks := changedItems{}
	for _, row := range rows {
		mark := changedItem{version: row.Version}
		if err := db.Unpack(row.Body, &mark.PlanChange); err != nil {
			return nil, err
		}
		marks[row.Sort[len(changedPrefix):]] = mark
	}
	return marks, err
}

// maxRebound is how many marked items one change of a release binds anew; it leaves room for the
// rest of the transaction. Further ones stay marked.
const maxRebound = 80

// rebind removes the marks of items that were added or bound anew, in the transaction of the change.
// It fails if an entry was changed once more since the marks were read.
func rebind(tx *db.Tx, id string, marks changedItems, items []storedItem) {
	rebound := 0
	for _, item := range items {
		if mark, ok := marks[item.ID]; ok && item.bound && rebound < maxRebound {
			tx.Remove(changedItemKey(id, item.ID), mark.version)
			rebound++
		}
	}
}
