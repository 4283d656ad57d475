package admin

import (
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// fieldShape is a field of a model as a row.
var fieldShape = rowShape{
	texts: []string{"name", "label", "type", "help", "pattern", "model"},
	flags: []string{"required", "unique", "searchable", "many"},
	lists: []string{"options", "mimes"},
	json:  map[string]string{"min": "a number", "max": "a number", "default": `JSON, such as "a text" or 5`},
	inner: "fields",
}

// modelRows are the rows of the fields of a model, or of those inside of a field.
func modelRows(site *store.Site, list Field, rows []row, one string) Field {
	inputs := make([]Field, len(rows))
	for i, r := range rows {
		inputs[i] = modelRow(site, list.Name+"."+strconv.Itoa(i), i, r)
	}
	return withRows(list, inputs, one, Option{})
}

func modelRow(site *store.Site, at string, i int, r row) Field {
	input := rowInput(at, r)
	types, models := []Option{}, []Option{{"", "–"}}
	for _, t := range cms.FieldTypes() {
		types = append(types, Option{string(t), string(t)})
	}
	for _, m := range sortedModels(site) {
		models = append(models, Option{m.Slug, m.Name})
	}
	kind, model := input("type", "Type", "select", ""), input("model", "Model", "select", "Of a relation.")
	kind.Options, model.Options = types, models
	inner := modelRows(site, Field{Name: at + ".fields", Label: "Inner fields", Help: "Of group, list and blocks. Those of blocks are groups: one for each type of block."}, r.rows, "inner field")
	more := Field{Name: at + ".more", Label: "Rules, choices and help", Kind: "more", Kept: true, Fields: []Field{
		input("help", "Help", "text", "Shown below the field to those who write."),
		{Kind: "row", Fields: []Field{input("min", "Least", "text", "A number, or characters."), input("max", "Most", "text", "Likewise.")}},
		input("pattern", "Pattern", "text", "A regular expression for texts."),
		input("options", "Choices", "lines", "Of select and multiselect, one a line."),
		{Kind: "row", Fields: []Field{model, input("mimes", "File types", "lines", "Of media, one a line, such as image/*.")}},
		input("default", "Default", "text", `As JSON: "a text", 5, true.`),
	}}
	fields := []Field{
		{Kind: "row", Fields: []Field{input("name", "Name", "text", ""), input("label", "Label", "text", ""), kind}},
		{Kind: "flags", Fields: []Field{
			input("required", "Required", "checkbox", ""), input("unique", "Unique", "checkbox", ""),
			input("searchable", "Searchable", "checkbox", ""), input("many", "Many", "checkbox", ""),
		}}, more,
	}
	if f := (&cms.Field{Type: cms.FieldType(r.text["type"])}); f.HasFields() || len(r.rows) > 0 {
		fields = append(fields, inner)
	} else { // the type may become one that has fields
		fields[2].Label, fields[2].Fields = "Rules, choices, help and inner fields", append(more.Fields, inner)
	}
	return Field{Name: at, Label: rowTitle(i, r), Fields: fields}
}
