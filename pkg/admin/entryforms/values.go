package entryforms

import (
	"slices"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// storedValues returns the values of an entry that a form edits, by field key.
func storedValues(m *site.Model, e *cms.Entry) map[string]any {
	values := map[string]any{
		"title": e.Title, "slug": e.Slug,
		"seo.title": e.SEO.Title, "seo.description": e.SEO.Description, "seo.noindex": e.SEO.Noindex,
	}
	for i := range m.Fields {
		values["data."+m.Fields[i].Name] = e.Data[m.Fields[i].Name]
	}
	return values
}

// IsSimple reports whether a field is one that lists can set: it has one plain input.
func IsSimple(f *cms.Field) bool {
	return slices.Contains([]cms.FieldType{cms.TypeText, cms.TypeTextarea, cms.TypeNumber, cms.TypeBoolean, cms.TypeDate,
		cms.TypeDateTime, cms.TypeSelect, cms.TypeMultiSelect, cms.TypeEmail, cms.TypeURL, cms.TypeRelation}, f.Type)
}

// SentValues returns the values of the fields in the body of a form, by field key.
func SentValues(m *site.Model, body map[string]any) map[string]any {
	values := map[string]any{}
	for key, v := range body {
		inner, _ := v.(map[string]any)
		switch key {
		case "title", "slug":
			values[key] = v
		case "seo":
			for name, v := range inner {
				values["seo."+name] = v
			}
		case "data":
			for name, v := range inner {
				if m.Field(name) != nil {
					values["data."+name] = v
				}
			}
		}
	}
	return values
}

// plainText returns a text with the line ends of browsers, nil if it is blank.
func plainText(s string) any {
	if s = strings.ReplaceAll(s, "\r\n", "\n"); strings.TrimSpace(s) == "" {
		return nil
	}
	return s
}

// checkboxValue returns the value of a checkbox, nil if it is not checked.
func checkboxValue(v bool) any {
	if !v {
		return nil
	}
	return v
}

// canonical returns the value of a field without fields, without differences that a form cannot express. Empty texts
// and lists become nil, and so do unchecked checkboxes. Times are converted to UTC.
func canonical(f *cms.Field, v any) any {
	switch v := v.(type) {
	case string:
		if t, ok := cms.ParseDateTime(v); ok && f.Type == cms.TypeDateTime {
			return ui.InputTime(cms.Time{Time: t})
		}
		if f.Type == cms.TypeJSON {
			return v
		}
		return plainText(v)
	case bool:
		if f.Type == cms.TypeBoolean {
			return checkboxValue(v)
		}
	case []any:
		if len(v) == 0 && f.Type != cms.TypeJSON {
			return nil
		}
	}
	return v
}

// jsonOf returns the JSON of a value, to compare it.
func jsonOf(v any) string {
	raw, err := cms.Marshal(v)
	if err != nil {
		return ""
	}
	return string(raw)
}

// HasRows reports whether one of the fields, at any depth, is a list or blocks.
func HasRows(fields []cms.Field) bool {
	return slices.ContainsFunc(fields, func(f cms.Field) bool {
		return f.HasFields() && f.Type != cms.TypeGroup || HasRows(f.Fields)
	})
}

// BlockOf returns the definition of a block type. A type that the model does not have gets a
// definition without fields.
func BlockOf(f cms.Field, kind string) cms.Field {
	for _, block := range f.Fields {
		if block.Name == kind {
			return block
		}
	}
	return cms.Field{Name: kind}
}
