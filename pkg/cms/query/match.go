package query

import (
	"slices"
	"strings"

	"headless/pkg/cms"
)

// Match reports whether an entry matches a filter that ValidateFilter accepts. Every faster way of
// finding entries must agree with it. text orders texts for lt, lte, gt and gte (nil: by bytes);
// equality of texts is always exact.
func (f Filter) Match(m *cms.Model, e *cms.Entry, text func(a, b string) int) bool {
	info, ok := m.Lookup(f.Path)
	return ok && f.MatchValues(info.Kind, Values(m, e, f.Path), text)
}

// MatchValues does the same as Match for the values at the filter's path; kind is the kind of the
// path.
//
// One matching value is enough, so equality means "contains" on a list. ne and nin are the
// opposites of eq and in, so they match if there is no value. Under ValueAny each value compares by
// its own kind. A value of another kind than the path (the model was changed) equals nothing.
func (f Filter) MatchValues(kind cms.ValueKind, values []Value, text func(a, b string) int) bool {
	switch f.Op {
	case OpNull:
		return (len(values) == 0) == (len(f.Values) > 0 && f.Values[0] == "true")
	case OpNe, OpNin:
		return !f.anyMatch(kind, values, text)
	}
	return f.anyMatch(kind, values, text)
}

func (f Filter) anyMatch(kind cms.ValueKind, values []Value, text func(a, b string) int) bool {
	for _, v := range values {
		if kind != cms.ValueAny && kind != v.Kind && (kind != cms.ValueID || v.Kind != cms.ValueText) {
			continue
		}
		for _, s := range f.Values {
			if kind == cms.ValueID {
				s = strings.ToLower(s)
			}
			if f.matchOne(v, s, text) {
				return true
			}
		}
	}
	return false
}

// matchOne compares a value of the entry with a value of the filter, parsed as the same kind.
func (f Filter) matchOne(v Value, s string, text func(a, b string) int) bool {
	switch f.Op {
	case OpContains:
		return v.Kind == cms.ValueText && strings.Contains(v.Text, s)
	case OpStartsWith:
		return v.Kind == cms.ValueText && strings.HasPrefix(v.Text, s)
	}
	want, ok := ParseValue(v.Kind, s)
	if !ok || want.Kind != v.Kind {
		return false
	}
	switch f.Op {
	case OpLt:
		return Compare(v, want, text) < 0
	case OpLte:
		return Compare(v, want, text) <= 0
	case OpGt:
		return Compare(v, want, text) > 0
	case OpGte:
		return Compare(v, want, text) >= 0
	}
	return Compare(v, want, nil) == 0
}

// Accepted returns the values, such as statuses or locales, that all filters accept. It does not
// change the given list.
func Accepted[T ~string](values []T, filters ...Filter) []T {
	return slices.DeleteFunc(slices.Clone(values), func(v T) bool {
		for _, f := range filters {
			if !f.MatchValues(cms.ValueText, []Value{{Kind: cms.ValueText, Text: string(v)}}, nil) {
				return true
			}
		}
		return false
	})
}
