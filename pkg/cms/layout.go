package cms

import (
	"slices"
	"strconv"
)

// Columns of the form of an entry. "" selects the usual column for the type of a field.
const (
	ColumnMain = "main"
	ColumnSide = "side"
)

// MaxTab is the maximum length of a tab's name, in characters.
const MaxTab = 40

// IsShown reports whether the form of an entry with this data shows the field. A hidden field keeps
// its value, and may be empty even if it is required.
func (f *Field) IsShown(data map[string]any) bool {
	if f.ShownIf == "" {
		return true
	}
	is := func(v any) bool {
		switch v := v.(type) {
		case bool:
			return v && len(f.ShownFor) == 0 || slices.Contains(f.ShownFor, strconv.FormatBool(v))
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
