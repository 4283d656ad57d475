package cms

import "cmp"

// Limits of a model's definition.
const (
	MaxName       = 255 // characters of a model's name and of a label
	MaxFields     = 200 // all fields of a model, nested ones too
	MaxFieldDepth = 6   // levels of fields, the top level included
	MaxPerPageCap = 1000
	MaxUnique     = 10
	MaxIndexes    = 5
	MaxIndexPaths = 4
	MaxReview     = 2
	MaxStale      = 120 // months
)

// NewModel returns a model with the defaults of a new one.
func NewModel() Model {
	m := Model{IsActive: true, MaxPerPage: DefaultMaxPerPage}
	m.Normalize()
	return m
}

// Normalize sets the defaults of missing values: kind collection, empty lists instead of null. Call
// it before validation.Model.
func (m *Model) Normalize() {
	m.Kind = cmp.Or(m.Kind, KindCollection)
	m.Fields = normalizeFields(m.Fields, MaxFieldDepth+1)
	m.VisibleFields = orEmpty(m.VisibleFields)
	m.Indexes = orEmpty(m.Indexes)
	m.Translate = orEmpty(m.Translate)
}

func normalizeFields(fields []Field, depth int) []Field {
	fields = orEmpty(fields)
	if depth == 0 {
		return fields
	}
	for i := range fields {
		f := &fields[i]
		f.Options, f.Mimes = orEmpty(f.Options), orEmpty(f.Mimes)
		f.Fields = normalizeFields(f.Fields, depth-1)
		f.Default = CloneJSON(f.Default)
		if !f.IsShared() {
			f.Translatable = nil
		}
	}
	return fields
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
