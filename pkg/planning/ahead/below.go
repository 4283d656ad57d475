package ahead

import (
	"errors"

	"headless/pkg/cms"
	"headless/pkg/content"
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

// withBelow adds to unpublications what they do to the entries that stand below now, before each of them, and adds
// these entries to known. Entries that move up keep their positions.
func (l *laying) withBelow(steps []planning.Step, known map[string]*change,
	trees map[treeOf]func() (*tree.Tree, error)) (all []planning.Step, err error) {
	var refs []content.Reference
	for _, step := range steps {
		above := known[step.ID]
		if step.Children() == "" || above == nil || !above.m.Tree || above.will.Status != cms.StatusPublished {
			all = append(all, step)
			continue
		}
		var t *tree.Tree
		var err error = tree.ErrLargeTree
		if read := trees[treeOf{above.m.ID, above.will.Locale}]; read != nil {
			t, err = read()
		}
		if errors.Is(err, tree.ErrLargeTree) {
			t, err = l.Releases.Store.ReadTree(l.ctx, above.m, above.will.Locale, cms.Statuses, step.ID, 0)
		}
		if errors.Is(err, tree.ErrLargeTree) {
			err = errTooMany
		}
		if err != nil {
			return nil, err
		}
		for _, step := range below(t, step, above.will.ParentID()) {
			if all = append(all, step); known[step.ID] == nil {
				known[step.ID] = &change{m: above.m, shown: true}
				refs = append(refs, content.Reference{Model: above.m, ID: step.ID})
			}
		}
		all = append(all, step)
	}
	return all, l.readEntries(refs, known, l.shows)
}

// below returns the steps of the entries below one that is unpublished.
func below(t *tree.Tree, step planning.Step, parent string) (steps []planning.Step) {
	add := func(n *tree.Node, up *string) {
		steps = append(steps, planning.Step{ModelID: step.ModelID, ID: n.ID, Action: planning.ActionUnpublish, At: step.At,
			Below: true, Up: up})
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
			add(child, &parent)
		}
	}
	return steps
}
