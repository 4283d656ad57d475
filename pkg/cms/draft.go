package cms

import "encoding/json"

// DraftInfo says where a draft stands (extensions §2).
type DraftInfo struct {
	BaseVersion int64   `json:"base_version"` // version of the entry that the changes were looked at against
	Version     int64   `json:"version"`      // 1 for the first save of this draft, +1 a save
	UpdatedAt   Time    `json:"updated_at"`
	Actor       *string `json:"actor"` // who saved it last; nil is anonymous
}

// Over is the patch that does what q does and then what p does.
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

// ForModel is the patch without changes to fields that the model does not have (any more), at any
// depth.
func (p EntryPatch) ForModel(m *Model) EntryPatch {
	if p.Data != nil {
		p.Data = pruned(m.Fields, p.Data, "")
	}
	return p
}

// pruned is a copy of an object without the keys that fields do not name; except stays.
func pruned(fields []Field, object map[string]any, except string) map[string]any {
	out := make(map[string]any, len(object))
	for key, v := range object {
		if key == except {
			out[key] = v
		} else if f := fieldNamed(fields, key); f != nil {
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
				out[i] = pruned(f.fieldsOf(object), object, except)
			}
		}
		return out
	}
	return v
}

// CheckDraft finds what is wrong with the changes of a draft (extensions §2): types, unknown names,
// the length of texts, options, the form of the slug and an empty title. What only the whole entry
// can tell is left to publishing. After is the entry with the changes laid over it.
func (p EntryPatch) CheckDraft(m *Model, after *Entry) Problems {
	problems := Problems{}
	problems.Merge(p.problems)
	changed := Entry{Title: after.Title, Slug: after.Slug, Status: after.Status,
		Locale: after.Locale, SEO: after.SEO, Data: map[string]any{}}
	for key, v := range p.Data {
		if v != nil {
			changed.Data[key] = v
		} else if m.Field(key) == nil && len(problems) < maxProblems {
			problems.Add("data."+key, "is not a known field")
		}
	}
	problems.Merge(validateEntry(m, &changed, nil, draftRules))
	return problems
}

// CheckIncomplete is Check for a new entry of status draft that may lack what is required, be
// shorter than min and miss patterns.
func (p EntryPatch) CheckIncomplete(m *Model, e *Entry) Problems {
	problems := Problems{}
	problems.Merge(p.problems)
	problems.Merge(p.unknownCleared(m, nil, problems))
	problems.Merge(validateEntry(m, e, nil, incompleteRules))
	return problems
}

// contentOf is what a draft is laid over: what reports whether an entry changed since.
type contentOf struct {
	Title string         `json:"t"`
	Slug  string         `json:"s"`
	Data  map[string]any `json:"d"`
	SEO   SEO            `json:"e"`
}

// Content encodes title, slug, data and seo: equal for two versions of an entry that differ in
// nothing else.
func (e *Entry) Content() ([]byte, error) {
	return json.Marshal(contentOf{e.Title, e.Slug, e.Data, e.SEO})
}

// Stored is the entry without what reads show beside it.
func (e *Entry) Stored() *Entry {
	s := *e
	s.HasDraft, s.Draft, s.Translations, s.Schedule = nil, nil, nil, nil
	return &s
}

// Problems are what of a body could not be decoded.
func (p EntryPatch) Problems() Problems { return p.problems }
