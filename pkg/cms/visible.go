package cms

import "maps"

// VisibleTo is the model as a reader sees it: without hidden fields for one who has no admin role.
func (m *Model) VisibleTo(admin bool) *Model {
	if admin {
		return m
	}
	return m.Visible()
}

// VisibleData is a copy of an entry's data for one view: without fields that the view's model
// hides. What lies below is shared.
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
