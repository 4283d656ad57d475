package reviewpages

import (
	"testing"

	"headless/pkg/cms"
	"headless/pkg/comments"
)

func TestIsLost(t *testing.T) {
	e := &cms.Entry{Title: "Lamps", SEO: cms.SEO{Description: "Warm light"},
		Data: map[string]any{"body": "Made of **oak** and\nash.",
			"blocks": []any{map[string]any{"heading": "First"}, map[string]any{"heading": "Moved here"}}}}
	for _, c := range []struct {
		field, quote string
		want         bool
	}{
		{"data.body", "of oak and ash", false}, {"data.body", "of **oak**", false}, {"data.body", "walnut", true},
		{"data.body", "Lamps", true}, {"title", "Lamps", false}, {"title", "oak", true}, {"", "oak", false},
		{"", "walnut", true},
		{"seo.description", "Warm", false}, {"seo.description", "Lamps", true}, {"", "Warm", false},
		{"data.blocks.0.heading", "Moved", false}, {"data.gone", "oak", true},
	} {
		comment := comments.Comment{Quote: &c.quote}
		if c.field != "" {
			comment.Field = &c.field
		}
		if got := isLost(comment, e); got != c.want {
			t.Errorf("%q at %q: lost is %v", c.quote, c.field, got)
		}
	}
	if isLost(comments.Comment{}, e) {
		t.Error("a comment without a quote is lost")
	}
}
