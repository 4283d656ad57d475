package planning

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing/moving"
	"headless/pkg/planning/lease"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Work starts to publish a release that is due, or continues. It is the handler of timers of the
// kind KindRelease.
func (s *Releases) Work(ctx context.Context, id string) (nextRun cms.Time, err error) {
	r, items, err := s.readRelease(ctx, id)
	if errors.Is(err, errNoRelease) {
		return cms.Time{}, nil
	}
	if err != nil {
		return cms.Time{}, err
	}
	now := s.Store.Now()
	if changeable(r) == nil && !r.PublishAt.IsZero() && !now.Before(r.PublishAt.Time) {
		if err := s.startRelease(ctx, r, items, now.Sub(r.PublishAt.Time)); err != nil {
			return lease.RetryAt(s.Store.Now(), err)
		}
	}
	switch {
	case r.Status != ReleasePublishing:
		return cms.Time{}, nil
	case r.Lease.Held(now):
		return r.Lease.Until, nil
	}
	next := *r
	next.Lease = lease.New(now)
	w := &releaseWork{s: s, release: r, items: items}
	if err := w.commit(ctx, s.Store.Begin(), &next); err != nil {
		return lease.RetryAt(s.Store.Now(), err)
	}
	return lease.Work(ctx, s.Store.Now, w)
}

// startRelease starts to publish a release that is due. A release that is more than 24 hours late fails.
func (s *Releases) startRelease(ctx context.Context, r *release, items []storedItem, late time.Duration) error {
	tx, next := s.Store.Begin(), *r
	if err := s.beginRelease(ctx, tx, &next); err != nil {
		return err
	}
	if err := s.Store.Commit(ctx, tx); err != nil {
		if errors.Is(err, db.ErrOvertaken) {
			return lease.ErrLost
		}
		return err
	}
	*r = next
	if late <= tooLate {
		return nil
	}
	refused := cms.Errorf(cms.CodeUnavailable,
		"The service did not run at that time, and more than 24 hours have passed.")
	w := &releaseWork{s: s, release: r, items: items}
	var problems []Problem
	for i, item := range items {
		if !r.isDone(i) {
			problems = append(problems, newProblem(item.ReleaseItem, refused))
		}
	}
	return w.endRefused(ctx, problems)
}

// releaseWork is a worker that publishes a release.
type releaseWork struct {
	s       *Releases
	release *release
	items   []storedItem
}

func (w *releaseWork) commit(ctx context.Context, tx *db.Tx, next *release) error {
	tx.Do(next.putOp(), lease.ErrLost)
	err := w.s.Store.Commit(ctx, tx)
	if err == nil {
		*w.release = *next
	}
	return err
}

// Running implements lease.Worker.
func (w *releaseWork) Running() bool { return w.release.Status == ReleasePublishing }

// GiveBack implements lease.Worker.
func (w *releaseWork) GiveBack(ctx context.Context) {
	fresh, _, err := w.s.readRelease(ctx, w.release.ID)
	if err != nil || fresh.Lease.ID != w.release.Lease.ID {
		return
	}
	fresh.Lease = lease.Lease{}
	tx := w.s.Store.Begin()
	tx.Do(fresh.putOp(), lease.ErrLost)
	_ = w.s.Store.Commit(ctx, tx)
}

// Step checks the whole release, publishes one item, or ends the release.
func (w *releaseWork) Step(ctx context.Context) error {
	r := w.release
	if !r.Checked {
		problems, err := w.s.checkRelease(ctx, r, w.items)
		if err != nil {
			return err
		}
		if len(problems) > 0 {
			return w.endRefused(ctx, problems)
		}
		next := *r
		next.Checked = true
		return w.commit(ctx, w.s.Store.Begin(), &next)
	}
	next := *r
	for next.Next < len(w.items) && next.isDone(next.Next) {
		next.Next++
	}
	if next.Next >= len(w.items) {
		return w.finishRelease(ctx)
	}
	return w.publish(ctx, next.Next)
}

// actor returns the actor of an item's change: who added it, in the request that published it.
func (r *release) actor(item storedItem) cms.Actor {
	if item.By == (cms.Actor{}) { // stored before items had their own
		return r.By
	}
	by := r.By
	by.Name, by.UserID, by.KeyID, by.Term = item.By.Name, item.By.UserID, item.By.KeyID, item.By.Term
	return by
}

// publish publishes or unpublishes the item at a position and advances the release, in one
// transaction.
func (w *releaseWork) publish(ctx context.Context, position int) error {
	item := w.items[position]
	var next *release
	entries := Joining(w.s.Entries, func(m *site.Model, tx *db.Tx) error {
		next = w.advancedTo(position)
		next.setDone(position)
		next.note(tx, m)
		tx.Do(next.putOp(), lease.ErrLost)
		if item.Action == ActionPublish {
			tx.RequireAbsent(changedItemKey(w.release.ID, item.ID), errChanged)
		}
		return nil
	})
	as, err := rights.As(ctx, w.s.Store.DB, item.By, w.release.By)
	if err == nil {
		err = Apply(as, entries, w.release.actor(item), item.Model, item.ID, item.Action, false)
	}
	below := w.leavingBelow(item)
	leaving, failed := leaversBeside(w.release.left(w.items, nil), 0).Below(ctx, w.s.Store, err, item.Children)
	if below.Children = leaving; failed != nil {
		return failed
	}
	if held, ok := below.Held(err); ok {
		if err = below.Clear(as, held, moving.AtOnce); err == nil {
			return nil // the next step tries it again
		}
	}
	var refused *cms.Error
	switch {
	case err == nil:
		*w.release = *next
		return nil
	case errors.Is(err, rehearsal.ErrNothingToDo):
		done := w.advancedTo(position)
		done.setDone(position)
		return w.commit(ctx, w.s.Store.Begin(), done)
	case !errors.As(err, &refused) || rehearsal.UnlessRefused(err) != nil:
		return err
	}
	next, tx := w.advancedTo(position), w.s.Store.Begin()
	next.Problems++
	tx.Put(table.Item{Key: problemKey(w.release.ID, position), Body: db.Pack(newProblem(item.ReleaseItem, refused))})
	return w.commit(ctx, tx, next)
}

// leavingBelow returns the unpublication of an item with what it says about the entries below. Each of their changes
// extends the lease.
func (w *releaseWork) leavingBelow(item storedItem) moving.Leaving {
	entries := Joining(w.s.Entries, func(m *site.Model, tx *db.Tx) error {
		next := *w.release
		next.Lease.Extend(w.s.Store.Now())
		next.note(tx, m)
		tx.Do(next.putOp(), lease.ErrLost)
		tx.Then(func(context.Context) error {
			*w.release = next
			return nil
		})
		return nil
	})
	return leavingOf(entries, w.release.actor(item), item.Model, item.ID, item.Children)
}

// advancedTo returns the release with the position after an item.
func (w *releaseWork) advancedTo(position int) *release {
	next := *w.release
	next.Next = position + 1
	next.Lease.Extend(w.s.Store.Now())
	return &next
}

// endRefused ends a release whose check found problems, before any item is published. The rows of the
// problems are written first: nobody reads them while the release is publishing, and a worker that
// repeats this writes the same rows.
func (w *releaseWork) endRefused(ctx context.Context, problems []Problem) error {
	rows := make([]table.Item, len(problems))
	for i, p := range problems {
		rows[i] = table.Item{Key: problemKey(w.release.ID, i), Body: db.Pack(p)}
	}
	if err := w.s.Store.Table.BatchWrite(ctx, rows, nil); err != nil {
		return err
	}
	return w.endRelease(ctx, ReleaseFailed, problems)
}

// finishRelease ends a release after its last item.
func (w *releaseWork) finishRelease(ctx context.Context) error {
	if w.release.Problems == 0 {
		return w.endRelease(ctx, ReleasePublished, nil)
	}
	shown, err := w.s.show(ctx, w.release, w.items)
	if err != nil {
		return err
	}
	return w.endRelease(ctx, ReleaseFailed, shown.Problems)
}

// endRelease sets the final status of a release and raises its event, in one transaction.
func (w *releaseWork) endRelease(ctx context.Context, status ReleaseStatus, problems []Problem) error {
	next, tx := *w.release, w.s.Store.Begin()
	next.Status, next.Lease, next.Problems, next.UpdatedAt = status, lease.Lease{}, len(problems), tx.At()
	data := releaseEvent{ID: next.ID, Name: next.Name, Items: publicItems(w.items), Problems: slices.Clone(problems)}
	for i := range data.Problems {
		data.Problems[i].Changed = nil // names a person
		if data.Problems[i].Code == cms.CodeInUse {
			data.Problems[i].Details = json.RawMessage("{}") // 20 entries for each problem would not fit into the row
		}
	}
	kind := cms.EventReleaseFailed
	if status == ReleasePublished {
		next.PublishedAt = tx.At()
		kind = cms.EventReleasePublished
	}
	tx.Event(next.By, kind, "", data)
	tx.Activity(next.By, kind, "release "+next.Name, next.ID)
	first := cms.Counted(len(problems), "{1} entry of {2} could not be published or unpublished:\n{3}",
		"{1} entries of {2} could not be published or unpublished:\n{3}", strconv.Itoa(len(w.items)),
		w.s.Mails.SiteURL+"/admin/releases/"+next.ID)
	if err := w.s.Mails.Failed(ctx, tx, next.By, cms.Phrased("The release \"{1}\" failed", next.Name), first,
		slice.Map(problems, Problem.mailed)); err != nil {
		return err
	}
	if err := w.commit(ctx, tx, &next); err != nil || status != ReleasePublished {
		return err
	}
	return w.s.unbind(ctx, next.ID, w.items)
}

// releaseEvent is the data of release.published and release.failed.
type releaseEvent struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Items    []ReleaseItem `json:"items"`
	Problems []Problem     `json:"problems,omitempty"`
}
