package editing

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing/standing"
	"headless/pkg/input"
	"headless/pkg/site"
)

// ErrNoTree says that the model has no tree.
var ErrNoTree = cms.Errorf(cms.CodeNotFound, "The entries of this model have no tree.")

// Stand saves only where an entry stands in the tree of its model (extensions §13): below the entry that
// parent returns, then at the position that position returns. Errors: MODEL_NOT_FOUND, ENTRY_NOT_FOUND,
// ErrNoTree, VALIDATION_FAILED, CONFLICT for more than 2,000 entries, those of parent and position, and
// the error of the precondition.
func (s *Entries) Stand(ctx context.Context, actor cms.Actor, model, id string, ok input.Precondition[*cms.Entry],
	parent func(*site.Model, *cms.Entry) (string, error),
	position func(*site.Model, *cms.Entry) (float64, error)) (moved *cms.Entry, err error) {
	err = s.Change(ctx, model, func(_ *site.Site, m *site.Model) (*db.Tx, error) {
		rec, err := s.forChange(ctx, m, id, ok)
		if err != nil {
			return nil, err
		}
		if err := m.Permit(ctx, cms.ActionWrite, rec.Entry, rec.Entry); err != nil {
			return nil, err
		}
		if !m.Tree {
			return nil, ErrNoTree
		}
		e := *rec.Entry
		above, err := parent(m, &e)
		if err != nil {
			return nil, err
		}
		if above != e.ParentID() {
			e.Stand(above, e.TreePosition())
		}
		p := cms.Problems{}
		plan, err := standing.Change(ctx, s.Store, m, rec.Entry, &e, p)
		if err == nil {
			err = p.Err()
		}
		if err != nil {
			return nil, err
		}
		spot := *e.Spot
		if spot.Position, err = position(m, &e); err != nil {
			return nil, err
		}
		e.Spot, moved = &spot, &e
		tx := s.saveEntry(actor, m, rec, &e)
		plan.Apply(tx)
		return tx, nil
	}, never)
	return moved, err
}
