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
// any depth.
func (p EntryPatch) ForModel(m *Model) EntryPatch {
	if p.Data != nil {
		p.Data = pruneObject(m.Fields, p.Data, "", "", func(string) bool { return true })
	}
	return p
}

// WithoutRemoved returns the patch without keys of fields that the model does not have any more, so
// that what was read can be sent back. The objects stored still have these keys.
func (p EntryPatch) WithoutRemoved(m *Model, stored ...map[string]any) EntryPatch {
	removed := map[string]bool{}
	for _, object := range stored {
		pruneObject(m.Fields, object, "", "", func(path string) bool { removed[path] = true; return true })
	}
	if p.Data != nil && len(removed) > 0 {
		p.Data = pruneObject(m.Fields, p.Data, "", "", func(path string) bool { return removed[path] })
	}
	return p
}

// pruneObject returns a copy of an object without the keys that are neither names of fields nor except,
// if drop says so. drop gets the path of the key, without the positions in lists; at is that of the
// object.
func pruneObject(fields []Field, object map[string]any, except, at string, drop func(path string) bool) map[string]any {
	out := make(map[string]any, len(object))
	for key, v := range object {
		switch f := FieldNamed(fields, key); {
		case f != nil && key != except:
			out[key] = f.pruneValue(v, at+key+".", drop)
		case key == except || !drop(at+key):
			out[key] = v
		}
	}
	return out
}

func (f *Field) pruneValue(v any, at string, drop func(path string) bool) any {
	if !f.HasFields() {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		return pruneObject(f.Fields, v, "", at, drop)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = item
			if object, ok := item.(map[string]any); ok {
				except := ""
				if f.Type == TypeBlocks {
					except = "type"
				}
				out[i] = pruneObject(f.FieldsOf(object), object, except, at, drop)
			}
		}
		return out
	}
	return v
}
