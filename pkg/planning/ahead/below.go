package ahead

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/editing/moving"
	"headless/pkg/planning"
	"headless/pkg/site"
)

// withBelow adds to unpublications what they do to the entries that stand below now, before each of them. Entries
// that move up keep their positions.
func (p Previews) withBelow(ctx context.Context, now *site.Site,
	steps []planning.Step) (all []planning.Step, err error) {
	var ids []string
	for _, step := range steps {
		if step.Children() != "" {
			ids = append(ids, step.ID)
		}
	}
	found, err := p.Releases.Store.Addresses(ctx, ids)
	if len(ids) == 0 || err != nil {
		return steps, err
	}
	for _, step := range steps {
		m, at := now.ModelByID(step.ModelID), found[step.ID]
		if step.Children() != "" && m != nil && m.Tree && at.Status == cms.StatusPublished {
			t, err := p.Releases.Store.ReadTree(ctx, m, at.Locale, cms.Statuses, step.ID, 0)
			if cms.CodeOf(err) == cms.CodeQueryNotIndexed {
				err = errTooMany
			}
			if err != nil {
				return nil, err
			}
			all = append(all, below(t, step, at.Parent)...)
		}
		all = append(all, step)
	}
	return all, nil
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
