package schema

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/db"
	"headless/pkg/slice"
)

// Sizes of transactions, in operations before the commit adds its own.
const (
	wholeOps = 80 // up to which all changes of existing parts are committed together
	batchOps = db.MaxOps
)

// commit stores all changes, together with the state from which Drift is computed. It first closes
// the models and locales to be deleted, so that no entry is saved between the check and the commit.
//
// What does not fit into one transaction is stored in several: new parts, then existing ones. If no
// existing part was changed when a commit fails, the new parts are dropped and the models and
// locales opened again. After that the only way is forward: Apply retries with the rest of the plan.
func (a *application) commit(ctx context.Context, w *work) error {
	closed, err := a.closeParts(ctx, w)
	if err != nil {
		return err
	}
	steps := append(slices.Clone(w.stages), func(tx *db.Tx) {
		putApplied(tx, w.target)
		noteApplied(tx, a.actor, a.approved)
	})
	made, done := 0, 0
	if creations := w.puts(); a.beginSteps(slices.Concat(creations, steps)...).Size() <= batchOps {
		steps = slices.Concat(creations, steps)
	} else {
		made, err = a.inBatches(ctx, w, creations)
	}
	switch {
	case err != nil:
	case a.beginSteps(steps...).Size() <= wholeOps:
		err = a.commitSteps(ctx, w, steps)
	default:
		done, err = a.inBatches(ctx, w, steps)
	}
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if done > 0 {
		a.partly = true
	}
	if !a.partly {
		err = errors.Join(a.drop(ctx, w, made), err)
	}
	return errors.Join(a.setActive(ctx, closed, true), err)
}

// step adds one change to a transaction.
type step = func(tx *db.Tx)

func (w *work) puts() []step {
	return slice.Map(w.creations, func(c creation) step { return c.put })
}

// drop removes the first new parts again.
func (s *Schemas) drop(ctx context.Context, w *work, made int) error {
	if made == 0 {
		return nil
	}
	return s.Store.Retry(ctx, func() (err error) {
		if w.st.site, err = s.Store.Site.Site(ctx); err != nil {
			return err
		}
		w.siteChanged = false
		var steps []step
		for _, c := range slices.Backward(w.creations[:made]) {
			steps = append(steps, c.drop)
		}
		dropped, err := s.inBatches(ctx, w, steps)
		made -= dropped
		return err
	})
}

// inBatches commits steps in several transactions, and returns how many are done.
func (s *Schemas) inBatches(ctx context.Context, w *work, steps []step) (done int, err error) {
	for done < len(steps) {
		next, tx := done, s.beginSteps()
		for ; next < len(steps); next++ {
			if steps[next](tx); next > done && tx.Size() > batchOps {
				break
			}
		}
		if err := s.commitSteps(ctx, w, steps[done:next]); err != nil {
			return done, err
		}
		done = next
	}
	return done, nil
}

// commitSteps commits steps in one transaction, which starts from the site after the one before.
func (s *Schemas) commitSteps(ctx context.Context, w *work, steps []step) (err error) {
	if w.siteChanged {
		version := w.st.site.Version
		if w.st.site, err = s.Store.Site.Site(ctx); err != nil {
			return err
		}
		if w.st.site.Version != version+1 {
			return db.ErrOvertaken
		}
		w.siteChanged = false
	}
	tx := s.beginSteps(steps...)
	err = s.Store.Commit(ctx, tx)
	w.siteChanged = err == nil && tx.SiteChanged
	return err
}

// beginSteps starts a transaction of some steps.
func (s *Schemas) beginSteps(steps ...step) *db.Tx {
	tx := s.Store.Begin()
	for _, add := range steps {
		add(tx)
	}
	return tx
}
