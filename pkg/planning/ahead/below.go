package ahead

import (
	"errors"
	"maps"
	"math"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/editing/moving"
	"headless/pkg/planning"
)

// treeOf identifies the tree of a model in a locale.
type treeOf struct{ model, locale string }

// trees starts to read the trees with entries that steps unpublish together with those below, as far as their
// locales are known.
func (l *laying) trees(steps []planning.Step) map[treeOf]func() (*tree.Tree, error) {
	started := map[treeOf]func() (*tree.Tree, error){}
	for _, step := range steps {
		m, key := l.now.ModelByID(step.ModelID), treeOf{step.ModelID, step.Locale}
		if step.Children() != "" && m.Tree && step.Locale != "" && started[key] == nil {
			started[key] = meanwhile(func() (*tree.Tree, error) {
				return l.Releases.Store.WholeTree(l.ctx, m, step.Locale, cms.Statuses)
			})
		}
	}
	return started
}

// stepsBelow returns what a step does before it to the entries that stand below its entry by then, after the changes
// that are known.
func (l *laying) stepsBelow(step planning.Step, known map[string]*change,
	trees map[treeOf]func() (*tree.Tree, error)) ([]planning.Step, error) {
	above := known[step.ID]
	if step.Children() == "" || above == nil || !above.shown || !above.m.Tree || above.will.Status != cms.StatusPublished {
		return nil, nil
	}
	t, err := l.treeWith(step, above, trees)
	if errors.Is(err, tree.ErrLargeTree) {
		err = errTooMany
	}
	if err != nil {
		return nil, err
	}
	var moved []*tree.Node
	for _, c := range known {
		if e := c.will; c.m == above.m && e.Locale == above.will.Locale && e != c.was.Entry {
			moved = append(moved, &tree.Node{ID: e.ID, Parent: e.ParentID(), Position: e.TreePosition(),
				Address: tree.AddressOf(c.m, e)})
		}
	}
	return stepsUnder(t.With(moved), step, above.will.Spot), nil
}

// treeWith returns the stored tree with an entry, or the parts of a large one that its step changes.
func (l *laying) treeWith(step planning.Step, above *change,
	trees map[treeOf]func() (*tree.Tree, error)) (t *tree.Tree, err error) {
	read := func(parent string, depth int) (*tree.Tree, error) {
		return l.Releases.Store.ReadTree(l.ctx, above.m, above.will.Locale, cms.Statuses, parent, depth)
	}
	if whole := trees[treeOf{above.m.ID, above.will.Locale}]; whole != nil {
		if t, err = whole(); !errors.Is(err, tree.ErrLargeTree) {
			return t, err
		}
	}
	if t, err = read(step.ID, 0); err != nil || step.Children() != moving.Up {
		return t, err
	}
	beside, err := read(above.will.ParentID(), 1)
	if err != nil {
		return nil, err
	}
	return t.With(slices.Collect(maps.Values(beside.Nodes))), nil
}

// stepsUnder returns the steps of the entries below one that is unpublished and stands at a spot. Entries that move
// up come behind those that stand there, in their order.
func stepsUnder(t *tree.Tree, step planning.Step, at *cms.Spot) (steps []planning.Step) {
	add := func(n *tree.Node, up *cms.Spot) {
		steps = append(steps, planning.Step{ModelID: step.ModelID, ID: n.ID, Action: planning.ActionUnpublish, At: step.At,
			Below: true, Up: up})
	}
	spot := cms.Entry{Spot: at}
	end := 0.0
	if beside := t.Below(spot.ParentID()); len(beside) > 0 {
		end = math.Floor(beside[len(beside)-1].Position) + 1
	}
	for _, child := range t.Below(step.ID) {
		holds := child.Status == cms.StatusPublished
		visit := func(n *tree.Node, _ int) bool {
			if n.Status == cms.StatusPublished {
				if holds = true; step.Children() == moving.Down {
					add(n, nil)
				}
			}
			return true
		}
		visit(child, 1)
		t.Walk(child.ID, visit)
		if holds && step.Children() == moving.Up {
			spot.Stand(spot.ParentID(), end)
			add(child, spot.Spot)
			end++
		}
	}
	return steps
}
