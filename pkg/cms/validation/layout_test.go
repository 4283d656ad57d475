package validation

import (
	"strings"
	"testing"

	"headless/pkg/cms"
)

func TestLayout(t *testing.T) {
	kind := cms.Field{Name: "kind", Type: cms.TypeSelect, Options: []string{"talk", "video"}}
	flag := cms.Field{Name: "live", Type: cms.TypeBoolean}
	for name, c := range map[string]struct {
		field cms.Field
		wrong string // path of the problem, "" for none
	}{
		"a tab, a column and a condition": {cms.Field{Tab: "Film", Column: "side", ShownIf: "kind",
			ShownFor: []string{"video"}}, ""},
		"any value":         {cms.Field{ShownIf: "kind"}, ""},
		"a box":             {cms.Field{ShownIf: "live", ShownFor: []string{"false"}}, ""},
		"an unknown column": {cms.Field{Column: "left"}, "fields.2.column"},
		"a long tab":        {cms.Field{Tab: strings.Repeat("x", 41)}, "fields.2.tab"},
		"an unknown field":  {cms.Field{ShownIf: "sort"}, "fields.2.shown_if"},
		"itself":            {cms.Field{ShownIf: "film"}, "fields.2.shown_if"},
		"an unknown value": {cms.Field{ShownIf: "kind", ShownFor: []string{"song"}},
			"fields.2.shown_for"},
		"values of nothing": {cms.Field{ShownFor: []string{"video"}}, "fields.2.shown_for"},
	} {
		c.field.Name, c.field.Type = "film", cms.TypeText
		m := cms.Model{Slug: "films", Name: "Films", Kind: cms.KindCollection, MaxPerPage: 10,
			Fields: []cms.Field{kind, flag, c.field}}
		p := Model(&m)
		if len(p) != 0 && c.wrong == "" || c.wrong != "" && len(p[c.wrong]) == 0 {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// TestRequiredWhereShown asks for a required field only while its form shows it.
func TestRequiredWhereShown(t *testing.T) {
	m := &cms.Model{Fields: []cms.Field{
		{Name: "kind", Type: cms.TypeSelect, Options: []string{"talk", "video"}},
		{Name: "film", Type: cms.TypeText, Required: true, ShownIf: "kind", ShownFor: []string{"video"}},
	}}
	for kind, want := range map[string]int{"talk": 0, "video": 1} {
		for _, film := range []any{nil, ""} {
			e := &cms.Entry{Title: "A", Slug: "a", Status: cms.StatusPublished,
				Data: map[string]any{"kind": kind, "film": film}}
			if p := (Checks{}).Entry(m, e, nil, true); len(p["data.film"]) != want {
				t.Errorf("%s with %v: %v", kind, film, p)
			}
		}
	}
}
