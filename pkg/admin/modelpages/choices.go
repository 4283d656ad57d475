package modelpages

import (
	"cmp"
	"slices"
	"strings"

	"headless/pkg/admin/rowforms"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// thenSort is the name of the second select of the default sort. The first has the name of the JSON key.
const thenSort = "_then_sort"

// keyOf returns the name that a row has in the choices of the form: the stored one, if the field is stored.
func keyOf(r rowforms.Row) string {
	return cmp.Or(r.Text["was"], r.Text["name"], fieldName(r.Text["label"]))
}

// visibleField returns the boxes for the fields that readers see.
func visibleField(v cms.Model, rows []rowforms.Row) ui.Field {
	f := ui.Field{Name: "visible_fields", Label: "Visible fields", Kind: "checks", Values: v.VisibleFields,
		Help: "What keys without an admin role see. None chosen: all."}
	for _, r := range rows {
		if key := keyOf(r); key != "" {
			f.Options = append(f.Options, ui.Option{Value: key, Label: say.Data(cmp.Or(r.Text["label"], r.Text["name"],
				key))})
		}
	}
	return f
}

// orderField returns the selects for the default sort: what lists are sorted by, and what next.
func orderField(v cms.Model, rows []rowforms.Row) ui.Field {
	labels := map[string]say.Text{}
	shape := cms.Model{Tree: v.Tree}
	for _, r := range rows {
		f := cms.Field{Name: keyOf(r), Type: cms.FieldType(r.Text["type"])}
		if f.Name != "" {
			shape.Fields = append(shape.Fields, f)
			labels["data."+f.Name] = say.Data(cmp.Or(r.Text["label"], r.Text["name"], f.Name))
		}
	}
	var options []ui.Option
	for _, path := range shape.SortFields() {
		label := cmp.Or(labels[path], say.Known(ui.Words(path)))
		options = append(options, ui.Option{Value: path, Label: say.F("{1}, ascending", label)},
			ui.Option{Value: "-" + path, Label: say.F("{1}, descending", label)})
	}
	first, then, _ := strings.Cut(v.DefaultSort, ",")
	choice := func(name string, label, none say.Text, value string) ui.Field {
		f := ui.Field{Name: name, Label: label, Kind: "select", Value: value, Options: ui.WithNone(none, options)}
		if !slices.ContainsFunc(f.Options, func(o ui.Option) bool { return o.Value == value }) {
			f.Options = append(f.Options, ui.Option{Value: value, Label: say.Data(value)}) // made by the API
		}
		return f
	}
	return ui.Field{Kind: "row", Fields: []ui.Field{
		choice("default_sort", "Default sort", "Newest first", first), choice(thenSort, "Then by", "Nothing else", then)}}
}

// translateField returns the boxes for the languages in which entries are expected.
func translateField(site *site.Site, v cms.Model) ui.Field {
	return ui.Field{Name: "translate", Label: "Translations to expect", Kind: "checks", Values: v.Translate,
		Help: "The page Health lists published entries without one.", Options: ui.LocaleOptions(site.Locales)}
}

// decodeChoices puts the choices of a form into a definition, with the new names of renamed fields.
func decodeChoices(body map[string]any, then string, renamed map[string]string) {
	if posted, ok := body["visible_fields"].(input.FormValue); ok {
		visible := input.FormValue{}
		for _, name := range posted {
			visible = append(visible, cmp.Or(renamed[name], name))
		}
		body["visible_fields"] = visible
	}
	if posted, ok := body["default_sort"].(input.FormValue); ok {
		paths := strings.Split(strings.Trim(posted.Last()+","+then, ","), ",")
		for i, path := range paths {
			path, desc := strings.CutPrefix(path, "-")
			if name := renamed[strings.TrimPrefix(path, "data.")]; name != "" && path != name {
				path = "data." + name
			}
			if paths[i] = path; desc {
				paths[i] = "-" + path
			}
		}
		body["default_sort"] = input.FormValue{strings.Join(paths, ",")}
	}
}
