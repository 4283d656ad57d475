package query

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"headless/pkg/cms"
)

// Value is one value of an entry in a form that compares. Only the part that Kind names is set.
type Value struct {
	Kind   cms.ValueKind // ValueMissing, ValueBool, ValueNumber, ValueTime, ValueText or ValueObject
	Bool   bool
	Number Decimal
	Time   time.Time
	Text   string
}

// Compare orders by kind, then by value: false before true, numbers exactly, instants, texts by the
// function given (nil: by bytes). A missing value comes after every other. It is zero for equal
// values and for two objects.
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
		return compareBool(a.Bool, b.Bool)
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

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Values extracts what stands at a path of an entry, in order; see Lookup for paths. Null and
// missing values are left out, so nothing at all means missing. Dates and timestamps are instants,
// a date being midnight UTC. What does not fit the field (any more) keeps the kind that it has in
// JSON; a list in a field that takes one value counts as one object.
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
	}
	rest, ok := strings.CutPrefix(path, "data.")
	if !ok {
		return nil
	}
	return appendValues(nil, m.Fields, e.Data, rest)
}

// SortValue is the value that an entry sorts by: the only one at the path, or ValueMissing.
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
		return append(values, Value{Kind: cms.ValueObject}) // from before the field's definition changed
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

// appendInside goes into the object or the list of objects of a group, list or blocks field.
func appendInside(f *cms.Field, values []Value, v any, path string) []Value {
	switch v := v.(type) {
	case []any:
		if f.Type == cms.TypeGroup {
			return values // from before the field's definition changed
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

// appendBelow follows a path freely through JSON, into every element of the lists on its way.
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

// appendLeaf takes a value of a field of some kind, or each element of a list, nested lists too.
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
