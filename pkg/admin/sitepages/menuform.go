package sitepages

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/entrypages"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/menus"
	"headless/pkg/site"
)

// menuForms edits the items of menus as rows, by the inputs of forms of entries.
type menuForms struct {
	entries entrydata.EntryHandlers
	menus   *menus.Menus
}

// itemsField describes the items of one level as a list in an entry. They lead to entries of models whose
// entries have URLs.
func itemsField(now *site.Site, name, label string, level int) cms.Field {
	f := cms.Field{Name: name, Label: label, Type: cms.TypeList, Fields: []cms.Field{
		{Name: "label", Label: "Text", Type: cms.TypeText, Help: "Empty: the title of the entry."}}}
	entry := cms.Field{Name: "entry", Label: "Leads to an entry", Type: cms.TypeRelation}
	for _, m := range frame.SortedModels(now) {
		if m.IsActive && m.URL != "" {
			entry.Models = append(entry.Models, m.Slug)
		}
	}
	if entry.Models != nil {
		f.Fields = append(f.Fields, entry)
	}
	f.Fields = append(f.Fields,
		cms.Field{Name: "href", Label: "Leads to an address", Type: cms.TypeText,
			Help: "A path such as /jobs, a fragment, or an http, https, mailto or tel address. Neither makes a heading."},
		cms.Field{Name: "target", Label: "Opens a new window", Type: cms.TypeBoolean},
		cms.Field{Name: "rel", Label: "Attribute rel", Type: cms.TypeText})
	if level < menus.MaxLevels {
		f.Fields = append(f.Fields, itemsField(now, "children", "Items below", level+1))
	}
	return f
}

// fields returns the inputs of a menu: its items in each locale are rows with rows inside.
func (h menuForms) fields(c *frame.Call, m *menus.Menu) ([]ui.Field, error) {
	v := menus.Menu{}
	if m != nil {
		v = *m
	}
	fields := []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		{Name: "slug", Label: "Slug", Kind: "text", Value: v.Slug, Required: true,
			Help: "Its path in the API: /api/v1/menus/slug."},
	}
	in := entryforms.FormReader{Problems: cms.Problems{}, Keep: c.Step != nil, IDs: true}
	posted, _ := input.FromForm(c.Form)["items"].(map[string]any) // nil while nothing was sent
	for _, l := range c.Site.Locales {
		if !c.MayDo(cms.ActionWrite, cms.AreaMenus, l.Code) || !c.MayDo(cms.ActionPublish, cms.AreaMenus, l.Code) {
			continue
		}
		f := itemsField(c.Site, l.Code, "Items in "+l.Name, 1)
		var rows any = rowsOf(v.Items[l.Code])
		if sent, ok := posted[l.Code]; ok {
			rows = in.Data(&f, sent, "")
		}
		field, err := entrypages.Pages{EntryHandlers: h.entries}.Input(c.Site, f, rows, "items."+l.Code)
		if err != nil {
			return nil, err
		}
		field.Label = say.F("Items in {1}", l.Name)
		fields = append(fields, field)
	}
	err := h.entries.Fill(c, fields, "")
	for i := range fields[2:] {
		arrange(&fields[2+i], 1)
	}
	return fields, err
}

// arrange names the rows of a list after what they show, folds away what few items have, and lets
// them move to another level. level counts from 1.
func arrange(list *ui.Field, level int) {
	for i := range list.Fields {
		row := &list.Fields[i]
		var kept []ui.Field
		title, more := say.Text(""), ui.Field{Kind: "more", Label: "More"}
		for _, f := range row.Fields {
			f.Label, f.Help = say.Known(f.Label.String()), say.Known(f.Help.String()) // ours, not of a model
			switch f.Name[len(row.Name)+1:] {
			case "label", "href":
				title = cmp.Or(title, say.Data(f.Value))
			case "entry":
				if len(f.Pick.Chosen) > 0 {
					title = cmp.Or(title, f.Pick.Chosen[0].Label)
				}
			case "target", "rel":
				if more.Fields = append(more.Fields, f); f.Value != "" && f.Value != "false" {
					more.Value = "open"
				}
				continue
			case "children":
				arrange(&f, level+1)
			}
			kept = append(kept, f)
		}
		if title != "" {
			row.Label = say.F("{1}. {2}", row.Label, title)
		}
		row.Fields = append(kept, more)
	}
	addLevelButtons(list, level)
}

// addLevelButtons gives the rows of a list buttons that move them below the row before, and out of the list.
func addLevelButtons(list *ui.Field, level int) {
	for i := range list.Fields {
		row := &list.Fields[i]
		var moves []ui.Button
		move := func(text, label say.Text, to string) {
			moves = append(moves, ui.Button{Text: text, Label: say.F("{1}: {2}", label, row.Label),
				Do: "put " + row.Name + " " + to, To: to})
		}
		if i > 0 && level+levelsBelow(*row) < menus.MaxLevels {
			above := list.Fields[i-1]
			move("→", say.F("Move below {1}", above.Label),
				above.Name+".children."+strconv.Itoa(len(childrenOf(above))))
		}
		if level > 1 {
			above, index := ui.CutLast(strings.TrimSuffix(list.Name, ".children"))
			at, _ := strconv.Atoi(index) // a name that the form was made with
			move("←", "Move up a level", above+"."+strconv.Itoa(at+1))
		}
		row.Buttons = slices.Insert(row.Buttons, len(row.Buttons)-1, moves...) // before Remove
	}
}

// childrenOf returns the rows below a row.
func childrenOf(row ui.Field) []ui.Field {
	for _, f := range row.Fields {
		if f.Name == row.Name+".children" {
			return f.Fields
		}
	}
	return nil
}

// levelsBelow counts the levels below a row.
func levelsBelow(row ui.Field) (n int) {
	for _, child := range childrenOf(row) {
		n = max(n, 1+levelsBelow(child))
	}
	return n
}

// rowsOf returns items as the rows of a list. The id of an item is that of its row.
func rowsOf(items []menus.Item) []any {
	rows := make([]any, len(items))
	for i, item := range items {
		row := map[string]any{ui.RowKey: item.ID, "label": item.Label, "href": item.Href, "rel": item.Rel,
			"target": item.Target != "", "children": rowsOf(item.Children)}
		if item.Entry != nil {
			row["entry"] = map[string]any{"model": item.Entry.Model, "id": item.Entry.ID}
		}
		rows[i] = row
	}
	return rows
}

// readRows replaces the rows that the form of a menu sent with the items that JSON clients send.
func (h menuForms) readRows(c *frame.Call, body map[string]any) error {
	posted, ok := body["items"].(map[string]any)
	if !ok {
		return nil
	}
	in := entryforms.FormReader{Problems: cms.Problems{}, IDs: true}
	items := map[string]any{}
	for code, rows := range posted {
		f := itemsField(c.Site, code, "", 1)
		if list := itemsOf(in.Data(&f, rows, ""), map[string]bool{}); list != nil {
			items[code] = list
		}
	}
	body["items"] = items
	slug := c.R.PathValue("slug")
	if slug == "" { // a new menu
		return nil
	}
	was, err := h.menus.Get(c.R.Context(), slug)
	for code, list := range was.Items {
		if posted[code] == nil && c.Site.Locale(code) != nil { // the user may not change it
			items[code] = itemsOf(rowsOf(list), map[string]bool{})
		}
	}
	return err
}

// itemsOf returns rows as items. Of two rows with one id the second is a copy, which gets another one.
func itemsOf(rows any, seen map[string]bool) []any {
	list, _ := rows.([]any) // nil has no rows
	for _, row := range list {
		item, _ := row.(map[string]any)
		if id, _ := item[ui.RowKey].(string); id != "" && !seen[id] {
			item["id"], seen[id] = id, true
		}
		delete(item, ui.RowKey)
		if item["target"] == true {
			item["target"] = "_blank"
		} else {
			delete(item, "target")
		}
		if item["children"] != nil {
			item["children"] = itemsOf(item["children"], seen)
		}
		maps.DeleteFunc(item, func(_ string, v any) bool { return v == nil })
	}
	return list
}
