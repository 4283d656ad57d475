package lists

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// explained asks the admin area how it finds lists.
func explained(t *testing.T, s *kit.Suite) {
	list := "GET /models" + shop(t, s, s.Key(t, nil)) + "/entries?explain=1"
	plan := func(name, query, way string, path any, total any, shown int) kit.Step {
		return kit.Step{Name: name, Call: list + query,
			Want: kit.Obj{"meta.plan.way": way, "meta.plan.path": path, "meta.plan.total": total, "data.#": shown}}
	}
	s.Admin(t).Run(t,
		plan("default order", "", "walk", nil, 6, 6),
		plan("a value", "&filter[data.color]=brown", "walk", "data.color", 1, 1),
		plan("a value, sorted", "&filter[data.color]=brown&sort=title", "collect", "data.color", 1, 1),
		plan("a comparison", "&filter[data.price][gt]=5", "collect", "data.price", nil, 2),
		plan("nothing", "&filter[data.color]=none", "none", nil, 0, 0),
		plan("words", "&q=apple", "hits", nil, nil, 1),
		kit.Step{Name: "not asked", Call: list[:len(list)-len("?explain=1")], Want: kit.Obj{"meta.plan": nil, "data.#": 6}},
	)
	_, _, editor := s.User(t, "editor")
	editor.Run(t, kit.Step{Name: "for admins only", Call: list, Want: kit.Obj{"meta.plan": nil, "data.#": 6}})
}
