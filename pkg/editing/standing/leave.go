package standing

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/content/tree"
	"headless/pkg/site"
)

// maxShown is how many entries below one an IN_USE error lists.
const maxShown = 20

// use is a place in the details of an IN_USE error, as in package links.
type use struct {
	Model  string     `json:"model"`
	ID     string     `json:"id"`
	Title  string     `json:"title"`
	Locale string     `json:"locale"`
	Status cms.Status `json:"status"`
	Path   string     `json:"path"`
}

// usage is the details of an IN_USE error.
type usage struct {
	Usage []use `json:"usage"`
	More  int   `json:"more,omitempty"` // entries that are not listed; all that are not published
}

// Delete plans the deletion of an entry. Error: IN_USE while entries stand below it.
func Delete(ctx context.Context, s *content.Store, m *site.Model, e *cms.Entry) (Plan, error) {
	return leave(ctx, s, m, e, func(cms.Status) bool { return true })
}

// unpublish plans that an entry leaves the public. Error: IN_USE while published entries stand below it.
func unpublish(ctx context.Context, s *content.Store, m *site.Model, e *cms.Entry) (Plan, error) {
	return leave(ctx, s, m, e, func(status cms.Status) bool { return status == cms.StatusPublished })
}

// leave refuses what would leave entries of some statuses without the one above them. The commit
// fails if another entry is put below meanwhile.
func leave(ctx context.Context, s *content.Store, m *site.Model, e *cms.Entry,
	keeps func(cms.Status) bool) (Plan, error) {
	if !m.Tree {
		return Plan{}, nil
	}
	fence, err := s.ReadFence(ctx, e.ID)
	if err != nil || !fence.HadBelow() {
		return Plan{fence: &fence}, err
	}
	below, err := s.ReadTree(ctx, m, e.Locale, cms.Statuses, e.ID, 0)
	if cms.CodeOf(err) == cms.CodeQueryNotIndexed { // too many: those directly below are enough
		below, err = s.ReadTree(ctx, m, e.Locale, cms.Statuses, e.ID, 1)
	}
	if err != nil {
		return Plan{}, err
	}
	found := usage{Usage: []use{}}
	below.Walk(e.ID, func(n *tree.Node, _ int) bool {
		switch {
		case !keeps(n.Status):
		case n.Status == cms.StatusPublished && len(found.Usage) < maxShown:
			found.Usage = append(found.Usage, use{m.Slug, n.ID, n.Title, n.Locale, n.Status, cms.ColumnParent})
		default:
			found.More++
		}
		return true
	})
	if len(found.Usage)+found.More > 0 {
		return Plan{}, &cms.Error{Code: cms.CodeInUse, Objects: found,
			Message: "Entries stand below this one. Move or remove them first."}
	}
	return Plan{fence: &fence}, nil
}
