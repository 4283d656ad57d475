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
	json:  map[string]string{"min": "a number", "max": "a number", "default": `JSON, such as "a text" or 5`, "fields": "a JSON list of fields"},
}

// modelRow is the row of a field of a model.
func modelRow(i int, r row, site *store.Site) Field {
	at := "fields." + strconv.Itoa(i)
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
	more := Field{Name: at + ".more", Label: "Rules, choices and help", Kind: "more", Kept: true, Fields: []Field{
		input("help", "Help", "text", "Shown below the field to those who write."),
		{Kind: "row", Fields: []Field{input("min", "Least", "text", "A number, or characters."), input("max", "Most", "text", "Likewise.")}},
		input("pattern", "Pattern", "text", "A regular expression for texts."),
		input("options", "Choices", "lines", "Of select and multiselect, one a line."),
		{Kind: "row", Fields: []Field{model, input("mimes", "File types", "lines", "Of media, one a line, such as image/*.")}},
		input("default", "Default", "text", `As JSON: "a text", 5, true.`),
		input("fields", "Inner fields", "json", `Of group, list and blocks: [{"name": "street", "type": "text"}].`),
	}}
	return Field{Name: at, Label: rowTitle(i, r), Fields: []Field{
		{Kind: "row", Fields: []Field{input("name", "Name", "text", ""), input("label", "Label", "text", ""), kind}},
		{Kind: "flags", Fields: []Field{
			input("required", "Required", "checkbox", ""), input("unique", "Unique", "checkbox", ""),
			input("searchable", "Searchable", "checkbox", ""), input("many", "Many", "checkbox", ""),
		}}, more,
	}}
}
