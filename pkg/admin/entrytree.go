package admin

import (
	"slices"
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/site"
)

// treeField shows a group as its fields, a list as rows of them, and blocks as rows that are called
// what they are.
func (h entryHandlers) treeField(site *site.Site, f cms.Field, v any, name string) (Field, error) {
	if text, ok := v.(unreadable); ok {
		return Field{Name: name, Label: labelOf(f), Kind: "json", Value: string(text), Help: f.Help,
			Kept: true}, nil
	}
	field := Field{Name: name, Label: labelOf(f), Kind: "group", Help: f.Help, Required: f.Required,
		Kept: true}
	if f.Type == cms.TypeGroup {
		object, _ := v.(map[string]any) // nil shows empty fields
		return field, h.children(site, &field, f.Fields, object, name)
	}
	items, _ := v.([]any) // likewise
	rows := make([]Field, len(items))
	for i, item := range items {
		object, _ := item.(map[string]any)
		at := name + "." + strconv.Itoa(i)
		part, inner := Field{Name: at, Label: strconv.Itoa(i + 1)}, f.Fields
		if f.Type == cms.TypeBlocks {
			kind, _ := object["type"].(string)
			block := blockOf(f, kind)
			part.Label += ". " + labelOf(block)
			part.Fields = []Field{{Name: at + ".type", Kind: "hidden", Value: kind, Kept: true}}
			inner = block.Fields
		}
		if err := h.children(site, &part, inner, object, at); err != nil {
			return field, err
		}
		rows[i] = part
	}
	if f.Type == cms.TypeList {
		return withCopies(withRows(field, rows, "another", Option{})), nil
	}
	var kinds []Option
	for _, block := range f.Fields {
		kinds = append(kinds, Option{block.Name, labelOf(block)})
	}
	return withCopies(withRows(field, rows, "", kinds...)), nil
}

// withCopies gives every row of a field a button that copies it.
func withCopies(field Field) Field {
	for i := range field.Fields {
		row := &field.Fields[i]
		next := field.Name + "." + strconv.Itoa(i+1)
		row.Buttons = slices.Insert(row.Buttons, len(row.Buttons)-1,
			Button{Text: "Copy", Label: "Copy: " + row.Label, Do: "copy " + row.Name, To: next})
	}
	return field
}

// hasRows reports whether an entry has a list or blocks at any depth.
func hasRows(fields []cms.Field) bool {
	return slices.ContainsFunc(fields, func(f cms.Field) bool {
		return f.HasFields() && f.Type != cms.TypeGroup || hasRows(f.Fields)
	})
}

func (h entryHandlers) children(site *site.Site, into *Field, fields []cms.Field,
	values map[string]any, name string) error {
	for _, f := range fields {
		child, err := h.dataField(site, f, values[f.Name], name+"."+f.Name)
		if err != nil {
			return err
		}
		into.Fields = append(into.Fields, child)
	}
	return nil
}

// blockOf is the type of a block; one that the model does not know any more has no fields.
func blockOf(f cms.Field, kind string) cms.Field {
	for _, block := range f.Fields {
		if block.Name == kind {
			return block
		}
	}
	return cms.Field{Name: kind}
}
