package admin

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
)

// fieldRow is one field of a model as the form has it: texts by the names of the inputs.
type fieldRow map[string]string

// blankRows is how many empty rows a form offers below those that are filled.
const blankRows = 3

// rowsOf are the rows of stored fields.
func rowsOf(fields []cms.Field) ([]fieldRow, error) {
	rows := make([]fieldRow, len(fields))
	for i, f := range fields {
		row := fieldRow{
			"name": f.Name, "label": f.Label, "type": string(f.Type), "help": f.Help, "pattern": f.Pattern, "model": f.Model,
			"min": number(f.Min), "max": number(f.Max), "options": strings.Join(f.Options, "\n"), "mimes": strings.Join(f.Mimes, "\n"),
		}
		for key, on := range map[string]bool{"required": f.Required, "unique": f.Unique, "searchable": f.Searchable, "many": f.Many} {
			row[key] = strconv.FormatBool(on)
		}
		if f.Default != nil {
			text, err := json.Marshal(f.Default)
			if err != nil {
				return nil, err
			}
			row["default"] = string(text)
		}
		if len(f.Fields) > 0 {
			text, err := fieldsJSON(f.Fields)
			if err != nil {
				return nil, err
			}
			row["fields"] = text
		}
		rows[i] = row
	}
	return rows, nil
}

// postedRows are the rows of a form in the order that it asks for, without those that are empty or to be removed; ok is false where
// the body has no rows.
func postedRows(body map[string]any) (rows []fieldRow, ok bool) {
	posted, ok := body["fields"].(map[string]any)
	if !ok {
		return nil, false
	}
	for _, index := range numeric(posted) {
		inputs, ok := posted[index].(map[string]any)
		if !ok {
			continue
		}
		row := fieldRow{}
		for key, v := range inputs {
			if form, ok := v.(service.FormValue); ok {
				row[key] = lastOf(form)
			}
		}
		if row["remove"] != "true" && strings.TrimSpace(row["name"]+row["label"]) != "" {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b fieldRow) int { return position(a) - position(b) })
	return rows, true
}

// position is where a row wants to be, in hundredths: a half is between two others.
func position(row fieldRow) int {
	n, err := strconv.ParseFloat(strings.TrimSpace(row["position"]), 64)
	if err != nil || n > 10_000 || n < 0 {
		return 1_000_000
	}
	return int(n * 100)
}

// numeric are the keys of an object that are indexes, in their order.
func numeric(object map[string]any) []string {
	keys := slices.DeleteFunc(slices.Collect(maps.Keys(object)), func(key string) bool {
		n, err := strconv.Atoi(key)
		return err != nil || n < 0
	})
	slices.SortFunc(keys, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return keys
}

// modelBody puts the rows of a form where JSON has a list of fields.
func modelBody(c *Call, body map[string]any) error {
	rows, ok := postedRows(body)
	if !ok || !c.isForm {
		return nil
	}
	p := cms.Problems{}
	list := make([]any, len(rows))
	for i, row := range rows {
		list[i] = row.definition("fields."+strconv.Itoa(i)+".", p)
	}
	body["fields"] = list
	return p.Err()
}

// definition is the field that a row describes, without what is empty.
func (row fieldRow) definition(path string, p cms.Problems) map[string]any {
	field := map[string]any{}
	for _, key := range []string{"name", "label", "type", "help", "pattern", "model"} {
		if text := row[key]; text != "" {
			field[key] = text
		}
	}
	for _, key := range []string{"required", "unique", "searchable", "many"} {
		field[key] = row[key] == "true"
	}
	for _, key := range []string{"options", "mimes"} {
		if lines := linesOf(row[key]); lines != nil {
			field[key] = lines
		}
	}
	for key, kind := range map[string]string{"min": "a number", "max": "a number", "default": `JSON, such as "a text" or 5`, "fields": "a JSON list of fields"} {
		text := strings.TrimSpace(row[key])
		if text == "" {
			continue
		}
		v, err := cms.DecodeJSON([]byte(text))
		if err != nil {
			p.Add(path+key, "must be %s", kind)
		}
		field[key] = v
	}
	return field
}

// linesOf is a text as a list of its lines, nil where there are none.
func linesOf(text string) []any {
	var list []any
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// rowFields are the inputs of all rows, and of some empty ones.
func rowFields(rows []fieldRow, site *store.Site) []Field {
	fields := make([]Field, 0, len(rows)+blankRows)
	for i, row := range rows {
		title := row["label"]
		if title == "" {
			title = row["name"]
		}
		fields = append(fields, rowField(i, row, "Field "+strconv.Itoa(i+1)+": "+title, site))
	}
	for i := len(rows); i < len(rows)+blankRows; i++ {
		fields = append(fields, rowField(i, fieldRow{"type": string(cms.TypeText)}, "New field", site))
	}
	return fields
}

func rowField(i int, row fieldRow, title string, site *store.Site) Field {
	at := "fields." + strconv.Itoa(i)
	input := func(key, label, kind, help string) Field {
		return Field{Name: at + "." + key, Label: label, Kind: kind, Value: row[key], Help: help, Kept: true}
	}
	types, models := []Option{}, []Option{{"", "–"}}
	for _, t := range cms.FieldTypes() {
		types = append(types, Option{string(t), string(t)})
	}
	for _, m := range sortedModels(site) {
		models = append(models, Option{m.Slug, m.Name})
	}
	kind, model, place := input("type", "Type", "select", ""), input("model", "Model", "select", "Of a relation."), input("position", "Position", "text", "")
	kind.Options, model.Options, place.Value = types, models, strconv.Itoa(i+1)
	flags := []Field{
		input("required", "Required", "checkbox", ""), input("unique", "Unique", "checkbox", ""),
		input("searchable", "Searchable", "checkbox", ""), input("many", "Many", "checkbox", ""),
	}
	if row["name"] != "" {
		flags = append(flags, input("remove", "Remove this field", "checkbox", ""))
	}
	more := Field{Name: at + ".more", Label: "Rules, choices and help", Kind: "more", Kept: true, Fields: []Field{
		input("help", "Help", "text", "Shown below the field to those who write."),
		{Kind: "row", Fields: []Field{input("min", "Least", "text", "A number, or characters."), input("max", "Most", "text", "Likewise."), place}},
		input("pattern", "Pattern", "text", "A regular expression for texts."),
		input("options", "Choices", "lines", "Of select and multiselect, one a line."),
		{Kind: "row", Fields: []Field{model, input("mimes", "File types", "lines", "Of media, one a line, such as image/*.")}},
		input("default", "Default", "text", `As JSON: "a text", 5, true.`),
		input("fields", "Inner fields", "json", `Of group, list and blocks: [{"name": "street", "type": "text"}].`),
	}}
	return Field{Name: at, Label: title, Kind: "group", Kept: true, Fields: []Field{
		{Kind: "row", Fields: []Field{input("name", "Name", "text", ""), input("label", "Label", "text", ""), kind}},
		{Kind: "flags", Fields: flags}, more,
	}}
}
