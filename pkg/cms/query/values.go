package query

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"headless/pkg/cms"
)

// Value is one value of an entry in a comparable form. Only the field for its Kind is set.
type Value struct {
	Kind   cms.ValueKind // ValueMissing, ValueBool, ValueNumber, ValueTime, ValueText or ValueObject
	Bool   bool
	Number Decimal
	Time   time.Time
	Text   string
}

// Compare orders by kind, then by value: false before true, numbers exactly, instants by time,
// texts by the given function (nil: by bytes). A missing value comes last. Two objects are equal.
func Compare(a, b Value, text func(a, b string) int) int {
	if a.Kind != b.Kind {
		c := cmp.Compare(a.Kind, b.Kind)
		if a.Kind == cms.ValueMissing || b.Kind == cms.ValueMissing {
			return -c
		}
		return c
	}
	switch a.Kind {
	case cms.ValueBool:
		return cms.CompareBool(a.Bool, b.Bool)
	case cms.ValueNumber:
		return a.Number.Compare(b.Number)
	case cms.ValueTime:
		return a.Time.Compare(b.Time)
	case cms.ValueText:
		if text == nil {
			return strings.Compare(a.Text, b.Text)
		}
		return text(a.Text, b.Text)
	}
	return 0
}

// Values extracts the values at a path of an entry, in order; see Lookup for paths. Null and
// missing values are left out, so an empty result means missing. Dates and timestamps are instants;
// a date is midnight UTC. A value that does not fit the field (any more) keeps its JSON kind. A
// list in a field of one value counts as one object.
func Values(m *cms.Model, e *cms.Entry, path string) []Value {
	switch path {
	case "id":
		return []Value{{Kind: cms.ValueText, Text: e.ID}}
	case "title":
		return []Value{{Kind: cms.ValueText, Text: e.Title}}
	case "slug":
		return []Value{{Kind: cms.ValueText, Text: e.Slug}}
	case "status":
		return []Value{{Kind: cms.ValueText, Text: string(e.Status)}}
	case "locale":
		return []Value{{Kind: cms.ValueText, Text: e.Locale}}
	case "created_at":
		return timeValue(e.CreatedAt)
	case "updated_at":
		return timeValue(e.UpdatedAt)
	case "published_at":
		return timeValue(e.PublishedAt)
	case cms.ColumnParent:
		if e.ParentID() == "" {
			return nil
		}
		return []Value{{Kind: cms.ValueText, Text: e.ParentID()}}
	case cms.ColumnPosition:
		return []Value{{Kind: cms.ValueNumber, Number: DecimalOf(e.TreePosition())}}
	}
	rest, ok := strings.CutPrefix(path, "data.")
	if !ok {
		return nil
	}
	return appendValues(nil, m.Fields, e.Data, rest)
}

// SortValue returns the value that an entry is sorted by: the only value at the path, or
// ValueMissing.
func SortValue(m *cms.Model, e *cms.Entry, path string) Value {
	if values := Values(m, e, path); len(values) > 0 {
		return values[0]
	}
	return Value{}
}

func timeValue(t cms.Time) []Value {
	if t.IsZero() {
		return nil
	}
	return []Value{{Kind: cms.ValueTime, Time: t.Time}}
}

func appendValues(values []Value, fields []cms.Field, object map[string]any, path string) []Value {
	name, rest, deeper := strings.Cut(path, ".")
	f, v := cms.FieldNamed(fields, name), object[name]
	switch {
	case f == nil || v == nil:
		return values
	case !deeper && isList(v) && !f.IsList() && f.Type != cms.TypeJSON:
		return append(values, Value{Kind: cms.ValueObject}) // stored before the field's definition changed
	case !deeper:
		return appendLeaf(values, f.Kind(), v)
	case f.Type == cms.TypeJSON:
		return appendBelow(values, v, rest)
	case f.HasFields():
		return appendInside(f, values, v, rest)
	}
	return values
}

func isList(v any) bool {
	_, ok := v.([]any)
	return ok
}

// appendInside appends the values at a path inside a group, list or blocks field.
func appendInside(f *cms.Field, values []Value, v any, path string) []Value {
	switch v := v.(type) {
	case []any:
		if f.Type == cms.TypeGroup {
			return values // stored before the field's definition changed
		}
		for _, item := range v {
			values = appendInside(f, values, item, path)
		}
	case map[string]any:
		if f.Type == cms.TypeBlocks && path == "type" {
			return appendLeaf(values, cms.ValueText, v["type"])
		}
		return appendValues(values, f.FieldsOf(v), v, path)
	}
	return values
}

// appendBelow follows a path through JSON without a definition, into every element of lists on the
// path.
func appendBelow(values []Value, v any, path string) []Value {
	if items, ok := v.([]any); ok {
		for _, item := range items {
			values = appendBelow(values, item, path)
		}
		return values
	}
	object, _ := v.(map[string]any)
	name, rest, deeper := strings.Cut(path, ".")
	if deeper {
		return appendBelow(values, object[name], rest)
	}
	return appendLeaf(values, cms.ValueAny, object[name])
}

// appendLeaf appends a value of a field of some kind, or each element of a list, including nested
// lists.
func appendLeaf(values []Value, kind cms.ValueKind, v any) []Value {
	switch v := v.(type) {
	case bool:
		return append(values, Value{Kind: cms.ValueBool, Bool: v})
	case json.Number:
		if d, ok := ParseDecimal(string(v)); ok {
			return append(values, Value{Kind: cms.ValueNumber, Number: d})
		}
	case string:
		if kind == cms.ValueTime {
			if t, ok := parseTime(v); ok {
				return append(values, Value{Kind: cms.ValueTime, Time: t})
			}
		}
		return append(values, Value{Kind: cms.ValueText, Text: v})
	case []any:
		for _, item := range v {
			values = appendLeaf(values, kind, item)
		}
	case map[string]any:
		if id, ok := v["id"].(string); ok && kind == cms.ValueID { // of a relation to several models
			return append(values, Value{Kind: cms.ValueText, Text: id})
		}
		return append(values, Value{Kind: cms.ValueObject})
	}
	return values
}

// parseTime reads a date or a timestamp.
func parseTime(s string) (time.Time, bool) {
	if t, ok := cms.ParseDate(s); ok {
		return t, true
	}
	return cms.ParseDateTime(s)
}
