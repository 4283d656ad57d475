package ui

import (
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// Chip is a filter that is set above a list. Href is the URL of the list without it.
type Chip struct {
	Text say.Text
	Href string
}

// Chips returns the filters of a list that a query sets: those with an input, in the order of the
// inputs, and those of fields of content that other links have set. The input of a search shows it by itself.
func Chips(fields []Field, query url.Values) (chips []Chip) {
	for _, f := range fields {
		chips = append(chips, Chips(f.Fields, query)...)
		if !f.isSet(query) {
			continue
		}
		label, value := f.Label, say.Data(f.Value)
		if i := slices.IndexFunc(f.Options, func(o Option) bool { return o.Value == f.Value }); i >= 0 {
			value = f.Options[i].Label
		} else if day, ok := cms.ParseDate(f.Value); ok && f.Kind == "date" {
			value = say.Date(day)
		}
		if f.Kind == "hidden" {
			path, ofContent := strings.CutPrefix(f.Name, "filter[data.")
			if !ofContent {
				continue
			}
			if path, _, _ = strings.Cut(path, "]"); label == "" {
				label = say.Data(Words(path))
			}
		}
		chips = append(chips, Chip{say.F("{1}: {2}", label, value), With(query, f.Name, "")})
	}
	return chips
}

// isSet reports whether a query sets a filter that a chip shows. The choice of language shows itself.
func (f Field) isSet(query url.Values) bool {
	return f.Value != "" && query.Get(f.Name) == f.Value && f.Kind != "search" &&
		!slices.Contains([]string{"sort", "per_page", "filter[locale]"}, f.Name)
}

// WithoutChips returns the fields above a list with hidden inputs in place of those that a chip shows.
func WithoutChips(fields []Field, query url.Values) []Field {
	left := slices.Clone(fields)
	for i, f := range left {
		if left[i].Fields = WithoutChips(f.Fields, query); f.isSet(query) {
			left[i] = Field{Name: f.Name, Kind: "hidden", Value: f.Value}
		}
	}
	return left
}

// MoreFilters folds fields above a list that are used seldom. Chips show those that are set.
func MoreFilters(fields ...Field) Field {
	return Field{Kind: "more", Label: "More filters", Fields: []Field{{Kind: "row", Fields: fields}}}
}
