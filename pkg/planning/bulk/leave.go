package bulk

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/moving"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk/names"
	"headless/pkg/planning/lease"
	"headless/pkg/planning/rehearsal"
	"headless/pkg/site"
	"headless/pkg/table"
)

const (
	maxUp    = 200 // entries that move up in one answer
	maxTries = 5   // of a change below which others put entries at the same time
)

// Exit is a change by which an entry may leave the middle of a tree (extensions §13).
type Exit struct {
	Action    string // ActionDelete, planning.ActionUnpublish or ActionSet
	Model, ID string
	Body      map[string]any // of ActionSet
	Children  string         // see package moving
	// Change makes it.
	Change func(ctx context.Context, entries *editing.Entries) error
}

// Started is a job that makes a change behind the answer.
type Started struct {
	ID     string `json:"id"`
	Status Status `json:"status"`
}

// Leave makes a change, and does what it says about the entries below. It returns a job if that makes the
// change, nil if it is made. Errors: those of the change, and CONFLICT for too many entries.
func (s *Jobs) Leave(ctx context.Context, actor cms.Actor, x Exit) (*Started, error) {
	l := moving.Leaving{Entries: s.Entries, Actor: actor, Children: x.Children, Needs: rightFor(x.Action),
		Change: x.Change}
	err := x.Change(ctx, s.Entries)
	for range maxTries {
		held, ok := l.Held(err)
		switch {
		case !ok:
			return nil, err
		case x.Children == moving.Down:
			if err := l.Check(ctx, held); err != nil {
				return nil, err
			}
			x.ID = held.Entry.ID
			return s.startLeaving(ctx, actor, x)
		case len(held.Directly) > maxUp:
			return nil, cms.Errorf(cms.CodeConflict,
				"More than %d entries would move up. Use a job: POST /admin/jobs with children.", maxUp)
		}
		if err = l.Clear(ctx, held, maxUp); err == nil {
			err = x.Change(ctx, s.Entries)
		}
	}
	return nil, err
}

func (s *Jobs) startLeaving(ctx context.Context, actor cms.Actor, x Exit) (*Started, error) {
	tx := s.Store.Begin()
	j := job{ID: uuid.Must(uuid.NewV7()).String(), Status: Running, Action: x.Action, Children: x.Children,
		Names: names.Names{Model: x.Model}, Collected: true, Total: 1, Actor: actor, CreatedAt: tx.At()}
	if x.Action == ActionSet {
		raw, err := cms.Marshal(x.Body)
		if err != nil {
			return nil, err
		}
		j.Set = raw
	}
	if err := s.putIDs(ctx, &j, []string{x.ID}); err != nil {
		return nil, err
	}
	started := &Started{j.ID, j.Status}
	tx.Made = started
	_, err := s.beginJob(ctx, tx, &j)
	return started, err
}

// rightFor returns the right that an action needs.
func rightFor(action string) cms.Action {
	if action == ActionDelete {
		return cms.ActionDelete
	}
	return cms.ActionWrite
}

// leavingBelow returns the change of an entry with what the job says about those below. Each of their changes extends
// the lease.
func (w *jobWork) leavingBelow(id string) moving.Leaving {
	entries := planning.Joining(w.s.Entries, func(_ *site.Model, tx *db.Tx) error {
		next := *w.job
		next.Lease.Extend(w.s.Store.Now())
		if w.job.Action != ActionUndoRelease { // which counts all of its changes
			next.Below++
		}
		tx.Do(next.putOp(), lease.ErrLost)
		tx.Then(func(context.Context) error {
			*w.job = next
			return nil
		})
		return nil
	})
	l := moving.Leaving{Entries: entries, Actor: w.job.Actor, Children: w.job.Children, Needs: rightFor(w.job.Action),
		Change: func(ctx context.Context, entries *editing.Entries) error { return w.changeEntry(ctx, entries, id) },
		Out:    w.takeOut}
	if w.job.Action == ActionUndoRelease {
		l.Children, l.Out = moving.Down, w.undoBelow
	}
	return l
}

// takeOut lets an entry below leave in the same way: to the trash, or with the same status.
func (w *jobWork) takeOut(ctx context.Context, entries *editing.Entries, id string) error {
	j := w.job
	entries = planning.Joining(entries, func(_ *site.Model, tx *db.Tx) error {
		tx.Put(table.Item{Key: belowKey(j.ID, j.Done, j.Below), Body: []byte(id), Expires: j.expires()})
		return nil
	})
	if j.Action == ActionDelete {
		return entries.Delete(ctx, j.Actor, j.Model, id, nil)
	}
	status := any(string(cms.StatusDraft))
	switch j.Action {
	case ActionArchive:
		status = string(cms.StatusArchived)
	case ActionSet:
		body, err := cms.DecodeObject(j.Set)
		if err != nil {
			return err
		}
		status = body["status"]
	}
	_, err := entries.Update(ctx, j.Actor, j.Model, id, map[string]any{"status": status}, func(e *cms.Entry) error {
		if e.Status != cms.StatusPublished {
			return rehearsal.ErrNothingToDo
		}
		return nil
	})
	if errors.Is(err, rehearsal.ErrNothingToDo) {
		err = nil
	}
	return err
}
