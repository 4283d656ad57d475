package entryforms

import (
	"strings"
	"testing"

	"headless/pkg/admin/ui"
)

func TestResultOf(t *testing.T) {
	fields := []ui.Field{{Name: "title", Value: "Oil"}, {Name: "data.cover", Pick: &ui.Pick{}},
		{Name: "data.photo", Pick: &ui.Pick{Chosen: []ui.Choice{{Image: "/p.jpg"}}}}, {Name: "seo.title"},
		{Name: "seo.description"}}
	r := ResultOf(fields)
	r.SetAddress("https://example.com/en/posts/oil")
	if r.Title != "Oil" || r.Image != "/p.jpg" || r.Address != "example.com › en › posts › oil" {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct{ title, text, states string }{
		{"", "", "good missing"},
		{strings.Repeat("ä", 60), strings.Repeat("ä", 160), "good good"},
		{strings.Repeat("ä", 61), strings.Repeat("ä", 161), "long long"},
	} {
		fields[3].Value, fields[4].Value = c.title, c.text
		r := ResultOf(fields)
		if got := r.Lines[0].State() + " " + r.Lines[1].State(); got != c.states {
			t.Errorf("%d and %d characters are %s, want %s", r.Lines[0].Length, r.Lines[1].Length, got, c.states)
		}
	}
}
