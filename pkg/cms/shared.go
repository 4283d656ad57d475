package cms

import "maps"

// IsShared reports whether all translations of an entry have the same value in the field
// (extensions §3).
func (f *Field) IsShared() bool { return f.Translatable != nil && !*f.Translatable }

// SharesFields reports whether a model has shared fields. Entries of a model that is not localized
// have no translations.
func (m *Model) SharesFields() bool {
	for i := range m.Fields {
		if m.Fields[i].IsShared() {
			return m.Localized
		}
	}
	return false
}

// SameShared reports whether two entries of a model have the same values in its shared fields.
func (m *Model) SameShared(a, b *Entry) bool {
	for i := range m.Fields {
		if f := &m.Fields[i]; f.IsShared() && !sameJSON(a.Data[f.Name], b.Data[f.Name]) {
			return false
		}
	}
	return true
}

func sameJSON(a, b any) bool {
	x, errX := Marshal(a)
	y, errY := Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// TakeShared sets the shared fields of e to the values of from, except for the fields named in own.
func (m *Model) TakeShared(e, from *Entry, own map[string]any) {
	e.Data = maps.Clone(e.Data)
	if e.Data == nil {
		e.Data = map[string]any{}
	}
	for i := range m.Fields {
		f := &m.Fields[i]
		if _, named := own[f.Name]; !f.IsShared() || named {
			continue
		}
		if v, ok := from.Data[f.Name]; ok {
			e.Data[f.Name] = v
		} else {
			delete(e.Data, f.Name)
		}
	}
}
