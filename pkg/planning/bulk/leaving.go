package bulk

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/planning"
	"headless/pkg/planning/reach"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// runningOf lists the running jobs of a user.
func (s *Jobs) runningOf(ctx context.Context, userID string) ([]*job, error) {
	rows, err := s.Store.Table.Query(ctx, table.Range{Partition: listPartition, Reverse: true, Limit: maxListed})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	keys := slice.Map(rows, func(row table.Item) table.Key { return jobKey(row.Sort) })
	items, err := s.Store.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	now, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	var list []*job
	for _, item := range items {
		if item == nil {
			continue
		}
		j, err := decodeRow(now, item)
		if err != nil {
			return nil, err
		}
		if j.Status == Running && j.Actor.UserID == userID {
			list = append(list, j)
		}
	}
	return list, nil
}

// RunningBy lists the running jobs of a user that the caller may read, newest first.
func (s *Jobs) RunningBy(ctx context.Context, userID string) ([]Job, error) {
	running, err := s.runningOf(ctx, userID)
	list := []Job{}
	for _, j := range running {
		if reach.Shows(ctx, reach.Target{Model: j.Model}) {
			list = append(list, j.public())
		}
	}
	return list, err
}

// MayTake returns FORBIDDEN unless the caller may do what the running jobs of a user do.
func (s *Jobs) MayTake(ctx context.Context, userID string) error {
	running, err := s.runningOf(ctx, userID)
	for _, j := range running {
		if err != nil {
			return err
		}
		actions := []cms.Action{cms.ActionWrite}
		switch j.Action {
		case ActionDelete:
			actions = []cms.Action{cms.ActionDelete}
		case planning.ActionPublish, planning.ActionUnpublish, ActionArchive, ActionUndoRelease:
			actions = append(actions, cms.ActionPublish)
		}
		err = s.mayDo(ctx, j, actions)
	}
	return err
}

// Reassign makes the running jobs of a user those of another actor.
func (s *Jobs) Reassign(ctx context.Context, userID string, to cms.Actor) error {
	running, err := s.runningOf(ctx, userID)
	for _, was := range running {
		if err != nil {
			return err
		}
		err = s.Store.Retry(ctx, func() error {
			j, err := s.readJob(ctx, was.ID)
			if err != nil || j.Status != Running || j.Actor.UserID != userID {
				return err
			}
			j.Actor.Name, j.Actor.UserID, j.Actor.Term = to.Name, to.UserID, to.Term
			tx := s.Store.Begin()
			tx.Do(j.putOp(), db.ErrOvertaken)
			tx.Put(j.listRow())
			return s.Store.Commit(ctx, tx)
		})
	}
	return err
}
