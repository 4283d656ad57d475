package entrypages

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"testing"

	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

func mergeModel() *site.Model {
	return &site.Model{Model: cms.Model{Fields: []cms.Field{
		{Name: "body", Type: cms.TypeRichText}, {Name: "teaser", Type: cms.TypeTextarea},
		{Name: "on", Type: cms.TypeBoolean}, {Name: "at", Type: cms.TypeDateTime},
		{Name: "n", Type: cms.TypeNumber},
		{Name: "rows", Type: cms.TypeList, Fields: []cms.Field{{Name: "what", Type: cms.TypeText}}},
		{Name: "parts", Type: cms.TypeBlocks,
			Fields: []cms.Field{{Name: "quote", Type: cms.TypeGroup,
				Fields: []cms.Field{{Name: "text", Type: cms.TypeText}}}}},
	}}}
}

// TestMergeEntry compares the values that a form sends with those that it showed and those that are
// stored.
func TestMergeEntry(t *testing.T) {
	m := mergeModel()
	shown := &cms.Entry{Title: "T", Data: map[string]any{"body": "a\r\nb", "teaser": "x",
		"at": "2026-01-01T00:00:00Z", "n": json.Number("1.50")}}
	stored := &cms.Entry{Title: "T", Data: map[string]any{"body": "a\r\nb", "teaser": "theirs",
		"at": "2026-01-01T00:00:00Z", "n": json.Number("2")}}
	form := url.Values{"title": {"Mine"},
		"slug": {""}, "data.body": {"a\r\nb"}, "data.teaser": {"mine"},
		"data.on": {"false"}, "data.at": {"2026-01-01T00:00"}, "data.n": {"1.50"},
		"data.rows._rows": {""}, "data.rows.0.what": {""}, "seo.title": {""}}
	base := entryforms.BaseOf(m, entryforms.StoredOf(m, shown, nil))
	merge := mergeForm(m, base, form, stored)
	for name, lists := range map[string][2][]string{
		"mine":      {slices.Sorted(maps.Keys(merge.Mine)), {"title"}},
		"others":    {slices.Sorted(maps.Keys(merge.Others)), {"data.n", "data.teaser"}},
		"conflicts": {keysOf(merge.Conflicts), {"data.teaser"}},
	} {
		if !slices.Equal(lists[0], lists[1]) {
			t.Errorf("%s: %v, want %v", name, lists[0], lists[1])
		}
	}
	if merge := mergeForm(m, entryforms.Base{}, form, stored); len(merge.Conflicts) > 0 ||
		!slices.Equal(slices.Sorted(maps.Keys(merge.Mine)), []string{"data.n", "data.teaser", "title"}) {
		t.Errorf("without a base: %+v", merge)
	}
}

// mergeForm merges a form with a stored entry.
func mergeForm(m *site.Model, base entryforms.Base, form url.Values, stored *cms.Entry) entryforms.EntryMerge {
	in := entryforms.FormReader{Problems: cms.Problems{}, IDs: true}
	return entryforms.MergeEntry(m, base, entryforms.SentValues(m, in.Typed(m, form)),
		entryforms.StoredOf(m, stored, nil), entryforms.Choice{})
}

// TestMergeNoindex checks the box that leaves an entry out of sitemaps, and clears it again.
func TestMergeNoindex(t *testing.T) {
	m := mergeModel()
	for _, was := range []bool{false, true} {
		stored := &cms.Entry{Title: "T", SEO: cms.SEO{Noindex: was}}
		form := url.Values{"title": {"T"}, "seo.noindex": {"false"}}
		if !was {
			form.Add("seo.noindex", "true")
		}
		merge := mergeForm(m, entryforms.BaseOf(m, entryforms.StoredOf(m, stored, nil)), form, stored)
		if mine := slices.Sorted(maps.Keys(merge.Mine)); !slices.Equal(mine, []string{"seo.noindex"}) {
			t.Errorf("from %t: %v", was, mine)
		}
	}
}

// TestCanonicalBlocks tells empty blocks apart by their type.
func TestCanonicalBlocks(t *testing.T) {
	m := mergeModel()
	value := func(blocks ...any) string {
		return entryforms.Digest(m.Field("parts"), blocks)
	}
	quote := map[string]any{"type": "quote", "text": nil}
	if value() != ui.Digest(nil) || value(quote) == value() || value(quote, quote) == value(quote) {
		t.Error("blocks are confused")
	}
}

// TestTextDiff shows a change with some words around it.
func TestTextDiff(t *testing.T) {
	parts := ui.TextDiff("The lamp is red.", "The lamp is green.")
	if len(parts) < 3 || parts[0] != (ui.DiffPart{Kind: "same", Text: "The lamp is "}) {
		t.Errorf("%+v", parts)
	}
	if parts := ui.TextDiff("", ""); len(parts) != 0 {
		t.Errorf("%+v", parts)
	}
}
