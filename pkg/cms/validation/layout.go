package validation

import (
	"slices"

	"headless/pkg/cms"
)

// layout checks the position of a field in the form, and the conditions under which it is shown.
func (d *defCheck) layout(at string, f *cms.Field, fields []cms.Field, depth int) {
	if depth > 1 && (f.Tab != "" || f.Column != "" || f.ShownIf != "" || len(f.ShownFor) > 0) {
		d.p.Add(at, "has tab, column, shown_if or shown_for, which work on top-level fields only")
		return
	}
	d.p.LimitLength(at+".tab", f.Tab, cms.MaxTab)
	if f.Column != "" && f.Column != cms.ColumnMain && f.Column != cms.ColumnSide {
		d.p.Add(at+".column", "must be main, side or empty")
	}
	if f.ShownIf == "" {
		if len(f.ShownFor) > 0 {
			d.p.Add(at+".shown_for", "needs a field in shown_if")
		}
		return
	}
	by := cms.FieldNamed(fields, f.ShownIf)
	if by == nil || by.Name == f.Name || by.Type != cms.TypeSelect && by.Type != cms.TypeMultiSelect &&
		by.Type != cms.TypeBoolean {
		d.p.Add(at+".shown_if", "must name another field of type select, multiselect or boolean")
		return
	}
	for _, value := range f.ShownFor {
		known := slices.Contains(by.Options, value)
		if by.Type == cms.TypeBoolean {
			known = value == "true" || value == "false"
		}
		if !known {
			d.p.Add(at+".shown_for", "has %s, which is not a value of %s", cms.Shorten(value), by.Name)
		}
	}
}
