package modelpages

import (
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/rowforms"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/slug"
)

// fieldShape describes the row in which a field of a model is edited.
var fieldShape = rowforms.RowShape{
	Texts: []string{"name", "label", "type", "help", "pattern", "model", "tab", "column", "shown_if"},
	Flags: []string{"required", "unique", "searchable", "many"},
	Lists: []string{"options", "models", "mimes", "shown_for"},
	JSON: map[string]string{"translatable": "true or false", "min": "a number", "max": "a number",
		"default": `JSON, such as "a text" or 5`},
	Inner: "fields",
}

// fieldLevel says where in a model a field is: on the first level (top), as a type of block
// (block), or inside another field (neither).
type fieldLevel struct{ top, block bool }

func (p fieldLevel) inside(t cms.FieldType) fieldLevel { return fieldLevel{block: t == cms.TypeBlocks} }

// rules returns the keys that the definition of a field of type t may have on its level.
func (p fieldLevel) rules(t cms.FieldType) []string {
	f := cms.Field{Type: t}
	choice := t == cms.TypeSelect || t == cms.TypeMultiSelect
	var keys []string
	add := func(on bool, names ...string) {
		if on {
			keys = append(keys, names...)
		}
	}
	add(!p.block, "required", "default")
	add(p.top && f.IsScalar(), "unique")
	add(p.top, "translatable", "tab", "column", "shown_if", "shown_for")
	add(f.IsText() || choice, "searchable")
	add(f.IsText() || f.IsList() || f.IsReference() || t == cms.TypeNumber, "min", "max")
	add(f.IsText(), "pattern")
	add(choice, "options")
	add(t == cms.TypeRelation, "model", "models")
	add(f.IsReference(), "many")
	add(t == cms.TypeMedia, "mimes")
	add(f.HasFields(), "fields")
	return keys
}

// fitRows returns rows without the rules that their types do not have, which a form sends after a
// type was changed. Rows without a name get one made from their label.
func (p fieldLevel) fitRows(rows []rowforms.Row) []rowforms.Row {
	fit := make([]rowforms.Row, len(rows))
	for i, r := range rows {
		t := cms.FieldType(r.Text["type"])
		rules := p.rules(t)
		fit[i].Text = map[string]string{"name": r.Text["name"], "was": r.Text["was"]}
		for key, text := range r.Text {
			if slices.Contains([]string{"label", "type", "help"}, key) || slices.Contains(rules, key) {
				fit[i].Text[key] = text
			}
		}
		if strings.TrimSpace(r.Text["name"]) == "" {
			fit[i].Text["name"] = fieldName(r.Text["label"])
		}
		if slices.Contains(rules, "fields") {
			fit[i].Rows = p.inside(t).fitRows(r.Rows)
		}
	}
	return fit
}

// fieldName makes the name of a field from its label, "" from an empty label.
func fieldName(label string) string {
	if strings.TrimSpace(label) == "" {
		return ""
	}
	name := strings.ReplaceAll(slug.Of(label, ""), "-", "_")
	if name[0] >= '0' && name[0] <= '9' {
		name = "field_" + name
	}
	return name[:min(len(name), 64)]
}

// modelRows returns the rows for the fields of a model, or for the fields inside a field.
func modelRows(site *site.Site, list ui.Field, rows []rowforms.Row, at fieldLevel) ui.Field {
	inputs := make([]ui.Field, len(rows))
	for i, r := range rows {
		inputs[i] = modelRow(site, list.Name+"."+strconv.Itoa(i), i, r, at)
	}
	if at.block {
		return ui.WithRows(list, inputs, "block type", ui.Option{Value: string(cms.TypeGroup), Label: ""})
	}
	field := ui.WithRows(list, inputs, "")
	field.Menu = "Add field"
	if !at.top {
		field.Menu = "Add inner field"
	}
	next := list.Name + "." + strconv.Itoa(len(rows))
	for _, t := range cms.FieldTypes() {
		info := t.Info()
		field.Buttons = append(field.Buttons, ui.Button{Text: say.Known(info.Name), Help: say.Known(info.Help),
			Do: "add " + list.Name + " " + string(t), To: next})
	}
	return field
}

// modelRow returns the inputs of one field: its label, name and type, and the rules of that type.
func modelRow(site *site.Site, at string, i int, r rowforms.Row, level fieldLevel) ui.Field {
	input := rowforms.RowInput(at, r)
	t := cms.FieldType(r.Text["type"])
	info, rules := t.Info(), level.rules(t)
	panel := ui.Field{Name: at + ".panel", Label: say.Known(info.Name), Kind: "more", Kept: true}
	if r.Text["name"] == "" || level.top && r.Text["was"] == "" {
		panel.Value = "open" // it is new
	}
	add := func(fields ...ui.Field) { panel.Fields = append(panel.Fields, fields...) }
	add(ui.Field{Kind: "row", Fields: []ui.Field{input("label", "Label", "text", ""),
		input("name", "Name", "text", "The key in the API, made from the label where it is empty.")}})
	if level.top {
		add(input("was", "", "hidden", ""))
	}
	if level.block {
		add(ui.Kept(at+".type", string(t)))
	} else {
		choice := input("type", "Type", "select", say.Known(info.Help))
		for _, t := range cms.FieldTypes() {
			choice.Options = append(choice.Options,
				ui.Option{Value: string(t), Label: say.F("{1} ({2})", say.Known(t.Info().Name), string(t))})
		}
		choice.Buttons = []ui.Button{{Text: "Show the rules of this type", Do: "retype " + at, To: at + ".type"}}
		add(choice)
	}
	add(flagsOf(input, rules)...)
	add(rulesOf(site, input, rules)...)
	add(input("help", "Help", "text", "Shown below the field to those who write."))
	if slices.Contains(rules, "default") {
		add(moreOf(input, at, r, slices.Contains(rules, "translatable")))
	}
	if slices.Contains(rules, "fields") {
		inner := ui.Field{Name: at + ".fields", Label: "Inner fields"}
		if t == cms.TypeBlocks {
			inner.Label = "Types of blocks"
		}
		add(modelRows(site, inner, r.Rows, level.inside(t)))
	}
	return ui.Field{Name: at, Label: rowforms.RowTitle(i, r), Fields: []ui.Field{panel}}
}

// moreOf returns the inputs that few fields need: the default and, for a field of the top level, what
// its translations share and its place in the form. If none of them is set, it returns a button that
// asks for them, since the page of a model with many fields would be twice as large with them.
func moreOf(input func(key string, label say.Text, kind string, help say.Text) ui.Field, at string, r rowforms.Row,
	top bool) ui.Field {
	keys := []string{"default"}
	if top {
		keys = append(keys, "translatable", "tab", "column", "shown_if", "shown_for")
	}
	has := func(key string) bool { _, ok := r.Text[key]; return ok }
	if !slices.ContainsFunc(keys, has) {
		return ui.Field{Kind: "steps", Buttons: []ui.Button{{Text: "More",
			Do: "more " + at + " default", To: at + ".default"}}}
	}
	more := ui.Field{Name: at + ".more", Label: "More", Kind: "more", Kept: true,
		Fields: []ui.Field{input("default", "Default", "text", `As JSON: "a text", 5, true.`)}}
	if text, ok := r.Text["default"]; ok && text == "" {
		more.Value = "open" // it was asked for
	}
	if top {
		shared := input("translatable", "Translations", "select", "Of a localized model.")
		shared.Options = []ui.Option{{Value: "", Label: "Each has a value of its own"},
			{Value: "false", Label: "All have the same value"}}
		more.Fields = append(more.Fields, shared)
		more.Fields = append(more.Fields, layoutOf(input)...)
	}
	return more
}

// layoutOf returns the inputs for the place of a field in the form of an entry.
func layoutOf(input func(key string, label say.Text, kind string, help say.Text) ui.Field) []ui.Field {
	column := input("column", "Column", "select", "")
	column.Options = []ui.Option{{Value: "", Label: "By its type"},
		{Value: cms.ColumnMain, Label: "Among the texts"},
		{Value: cms.ColumnSide, Label: "At the side"}}
	return []ui.Field{
		{Kind: "row", Fields: []ui.Field{input("tab", "Tab", "text", "Empty: the first one."), column}},
		{Kind: "row", Fields: []ui.Field{
			input("shown_if", "Shown if", "text", "Name of a choice or box on which it depends. Empty: always."),
			input("shown_for", "has one of", "lines", "Its values, one a line. Empty: any."),
		}},
	}
}

// flagsOf returns the checkboxes for those rules that are flags.
func flagsOf(input func(key string, label say.Text, kind string, help say.Text) ui.Field, rules []string) []ui.Field {
	flags := ui.Field{Kind: "flags"}
	for _, f := range []struct {
		key   string
		label say.Text
	}{{"required", "Required"}, {"unique", "Unique"},
		{"searchable", "Searchable"}, {"many", "Many"}} {
		if slices.Contains(rules, f.key) {
			flags.Fields = append(flags.Fields, input(f.key, f.label, "checkbox", ""))
		}
	}
	if len(flags.Fields) == 0 {
		return nil
	}
	return []ui.Field{flags}
}

// rulesOf returns the inputs for the rules that are not flags.
func rulesOf(site *site.Site, input func(key string, label say.Text, kind string, help say.Text) ui.Field,
	rules []string) (fields []ui.Field) {
	has := func(key string) bool { return slices.Contains(rules, key) }
	if has("model") {
		model := input("model", "Model", "select", "Whose entries it leads to.")
		model.Options = ui.WithNone("Not set", ui.ModelOptions(frame.SortedModels(site)))
		fields = append(fields, model, input("models", "Several models", "lines",
			"In place of one model: the slugs of 2 to 20, one a line."))
	}
	if has("options") {
		fields = append(fields, input("options", "Choices", "lines", "One a line."))
	}
	if has("mimes") {
		fields = append(fields, input("mimes", "File types", "lines", "One a line, such as image/*. Empty: all."))
	}
	if has("min") {
		limits := say.Text("Of a number its value, of a text its characters, of several their count.")
		fields = append(fields,
			ui.Field{Kind: "row", Fields: []ui.Field{input("min", "Minimum", "text", limits),
				input("max", "Maximum", "text", "")}})
	}
	if has("pattern") {
		fields = append(fields, input("pattern", "Pattern", "text", "A regular expression that the text must match."))
	}
	return fields
}
