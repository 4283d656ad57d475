package entryforms

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// Readable returns a value as text for people. Groups and rows become lines that start with the
// labels of their fields, in the order of the model.
func Readable(f cms.Field, v any) (string, error) {
	if yes, ok := v.(bool); ok && f.Type == cms.TypeBoolean {
		return map[bool]string{true: "Yes", false: "No"}[yes], nil
	}
	if !f.HasFields() || v == nil {
		return FieldText(f, v)
	}
	var b strings.Builder
	if err := readLines(&b, f, v, ""); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// readLines writes the value of a field that contains fields, and indents each line.
func readLines(b *strings.Builder, f cms.Field, v any, indent string) error {
	rows, isList := v.([]any)
	if !isList {
		return readGroup(b, f.Fields, v, indent)
	}
	for i, item := range rows {
		if item == nil { // not shown
			continue
		}
		fields, head := f.Fields, strconv.Itoa(i+1)+"."
		if object, ok := item.(map[string]any); ok && f.Type == cms.TypeBlocks {
			block := BlockOf(f, fmt.Sprint(object["type"]))
			fields, head = block.Fields, head+" "+entrydata.LabelOf(block).String()
		}
		b.WriteString(indent + head + "\n")
		if err := readGroup(b, fields, item, indent+"  "); err != nil {
			return err
		}
	}
	return nil
}

func readGroup(b *strings.Builder, fields []cms.Field, v any, indent string) error {
	object, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	for _, f := range fields {
		value := object[f.Name]
		if value == nil {
			continue
		}
		if f.HasFields() {
			b.WriteString(indent + entrydata.LabelOf(f).String() + ":\n")
			if err := readLines(b, f, value, indent+"  "); err != nil {
				return err
			}
			continue
		}
		text, err := Readable(f, value)
		if err != nil {
			return err
		}
		b.WriteString(indent + entrydata.LabelOf(f).String() + ": " +
			strings.ReplaceAll(text, "\n", "\n"+indent+"  ") + "\n")
	}
	return nil
}

// FieldText returns a value as the input in the form shows it.
func FieldText(f cms.Field, v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		if f.Type != cms.TypeJSON {
			return v, nil
		}
	case json.Number:
		return v.String(), nil
	case Unreadable:
		return string(v), nil
	case []any:
		if f.IsReference() || f.Type == cms.TypeMultiSelect {
			return strings.Join(entrydata.Lines(f, v), "\n"), nil
		}
	case map[string]any:
		if f.IsReference() {
			return strings.Join(entrydata.Lines(f, v), "\n"), nil
		}
	}
	body, err := json.MarshalIndent(v, "", "  ")
	return string(body), err
}

// Whole returns the value of a field as text.
func Whole(m *site.Model, e *cms.Entry, key string) string {
	switch key {
	case "title":
		return e.Title
	case "slug":
		return e.Slug
	case "seo.title":
		return e.SEO.Title
	case "seo.description":
		return e.SEO.Description
	case "seo.noindex":
		if e.SEO.Noindex {
			return "Yes"
		}
		return ""
	}
	name := strings.TrimPrefix(key, "data.")
	f := m.Field(name)
	if f == nil {
		return ""
	}
	text, err := Readable(*f, e.Data[name])
	if err != nil {
		return ""
	}
	return text
}
