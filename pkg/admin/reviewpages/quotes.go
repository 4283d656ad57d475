package reviewpages

import (
	"strings"

	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/fulltext/analysis"
)

// isLost reports whether the passage that a comment quotes is no longer in its field, or in no field if
// it names none. It is found at another place of the field, and whatever its white space and Markdown.
func isLost(c comments.Comment, e *cms.Entry) bool {
	if c.Quote == nil {
		return false
	}
	var in any = []any{e.Title, e.Slug, e.Data, e.SEO.Title, e.SEO.Description}
	if c.Field != nil {
		path := strings.Split(*c.Field+".", ".")
		switch in = e.Title; path[0] {
		case "data":
			in = e.Data[path[1]] // blocks move, so their places do not count
		case "slug":
			in = e.Slug
		case "seo":
			in = []any{e.SEO.Title, e.SEO.Description}
		}
	}
	quote := oneLine(*c.Quote)
	return !anyText(in, func(text string) bool {
		return strings.Contains(oneLine(text), quote) || strings.Contains(oneLine(analysis.PlainText(text)), quote)
	})
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// anyText reports whether one of the texts in a value matches.
func anyText(v any, matches func(string) bool) bool {
	switch v := v.(type) {
	case string:
		return matches(v)
	case []any:
		for _, item := range v {
			if anyText(item, matches) {
				return true
			}
		}
	case map[string]any:
		for _, item := range v {
			if anyText(item, matches) {
				return true
			}
		}
	}
	return false
}
