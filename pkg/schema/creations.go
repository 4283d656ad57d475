package schema

import (
	"context"

	"headless/pkg/db"
)

// batchOps is the size that a transaction of new parts has before its last part, in operations.
const batchOps = db.MaxOps

// addTo adds all changes but the first new parts to a transaction.
func (w *work) addTo(tx *db.Tx, made int) {
	for _, c := range w.creations[made:] {
		c.put(tx)
	}
	for _, stage := range w.stages {
		stage(tx)
	}
}

// createFirst makes new models, forms and redirects in transactions of their own, if the plan is too
// large for one. It returns how many it made, also with an error.
func (s *Schemas) createFirst(ctx context.Context, w *work) (made int, err error) {
	all := s.Store.Begin()
	w.addTo(all, 0)
	if all.Size() <= batchOps {
		return 0, nil
	}
	return s.inBatches(ctx, w, len(w.creations), func(tx *db.Tx, i int) { w.creations[i].put(tx) })
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
		dropped, err := s.inBatches(ctx, w, made, func(tx *db.Tx, i int) { w.creations[made-1-i].drop(tx) })
		made -= dropped
		return err
	})
}

// inBatches commits n steps in several transactions, and returns how many are done. The site that
// the steps start from is that after the commit before.
func (s *Schemas) inBatches(ctx context.Context, w *work, n int, add func(tx *db.Tx, i int)) (done int, err error) {
	for done < n {
		tx, next := s.Store.Begin(), done
		for ; next < n && (next == done || tx.Size() < batchOps); next++ {
			add(tx, next)
		}
		if err := s.Store.Commit(ctx, tx); err != nil {
			return done, err
		}
		done = next
		if !tx.SiteChanged {
			continue
		}
		version := w.st.site.Version
		if w.st.site, err = s.Store.Site.Site(ctx); err != nil {
			return done, err
		}
		if w.st.site.Version != version+1 {
			return done, db.ErrOvertaken
		}
	}
	return done, nil
}
