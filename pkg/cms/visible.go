package cms

import "maps"

// VisibleTo returns the model as a reader sees it: without hidden fields for readers without an
// admin role.
func (m *Model) VisibleTo(admin bool) *Model {
	if admin {
		return m
	}
	return m.Visible()
}

// VisibleData returns a copy of an entry's data without the fields that the view's model hides.
// Nested values are shared with data.
func VisibleData(full, view *Model, data map[string]any) map[string]any {
	data = maps.Clone(data)
	if view != full {
		maps.DeleteFunc(data, func(key string, _ any) bool { return view.Field(key) == nil })
	}
	if data == nil {
		data = map[string]any{}
	}
	return data
}
