package entrypages

import (
	"slices"
	"strconv"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// treeField returns the inputs of a field that contains fields: a group as its fields, a list as
// rows, and blocks as rows with the labels of their types.
func (h Pages) treeField(site *site.Site, f cms.Field, v any, name string) (ui.Field, error) {
	if text, ok := v.(entryforms.Unreadable); ok {
		return ui.Field{Name: name, Label: entrydata.LabelOf(f), Kind: "json", Value: string(text),
			Help: say.Data(f.Help), Kept: true}, nil
	}
	field := ui.Field{Name: name, Label: entrydata.LabelOf(f), Kind: "group", Help: say.Data(f.Help),
		Required: f.Required, Kept: true}
	if f.Type == cms.TypeGroup {
		object, _ := v.(map[string]any) // nil shows empty fields
		return field, h.children(site, &field, f.Fields, object, name)
	}
	items, shown := entryforms.RowsOf(v)
	field.Page = shown
	rows := make([]ui.Field, len(items))
	for n, item := range items {
		i := shown.First() + n
		object, _ := item.(map[string]any)
		at := name + "." + strconv.Itoa(i)
		part, inner := ui.Field{Name: at, Label: say.Number(i + 1)}, f.Fields
		part.Fields = []ui.Field{ui.Kept(at+"."+ui.RowKey, entryforms.RowID(object, i))}
		if f.Type == cms.TypeBlocks {
			kind, _ := object["type"].(string)
			block := entryforms.BlockOf(f, kind)
			part.Label = say.F("{1}. {2}", i+1, entrydata.LabelOf(block))
			part.Fields = append(part.Fields, ui.Kept(at+".type", kind))
			inner = block.Fields
		}
		if err := h.children(site, &part, inner, object, at); err != nil {
			return field, err
		}
		rows[n] = part
	}
	if f.Type == cms.TypeList {
		return withCopies(ui.WithRows(field, rows, "another", ui.Option{})), nil
	}
	var kinds []ui.Option
	for _, block := range f.Fields {
		kinds = append(kinds, ui.Option{Value: block.Name, Label: entrydata.LabelOf(block)})
	}
	return withCopies(ui.WithRows(field, rows, "", kinds...)), nil
}

// withCopies adds a button that duplicates the row to each row.
func withCopies(field ui.Field) ui.Field {
	for i := range field.Fields {
		row := &field.Fields[i]
		if ui.HasPages(row.Fields) { // a copy, or an Undo of its removal, would lack the rows that are not shown
			row.Buttons = row.Buttons[:len(row.Buttons)-1]
			continue
		}
		next := field.Name + "." + strconv.Itoa(field.Page.First()+i+1)
		row.Buttons = slices.Insert(row.Buttons, len(row.Buttons)-1,
			ui.Button{Text: "Duplicate", Label: say.F("Duplicate: {1}", row.Label), Do: "copy " + row.Name, To: next})
	}
	return field
}

func (h Pages) children(site *site.Site, into *ui.Field, fields []cms.Field,
	values map[string]any, name string) error {
	for _, f := range fields {
		child, err := h.Input(site, f, values[f.Name], name+"."+f.Name)
		if err != nil {
			return err
		}
		into.Fields = append(into.Fields, child)
	}
	return nil
}
