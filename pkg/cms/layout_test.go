package cms

import (
	"strings"
	"testing"
)

func TestLayout(t *testing.T) {
	kind := Field{Name: "kind", Type: TypeSelect, Options: []string{"talk", "video"}}
	flag := Field{Name: "live", Type: TypeBoolean}
	for name, c := range map[string]struct {
		field Field
		wrong string // path of the problem, "" for none
	}{
		"a tab, a column and a condition": {Field{Tab: "Film", Column: "side", ShownIf: "kind",
			ShownFor: []string{"video"}}, ""},
		"any value":         {Field{ShownIf: "kind"}, ""},
		"a box":             {Field{ShownIf: "live", ShownFor: []string{"false"}}, ""},
		"an unknown column": {Field{Column: "left"}, "fields.2.column"},
		"a long tab":        {Field{Tab: strings.Repeat("x", 41)}, "fields.2.tab"},
		"an unknown field":  {Field{ShownIf: "sort"}, "fields.2.shown_if"},
		"itself":            {Field{ShownIf: "film"}, "fields.2.shown_if"},
		"an unknown value": {Field{ShownIf: "kind", ShownFor: []string{"song"}},
			"fields.2.shown_for"},
		"values of nothing": {Field{ShownFor: []string{"video"}}, "fields.2.shown_for"},
	} {
		c.field.Name, c.field.Type = "film", TypeText
		m := Model{Slug: "films", Name: "Films", Kind: KindCollection, MaxPerPage: 10,
			Fields: []Field{kind, flag, c.field}}
		p := m.Validate()
		if len(p) != 0 && c.wrong == "" || c.wrong != "" && len(p[c.wrong]) == 0 {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// TestRequiredWhereShown asks for a required field only while its form shows it.
func TestRequiredWhereShown(t *testing.T) {
	m := &Model{Fields: []Field{
		{Name: "kind", Type: TypeSelect, Options: []string{"talk", "video"}},
		{Name: "film", Type: TypeText, Required: true, ShownIf: "kind", ShownFor: []string{"video"}},
	}}
	for kind, want := range map[string]int{"talk": 0, "video": 1} {
		for _, film := range []any{nil, ""} {
			e := &Entry{Title: "A", Slug: "a", Status: StatusPublished,
				Data: map[string]any{"kind": kind, "film": film}}
			if p := ValidateEntry(m, e, nil, true); len(p["data.film"]) != want {
				t.Errorf("%s with %v: %v", kind, film, p)
			}
		}
	}
}
