package cms

import "slices"

// Columns of the form of an entry. "" stands for the one that suits the type of a field.
const (
	ColumnMain = "main"
	ColumnSide = "side"
)

// MaxTab is the length of the name of a tab, in characters.
const MaxTab = 40

// IsShown reports whether the form of an entry with this data shows the field. A field that is not
// shown keeps its value, and may lack one although it is required.
func (f *Field) IsShown(data map[string]any) bool {
	if f.ShownIf == "" {
		return true
	}
	is := func(v any) bool {
		switch v := v.(type) {
		case bool:
			return v && len(f.ShownFor) == 0 ||
				slices.Contains(f.ShownFor, map[bool]string{true: "true", false: "false"}[v])
		case string:
			return v != "" && (len(f.ShownFor) == 0 || slices.Contains(f.ShownFor, v))
		}
		return false
	}
	v := data[f.ShownIf]
	if list, ok := v.([]any); ok {
		return slices.ContainsFunc(list, is)
	}
	return is(v)
}

// layout checks where a field stands in the form, and when it is shown.
func (d *defCheck) layout(at string, f *Field, fields []Field, depth int) {
	if depth > 1 && (f.Tab != "" || f.Column != "" || f.ShownIf != "" || len(f.ShownFor) > 0) {
		d.p.Add(at, "has tab, column, shown_if or shown_for, which work on top-level fields only")
		return
	}
	checkLength(d.p, at+".tab", f.Tab, MaxTab)
	if f.Column != "" && f.Column != ColumnMain && f.Column != ColumnSide {
		d.p.Add(at+".column", "must be main, side or empty")
	}
	if f.ShownIf == "" {
		if len(f.ShownFor) > 0 {
			d.p.Add(at+".shown_for", "needs the field that it is about in shown_if")
		}
		return
	}
	by := fieldNamed(fields, f.ShownIf)
	if by == nil || by.Name == f.Name || by.Type != TypeSelect && by.Type != TypeMultiSelect &&
		by.Type != TypeBoolean {
		d.p.Add(at+".shown_if", "must name another field of type select, multiselect or boolean")
		return
	}
	for _, value := range f.ShownFor {
		known := slices.Contains(by.Options, value)
		if by.Type == TypeBoolean {
			known = value == "true" || value == "false"
		}
		if !known {
			d.p.Add(at+".shown_for", "has %s, which is no value of %s", Shorten(value), by.Name)
		}
	}
}
