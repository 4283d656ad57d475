package cms

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"
)

// Value is one value of an entry in a form that compares. Only the part that Kind names is set.
type Value struct {
	Kind   ValueKind // ValueMissing, ValueBool, ValueNumber, ValueTime, ValueText or ValueObject
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
		if a.Kind == ValueMissing || b.Kind == ValueMissing {
			return -c
		}
		return c
	}
	switch a.Kind {
	case ValueBool:
		return compareBool(a.Bool, b.Bool)
	case ValueNumber:
		return a.Number.Compare(b.Number)
	case ValueTime:
		return a.Time.Compare(b.Time)
	case ValueText:
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
func (m *Model) Values(e *Entry, path string) []Value {
	switch path {
	case "id":
		return []Value{{Kind: ValueText, Text: e.ID}}
	case "title":
		return []Value{{Kind: ValueText, Text: e.Title}}
	case "slug":
		return []Value{{Kind: ValueText, Text: e.Slug}}
	case "status":
		return []Value{{Kind: ValueText, Text: string(e.Status)}}
	case "locale":
		return []Value{{Kind: ValueText, Text: e.Locale}}
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
func (m *Model) SortValue(e *Entry, path string) Value {
	if values := m.Values(e, path); len(values) > 0 {
		return values[0]
	}
	return Value{}
}

func timeValue(t Time) []Value {
	if t.IsZero() {
		return nil
	}
	return []Value{{Kind: ValueTime, Time: t.Time}}
}

func appendValues(values []Value, fields []Field, object map[string]any, path string) []Value {
	name, rest, deeper := strings.Cut(path, ".")
	f, v := fieldNamed(fields, name), object[name]
	switch {
	case f == nil || v == nil:
		return values
	case !deeper && isList(v) && !f.IsList() && f.Type != TypeJSON:
		return append(values, Value{Kind: ValueObject}) // from before the field's definition changed
	case !deeper:
		return appendLeaf(values, f.Kind(), v)
	case f.Type == TypeJSON:
		return appendBelow(values, v, rest)
	case f.HasFields():
		return f.appendInside(values, v, rest)
	}
	return values
}

func isList(v any) bool {
	_, ok := v.([]any)
	return ok
}

// appendInside goes into the object or the list of objects of a group, list or blocks field.
func (f *Field) appendInside(values []Value, v any, path string) []Value {
	switch v := v.(type) {
	case []any:
		if f.Type == TypeGroup {
			return values // from before the field's definition changed
		}
		for _, item := range v {
			values = f.appendInside(values, item, path)
		}
	case map[string]any:
		if f.Type == TypeBlocks && path == "type" {
			return appendLeaf(values, ValueText, v["type"])
		}
		return appendValues(values, f.fieldsOf(v), v, path)
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
	return appendLeaf(values, ValueAny, object[name])
}

// appendLeaf takes a value of a field of some kind, or each element of a list, nested lists too.
func appendLeaf(values []Value, kind ValueKind, v any) []Value {
	switch v := v.(type) {
	case bool:
		return append(values, Value{Kind: ValueBool, Bool: v})
	case json.Number:
		if d, ok := ParseDecimal(string(v)); ok {
			return append(values, Value{Kind: ValueNumber, Number: d})
		}
	case string:
		if kind == ValueTime {
			if t, ok := parseTime(v); ok {
				return append(values, Value{Kind: ValueTime, Time: t})
			}
		}
		return append(values, Value{Kind: ValueText, Text: v})
	case []any:
		for _, item := range v {
			values = appendLeaf(values, kind, item)
		}
	case map[string]any:
		return append(values, Value{Kind: ValueObject})
	}
	return values
}

// parseTime reads a date or a timestamp.
func parseTime(s string) (time.Time, bool) {
	if t, ok := ParseDate(s); ok {
		return t, true
	}
	return ParseDateTime(s)
}
