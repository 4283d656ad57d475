package reach

import (
	"testing"

	"headless/pkg/cms"
)

func TestReach(t *testing.T) {
	author := []cms.Rule{{Models: []string{"posts"}},
		{Models: []string{"pages"}, Actions: []cms.Action{cms.ActionRead}},
		{Models: []string{"pages"}, Locales: []string{"de"}}}
	posts, pages, de, en, secret := Target{"posts", "en"}, Target{"pages", ""}, Target{"pages", "de"},
		Target{"pages", "en"}, Target{"secret", "en"}
	for name, c := range map[string]struct {
		p              *cms.Permissions
		targets        []Target
		shown, publish bool
	}{
		"all":               {nil, []Target{posts, secret}, true, true},
		"may publish":       {cms.NewPermissions(author), []Target{posts, de}, true, true},
		"unknown locale":    {cms.NewPermissions(author), []Target{pages}, true, true},
		"another locale":    {cms.NewPermissions(author), []Target{de, en}, true, false},
		"one is hidden":     {cms.NewPermissions(author), []Target{posts, secret}, false, false},
		"empty":             {cms.NewPermissions(author), nil, true, true},
		"empty, no rule":    {cms.NewPermissions(nil), nil, false, false},
		"empty, reads only": {cms.NewPermissions(author[1:2]), nil, true, false},
		"both":              {cms.NewPermissions(author).And(cms.NewPermissions(author[1:2])), []Target{de}, true, false},
	} {
		ctx := cms.WithPermissions(t.Context(), c.p)
		if got := Shows(ctx, c.targets...); got != c.shown {
			t.Errorf("%s: shown %v", name, got)
		}
		if err := Check(ctx, []cms.Action{cms.ActionPublish}, c.targets...); (err == nil) != c.publish {
			t.Errorf("%s: publish: %v", name, err)
		}
	}
}
