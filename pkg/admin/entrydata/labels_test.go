package entrydata

import (
	"testing"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// TestPathLabel names fields in place of their paths, which the page of findings showed.
func TestPathLabel(t *testing.T) {
	m := &site.Model{Model: cms.Model{Fields: []cms.Field{{Name: "body", Label: "Text"}, {Name: "year"},
		{Name: "more", Label: "More", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "links", Label: "Links"}}},
		{Name: "parts", Label: "Blocks", Type: cms.TypeBlocks, Fields: []cms.Field{{Name: "hero", Type: cms.TypeGroup},
			{Name: "quote", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "heading", Label: "Heading"}}}}}}}}
	for path, want := range map[string]say.Text{
		"title": "Title", "seo.description": "Description for search engines",
		"data.body": say.Data("Text"), "data.year": say.Data("year"),
		"data.parts.1.heading": "Blocks 2 › Heading", "data.parts.1.gone": "Blocks 2",
		"data.more.links.0": "More › Links 1", "data.body.blocks.2": "Text 3", "data.gone.0": say.Data("data.gone.0"),
	} {
		if got := PathLabel(m, path); got.String() != want.String() {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if got := PathLabel(nil, "data.body"); got != say.Data("data.body") {
		t.Errorf("without a model: got %q", got)
	}
}
