package cms

import "maps"

// Over returns the patch that has the effect of q followed by p.
func (p EntryPatch) Over(q EntryPatch) EntryPatch {
	merged := q
	for _, f := range []struct{ into, from **string }{
		{&merged.Title, &p.Title}, {&merged.Slug, &p.Slug}, {&merged.Status, &p.Status},
		{&merged.Locale, &p.Locale},
		{&merged.SEOTitle, &p.SEOTitle}, {&merged.SEODescription, &p.SEODescription},
	} {
		if *f.from != nil {
			*f.into = *f.from
		}
	}
	if p.SEONoindex != nil {
		merged.SEONoindex = p.SEONoindex
	}
	if p.ClearData {
		merged.ClearData, merged.Data = true, p.Data
	} else if len(q.Data)+len(p.Data) > 0 {
		merged.Data = make(map[string]any, len(q.Data)+len(p.Data))
		maps.Copy(merged.Data, q.Data)
		maps.Copy(merged.Data, p.Data)
	}
	return merged
}

// ForModel returns the patch without changes to fields that the model does not have (any more), at
// any depth, and without nulls below the top level.
func (p EntryPatch) ForModel(m *Model) EntryPatch {
	p.Data = m.prune(p.Data, func(string) bool { return true })
	return p
}

// WithoutRemoved returns the patch without keys of fields that the model does not have any more, so
// that what was read can be sent back. The objects stored still have these keys.
func (p EntryPatch) WithoutRemoved(m *Model, stored ...map[string]any) EntryPatch {
	removed := map[string]bool{}
	for _, object := range stored {
		m.prune(object, func(path string) bool { removed[path] = true; return false })
	}
	if len(removed) > 0 {
		p.Data = m.prune(p.Data, func(path string) bool { return removed[path] })
	}
	return p
}

// WithoutNulls returns data in which the objects of groups, lists and blocks lack the fields that are
// null. The top level stays, where null clears a field, and so do values of type json.
func (m *Model) WithoutNulls(data map[string]any) map[string]any {
	return m.prune(data, func(string) bool { return false })
}

// prune returns data without the nulls of fields below the top level, and without the keys of unknown
// fields if drop says so. drop gets the path of the key, without the positions in lists.
func (m *Model) prune(data map[string]any, drop func(path string) bool) map[string]any {
	return rewrite(nil, m.Fields, data, "", func(o *Edited, f *Field, fields []Field, at string) {
		for key, v := range o.Object {
			isField := FieldNamed(fields, key) != nil
			isType := key == "type" && f != nil && f.Type == TypeBlocks
			if isField && v == nil && f != nil || !isField && !isType && drop(at+key) {
				delete(o.Copy(), key)
			}
		}
	}).Object
}
