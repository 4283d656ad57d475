package entryforms

import (
	"maps"
	"strconv"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// Stored has the values of a stored entry by field key. Their rows have ids, which all forms of the
// entry share.
type Stored struct {
	Values map[string]any
	series map[string]string // of the ids of each field with rows
}

// StoredOf returns the values of an entry. kept has the ids of rows that Split returned with an
// earlier version of the entry. They count for fields that have not changed since. The rows of other
// fields get their indexes as ids, in a series of their own.
func StoredOf(m *site.Model, e *cms.Entry, kept map[string]string) Stored {
	s := Stored{Values: storedValues(m, e), series: map[string]string{}}
	for key, v := range s.Values {
		f := FieldOf(m, key)
		if !hasRows(f) {
			continue
		}
		series := digestOfRows(f, v)
		var ids []string
		if words := strings.Fields(kept[key]); len(words) > 1 && words[1] == series {
			series, ids = words[0], words[2:]
		}
		s.series[key] = series
		s.Values[key] = mapRows(f, v, func(row map[string]any, i int) {
			row[ui.RowKey] = strconv.Itoa(i)
			if len(ids) > 0 {
				row[ui.RowKey], ids = ids[0], ids[1:]
			}
		})
	}
	return s
}

// Series names the series of the ids of the rows of a field.
func (s Stored) Series(key string) string { return s.series[key] }

// Entry returns a copy of an entry with the values, for a form.
func (s Stored) Entry(e *cms.Entry) *cms.Entry {
	shown := *e
	shown.Data = maps.Clone(e.Data)
	for name := range shown.Data {
		if v, ok := s.Values["data."+name]; ok {
			shown.Data[name] = v
		}
	}
	return &shown
}

// Split returns the body of a save without the ids of rows, and the ids to keep beside the entry: for
// each field a series, a digest of the value with the rows, and the ids of rows in the order of
// mapRows.
func (s Stored) Split(m *site.Model, body map[string]any) (clean map[string]any, ids map[string]string) {
	clean, ids = maps.Clone(body), map[string]string{}
	data, _ := body["data"].(map[string]any)
	if data = maps.Clone(data); data != nil {
		clean["data"] = data
	}
	for key, series := range s.series {
		f, v := FieldOf(m, key), s.Values[key]
		if changed, ok := data[f.Name]; ok {
			v, data[f.Name] = changed, withoutIDs(f, changed)
		}
		digest := digestOfRows(f, v)
		if digest == series {
			continue // StoredOf finds the same ids
		}
		words := []string{series, digest}
		mapRows(f, v, func(row map[string]any, i int) { words = append(words, RowID(row, i)) })
		ids[key] = strings.Join(words, " ")
	}
	return clean, ids
}

// hasRows reports whether a value of a field has rows, at any depth.
func hasRows(f *cms.Field) bool {
	return f.HasFields() && (f.Type != cms.TypeGroup || HasRows(f.Fields))
}

// withoutIDs returns a copy of a value without the ids of rows.
func withoutIDs(f *cms.Field, v any) any {
	return mapRows(f, v, func(row map[string]any, _ int) { delete(row, ui.RowKey) })
}

// mapRows returns a copy of a value in which change was called with each row and its index in its
// list, with outer rows before those in them.
func mapRows(f *cms.Field, v any, change func(row map[string]any, i int)) any {
	inner := func(f *cms.Field, v any) any { return mapRows(f, v, change) }
	switch v := v.(type) {
	case map[string]any:
		if f.Type == cms.TypeGroup {
			return mapFields(f.Fields, v, inner)
		}
	case []any:
		if !f.HasFields() || f.Type == cms.TypeGroup {
			return v
		}
		rows := make([]any, len(v))
		for i, item := range v {
			row, _ := item.(map[string]any)
			row = maps.Clone(row)
			if row == nil {
				row = map[string]any{}
			}
			change(row, i)
			rows[i] = mapFields(fieldsOfRow(f, row), row, inner)
		}
		return rows
	}
	return v
}

// mapFields returns a copy of an object with the converted values of its fields.
func mapFields(fields []cms.Field, object map[string]any, convert func(f *cms.Field, v any) any) map[string]any {
	copied := maps.Clone(object)
	for i := range fields {
		if v, ok := object[fields[i].Name]; ok {
			copied[fields[i].Name] = convert(&fields[i], v)
		}
	}
	return copied
}
