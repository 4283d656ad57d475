package ui

import (
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/say"
)

// Chip is a filter that is set above a list. Href is the URL of the list without it.
type Chip struct {
	Text say.Text
	Href string
}

// Chips returns the filters of a list that a query sets: those with an input, in the order of the
// inputs, and those of fields of content that other links have set.
func Chips(fields []Field, query url.Values) (chips []Chip) {
	for _, f := range fields {
		chips = append(chips, Chips(f.Fields, query)...)
		if f.Value == "" || query.Get(f.Name) != f.Value || f.Name == "sort" || f.Name == "per_page" {
			continue
		}
		label, value := f.Label, say.Data(f.Value)
		for _, o := range f.Options {
			if o.Value == f.Value {
				value = o.Label
			}
		}
		if f.Kind == "hidden" {
			path, ofContent := strings.CutPrefix(f.Name, "filter[data.")
			if !ofContent {
				continue
			}
			path, _, _ = strings.Cut(path, "]")
			label = say.Data(Words(path))
		}
		chips = append(chips, Chip{say.F("{1}: {2}", label, value), With(query, f.Name, "")})
	}
	return chips
}

// MoreFilters folds fields above a list that are used seldom. They are open if one of them is set.
func MoreFilters(fields ...Field) Field {
	fold := Field{Kind: "more", Label: "More filters", Fields: []Field{{Kind: "row", Fields: fields}}}
	if slices.ContainsFunc(fields, func(f Field) bool { return f.Value != "" }) {
		fold.Value = "open"
	}
	return fold
}
