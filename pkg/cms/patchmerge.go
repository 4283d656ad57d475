package cms

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
		for key, v := range q.Data {
			merged.Data[key] = v
		}
		for key, v := range p.Data {
			merged.Data[key] = v
		}
	}
	return merged
}

// ForModel returns the patch without changes to fields that the model does not have (any more), at
// any depth.
func (p EntryPatch) ForModel(m *Model) EntryPatch {
	if p.Data != nil {
		p.Data = pruned(m.Fields, p.Data, "")
	}
	return p
}

// pruned returns a copy of an object with only the keys of fields and the key except.
func pruned(fields []Field, object map[string]any, except string) map[string]any {
	out := make(map[string]any, len(object))
	for key, v := range object {
		if key == except {
			out[key] = v
		} else if f := FieldNamed(fields, key); f != nil {
			out[key] = f.pruned(v)
		}
	}
	return out
}

func (f *Field) pruned(v any) any {
	if !f.HasFields() {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		return pruned(f.Fields, v, "")
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = item
			if object, ok := item.(map[string]any); ok {
				except := ""
				if f.Type == TypeBlocks {
					except = "type"
				}
				out[i] = pruned(f.FieldsOf(object), object, except)
			}
		}
		return out
	}
	return v
}
