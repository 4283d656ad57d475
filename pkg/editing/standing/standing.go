// Package standing plans where entries stand in the trees of their models, for the saves of package editing
// (extensions §13). What always holds: two changes that would make a circle cannot both commit.
package standing

import (
	"cmp"
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/site"
)

// Trees (extensions §13). A change of the entry above is checked against the entries above and below
// as they were read. Its commit fails if one of those above was moved, renamed or deleted meanwhile, so
// two moves that cross cannot both commit.

// Plan is the change of an entry's place in the tree.
type Plan struct {
	known content.Above
	above []string    // ids of the entries above, the root first; nil if these do not change
	fence *tree.Fence // of an entry that leaves the middle of a tree; nil for others
}

// ErrLargeMove refuses the move of too many entries.
var ErrLargeMove = cms.Errorf(cms.CodeConflict, "More than %d entries would move. Move parts of them.", cms.MaxNodes)

// Change checks the parent of an entry that is saved, and adds its problems to p. before is nil for a
// new entry. Errors: CONFLICT for too many entries, and Held, unless p has problems.
func Change(ctx context.Context, s *content.Store, m *site.Model, before, e *cms.Entry, p cms.Problems) (Plan, error) {
	plan, err := move(ctx, s, m, before, e, p)
	if err == nil && len(p) == 0 && before != nil && before.Status == cms.StatusPublished && e.Status != before.Status {
		plan.fence, err = checkLeaving(ctx, s, m, before, cms.StatusPublished) // it leaves the public
	}
	return plan, err
}

// move checks the parent of an entry that is new, or has another parent or locale.
func move(ctx context.Context, s *content.Store, m *site.Model, before, e *cms.Entry, p cms.Problems) (Plan, error) {
	plan := Plan{known: content.Above{}}
	same := before != nil && before.ParentID() == e.ParentID() && before.Locale == e.Locale
	if !m.Tree || same || before == nil && e.ParentID() == "" {
		return plan, nil
	}
	levels := 0
	if before != nil {
		t, err := s.ReadTree(ctx, m, before.Locale, cms.Statuses, e.ID, 0)
		if cms.CodeOf(err) == cms.CodeQueryNotIndexed {
			err = ErrLargeMove
		}
		if err != nil {
			return plan, err
		}
		var n int
		if n, levels = t.Size(e.ID); n > 0 && before.Locale != e.Locale && m.Localized {
			p.Add("locale", "cannot change while entries stand below this one")
		}
		if n >= cms.MaxNodes {
			return plan, ErrLargeMove
		}
	}
	if e.ParentID() == "" {
		return plan, nil
	}
	err := checkParent(ctx, s, m, e, levels, &plan, p)
	spot := *e.Spot
	spot.Above, e.Spot = plan.known.Slugs(plan.above), &spot
	return plan, err
}

// checkParent checks the parent of an entry with some levels of entries below it.
func checkParent(ctx context.Context, s *content.Store, m *site.Model, e *cms.Entry, levels int, plan *Plan,
	p cms.Problems) error {
	parent, valid := input.CanonicalID(e.ParentID())
	if !valid {
		p.Add(cms.ColumnParent, "must be the id of an entry of this model and locale")
		return nil
	}
	e.Stand(parent, e.TreePosition())
	if err := s.AddAbove(ctx, plan.known, parent); err != nil {
		return err
	}
	plan.above = append(plan.known.Chain(parent), parent)
	switch at := plan.known[parent]; {
	case at.ModelID != m.ID || m.KeyLocale(at.Locale) != m.KeyLocale(e.Locale):
		p.Add(cms.ColumnParent, "is not an entry of this model and locale")
	case slices.Contains(plan.above, e.ID):
		p.Add(cms.ColumnParent, "is the entry itself or below it")
	case len(plan.above)+1+levels > cms.MaxLevels:
		p.Add(cms.ColumnParent, "would make more than %d levels", cms.MaxLevels)
	}
	return nil
}

// Apply adds the change to the transaction of the save.
func (plan Plan) Apply(t *db.Tx) {
	if plan.fence != nil {
		plan.fence.Require(t)
	}
	if len(plan.above) > 0 {
		plan.known.RequireAt(t, plan.above...)
		tree.Adopt(t, plan.above[len(plan.above)-1])
	}
}

// Inherit puts a new translation below the translation of its original's parent, if there is one
// and the body names no parent.
func Inherit(ctx context.Context, s *content.Store, m *site.Model, original, e *cms.Entry, body map[string]any) error {
	if body[cms.ColumnParent] != nil || !m.Tree {
		return nil
	}
	position := e.TreePosition()
	if body[cms.ColumnPosition] == nil {
		position = original.TreePosition()
	}
	parent := ""
	if above := original.ParentID(); above != "" {
		found, err := groups.Of(ctx, s, m, []string{above})
		if err != nil {
			return err
		}
		parent = found[0].Members[e.Locale]
	}
	e.Stand(parent, position)
	return nil
}

// Import plans the place of an imported entry in the tree. An entry whose parent is not taken stands
// at the root, and note says why.
func Import(ctx context.Context, s *content.Store, m *site.Model, rec *content.EntryRecord,
	e *cms.Entry) (plan Plan, note string, err error) {
	var before *cms.Entry
	if rec != nil {
		before = rec.Entry
	}
	p := cms.Problems{}
	if plan, err = Change(ctx, s, m, before, e, p); err != nil || len(p[cms.ColumnParent]) == 0 {
		return plan, "", cmp.Or(err, p.Err())
	}
	note = "The entry stands at the root: parent " + p[cms.ColumnParent][0] + "."
	e.Stand("", e.TreePosition())
	plan, err = Change(ctx, s, m, before, e, cms.Problems{})
	return plan, note, err
}

// Return puts an entry from the trash below its former parent or, if it can no longer stand there,
// at the root.
func Return(ctx context.Context, s *content.Store, m *site.Model, e *cms.Entry) (Plan, error) {
	if !m.Tree {
		e.Spot = nil
		return Plan{}, nil
	}
	if e.Spot == nil {
		e.Stand("", 0)
	}
	p := cms.Problems{}
	plan, err := Change(ctx, s, m, nil, e, p)
	if err == nil && len(p) > 0 {
		e.Stand("", e.TreePosition())
		plan = Plan{}
	}
	return plan, err
}
