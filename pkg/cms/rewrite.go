package cms

import (
	"maps"
	"slices"
)

// Edited is an object that is being edited. It is copied before its first change.
type Edited struct {
	Object map[string]any
	copied bool
}

// Copy returns the object to be changed.
func (o *Edited) Copy() map[string]any {
	if !o.copied {
		o.Object, o.copied = maps.Clone(o.Object), true
	}
	return o.Object
}

// Rewrite returns data in which do edited the data itself and the objects in its groups, lists and blocks,
// of which it gets the fields. Objects that do not change are shared with data.
func Rewrite(fields []Field, data map[string]any, do func(o *Edited, fields []Field)) map[string]any {
	return rewrite(nil, fields, data, "", func(o *Edited, _ *Field, fields []Field, _ string) { do(o, fields) }).Object
}

// edit changes an object of the data of an entry. f is the field that holds the object, nil for the data
// itself, fields are those of the object, and at is its path, with a dot behind it and without the
// positions in lists.
type edit func(o *Edited, f *Field, fields []Field, at string)

// rewrite edits an object, then those in its groups, lists and blocks. Values of the wrong type, which
// validation reports, stay. What does not change is shared with the result.
func rewrite(f *Field, fields []Field, object map[string]any, at string, do edit) Edited {
	o := Edited{Object: object}
	do(&o, f, fields, at)
	for i := range fields {
		inner := &fields[i]
		if v := o.Object[inner.Name]; v != nil && inner.HasFields() {
			if v, changed := rewriteValue(inner, v, at+inner.Name+".", do); changed {
				o.Copy()[inner.Name] = v
			}
		}
	}
	return o
}

func rewriteValue(f *Field, v any, at string, do edit) (out any, changed bool) {
	switch v := v.(type) {
	case map[string]any:
		o := rewrite(f, f.FieldsOf(v), v, at, do)
		return o.Object, o.copied
	case []any:
		items := v
		for i, item := range v {
			if item, isNew := rewriteValue(f, item, at, do); isNew {
				if !changed {
					items, changed = slices.Clone(v), true
				}
				items[i] = item
			}
		}
		return items, changed
	}
	return v, false
}
