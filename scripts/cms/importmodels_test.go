package main

import (
	"testing"

	"headless/pkg/must"
)

// TestImportOfSomeModels: an import of some models creates those and the models they relate to, no
// others.
func TestImportOfSomeModels(t *testing.T) {
	first, second := serve(t), serve(t)
	c := use(t, first)
	for _, m := range []map[string]any{
		{"slug": "places", "name": "Places"}, {"slug": "others", "name": "Others"},
		{"slug": "authors", "name": "Authors", "fields": []any{
			map[string]any{"name": "home", "type": "relation", "model": "places"}}},
		{"slug": "posts", "name": "Posts", "fields": []any{map[string]any{"name": "by", "type": "group",
			"fields": []any{map[string]any{"name": "author", "type": "relation", "model": "authors"}}}}},
	} {
		must.Do(t, c.JSON("POST", "/admin/models", m, nil))
	}
	dir := t.TempDir()
	expect(t, 0, "export", dir, "--models", "posts")
	c = use(t, second)
	expect(t, 0, "import", dir)
	for model, want := range map[string]bool{"posts": true, "authors": true, "places": true,
		"others": false} {
		if err := c.JSON("GET", "/admin/models/"+model, nil, nil); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", model, err, want)
		}
	}
}
