package ui

import (
	"slices"
	"testing"

	"headless/pkg/cms"
)

// TestModelIcon: the icon that a model sets, else that of the last known word of its slug, else that
// of a field.
func TestModelIcon(t *testing.T) {
	for _, c := range []struct{ slug, set, field, want string }{
		{"posts", "", "", "article"}, {"news", "", "", "article"}, {"blog_posts", "", "", "article"},
		{"authors", "", "", "person"}, {"people", "", "", "person"}, {"team-members", "", "", "person"},
		{"categories", "", "", "tag"}, {"product-categories", "", "", "tag"}, {"tags", "", "", "tag"},
		{"products", "", "", "cart"}, {"product", "", "", "cart"}, {"events", "", "", "calendar"},
		{"home-page", "", "", "home"}, {"galleries", "", "", "image"}, {"stores", "", "", "pin"},
		{"faq", "", "", "question"}, {"testimonials", "", "", "star"}, {"videos", "", "", "video"},
		{"pages", "", "", "Entries"}, {"", "", "", "Entries"}, {"lamps", "", "price", "cart"},
		{"posts", "", "price", "article"}, {"lamps", "", "rating", "star"}, {"lamps", "", "colour", "Entries"},
		{"posts", "star", "price", "star"}, {"lamps", "gear", "price", "gear"},
	} {
		m := cms.Model{Slug: c.slug, Menu: cms.ModelMenu{Icon: c.set}, Fields: []cms.Field{{Name: "title"}, {Name: c.field}}}
		if got := ModelIcon(&m); got != c.want {
			t.Errorf("%+v has the icon %q", c, got)
		}
	}
	for _, table := range []map[string]string{slugIcons(), fieldIcons()} {
		for word, icon := range table {
			if !slices.Contains(cms.ModelIcons, icon) {
				t.Errorf("%s: there is no icon %q", word, icon)
			}
		}
	}
	for _, icon := range cms.ModelIcons {
		if _, ok := icons()[icon]; !ok {
			t.Errorf("icons.txt has no %q", icon)
		}
	}
}
