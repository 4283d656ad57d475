package reach

import (
	"testing"

	"headless/pkg/cms"
)

func TestReach(t *testing.T) {
	author := []cms.Rule{{Models: []string{"posts"}},
		{Models: []string{"pages"}, Actions: []cms.Action{cms.ActionRead}}}
	for name, c := range map[string]struct {
		rules          *[]cms.Rule
		models         []string
		shown, publish bool
	}{
		"all":               {nil, []string{"posts", "secret"}, true, true},
		"may publish":       {&author, []string{"posts"}, true, true},
		"may read":          {&author, []string{"posts", "pages"}, true, false},
		"one is hidden":     {&author, []string{"posts", "secret"}, false, false},
		"empty":             {&author, nil, true, true},
		"empty, no rule":    {&[]cms.Rule{}, nil, false, false},
		"empty, reads only": {&[]cms.Rule{author[1]}, nil, true, false},
	} {
		ctx := With(t.Context(), c.rules)
		if got := Shows(ctx, c.models...); got != c.shown {
			t.Errorf("%s: shown %v", name, got)
		}
		if err := Check(ctx, cms.ActionPublish, c.models...); (err == nil) != c.publish {
			t.Errorf("%s: publish: %v", name, err)
		}
		if kept := Rules(ctx); (kept == nil) != (c.rules == nil) || kept != nil &&
			len(*kept) != len(*c.rules) {
			t.Errorf("%s: kept %v", name, kept)
		}
	}
}
