package cms

import (
	"maps"
	"slices"
)

// edited is an object that is being edited. It is copied before its first change.
type edited struct {
	object map[string]any
	copied bool
}

// copy returns the object to be changed.
func (o *edited) copy() map[string]any {
	if !o.copied {
		o.object, o.copied = maps.Clone(o.object), true
	}
	return o.object
}

// edit changes an object of the data of an entry. f is the field that holds the object, nil for the data
// itself, fields are those of the object, and at is its path, with a dot behind it and without the
// positions in lists.
type edit func(o *edited, f *Field, fields []Field, at string)

// rewrite edits an object, then those in its groups, lists and blocks. Values of the wrong type, which
// validation reports, stay. What does not change is shared with the result.
func rewrite(f *Field, fields []Field, object map[string]any, at string, do edit) edited {
	o := edited{object: object}
	do(&o, f, fields, at)
	for i := range fields {
		inner := &fields[i]
		if v := o.object[inner.Name]; v != nil && inner.HasFields() {
			if v, changed := rewriteValue(inner, v, at+inner.Name+".", do); changed {
				o.copy()[inner.Name] = v
			}
		}
	}
	return o
}

func rewriteValue(f *Field, v any, at string, do edit) (out any, changed bool) {
	switch v := v.(type) {
	case map[string]any:
		o := rewrite(f, f.FieldsOf(v), v, at, do)
		return o.object, o.copied
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
