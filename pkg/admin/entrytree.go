package admin

import (
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
)

// How many entries a choice among them lists; where there are more, ids are typed.
const (
	selectable = 100
	checkable  = 40
)

// relationField lets one choose among the entries of the related model.
func (h entryHandlers) relationField(c *Call, site *store.Site, f cms.Field, field Field) (Field, error) {
	field.Help = strings.TrimSpace(f.Help + " The id of an entry of " + f.Model + ".")
	if f.Many {
		field.Kind, field.Help = "lines", strings.TrimSpace(f.Help+" Ids of entries of "+f.Model+", one a line.")
	}
	m := site.Models[f.Model]
	if m == nil {
		return field, nil
	}
	q := service.EntryQuery{ListQuery: store.ListQuery{Paging: store.Paging{Page: 1, PerPage: selectable}}, Statuses: cms.Statuses}
	for _, l := range site.Locales {
		q.Locales = append(q.Locales, l.Code)
	}
	page, err := h.entries.List(c.R.Context(), site, m, q)
	if err != nil || page.Total > selectable || f.Many && page.Total > checkable {
		return field, err
	}
	// What is chosen comes first, in its order, which a form keeps.
	chosen, titles := linesOf(field.Value), map[string]string{}
	var found []Option
	for i := range page.Items {
		e, err := page.Items[i].Decoded()
		if err != nil {
			return field, err
		}
		titles[e.ID] = e.Title
		if e.Status != cms.StatusPublished {
			titles[e.ID] += " (" + string(e.Status) + ")"
		}
		found = append(found, Option{e.ID, titles[e.ID]})
	}
	var first []Option
	for _, v := range chosen {
		id, _ := v.(string)
		title := titles[id]
		if title == "" {
			title = id + " (deleted)"
		}
		first = append(first, Option{id, title})
		field.Values = append(field.Values, id)
		delete(titles, id)
	}
	for _, o := range found {
		if titles[o.Value] != "" {
			first = append(first, o)
		}
	}
	field.Help, field.Options = f.Help, first
	if f.Many {
		field.Kind, field.Value = "checks", ""
		return field, nil
	}
	field.Kind, field.Options = "select", append([]Option{{"", "–"}}, first...)
	return field, nil
}

// treeField shows a group as its fields, a list as its groups and an empty one, and blocks likewise with a choice of what comes next.
func (h entryHandlers) treeField(c *Call, site *store.Site, f cms.Field, v any, name string) (Field, error) {
	if text, ok := v.(unreadable); ok {
		return Field{Name: name, Label: labelOf(f), Kind: "json", Value: string(text), Help: f.Help, Kept: true}, nil
	}
	field := Field{Name: name, Label: labelOf(f), Kind: "group", Help: f.Help, Required: f.Required, Kept: true}
	if f.Type == cms.TypeGroup {
		object, _ := v.(map[string]any) // nil shows empty fields
		return field, h.children(c, site, &field, f.Fields, object, name)
	}
	items, _ := v.([]any) // likewise
	for i, item := range items {
		object, _ := item.(map[string]any)
		at := name + "." + strconv.Itoa(i)
		part := Field{Name: at, Label: strconv.Itoa(i + 1), Kind: "group", Kept: true}
		inner := f.Fields
		if f.Type == cms.TypeBlocks {
			kind, _ := object["type"].(string)
			part.Label += ". " + kind
			part.Fields = []Field{{Name: at + ".type", Kind: "hidden", Value: kind, Kept: true}}
			inner = blockFields(f, kind)
		}
		if err := h.children(c, site, &part, inner, object, at); err != nil {
			return field, err
		}
		part.Fields = append(part.Fields, Field{Name: at + "._remove", Label: "Remove", Kind: "checkbox", Value: "false", Kept: true})
		field.Fields = append(field.Fields, part)
	}
	at := name + "." + strconv.Itoa(len(items))
	if f.Type == cms.TypeBlocks {
		next := Field{Name: at + ".type", Label: "Add a block", Kind: "select", Options: []Option{{"", "–"}}, Help: "Save to fill it in.", Kept: true}
		for _, block := range f.Fields {
			next.Options = append(next.Options, Option{block.Name, labelOf(block)})
		}
		field.Fields = append(field.Fields, next)
		return field, nil
	}
	part := Field{Name: at, Label: "New", Kind: "group", Kept: true}
	err := h.children(c, site, &part, f.Fields, nil, at)
	for i := range part.Fields {
		part.Fields[i].Required = false // an empty one is left out
	}
	field.Fields = append(field.Fields, part)
	return field, err
}

func (h entryHandlers) children(c *Call, site *store.Site, into *Field, fields []cms.Field, values map[string]any, name string) error {
	for _, f := range fields {
		child, err := h.dataField(c, site, f, values[f.Name], name+"."+f.Name)
		if err != nil {
			return err
		}
		into.Fields = append(into.Fields, child)
	}
	return nil
}

func blockFields(f cms.Field, kind string) []cms.Field {
	for _, block := range f.Fields {
		if block.Name == kind {
			return block.Fields
		}
	}
	return nil
}

// formTree is the value of a group, a list or blocks that a form sent as single inputs. Groups in which nothing is filled in are left out.
func formTree(f *cms.Field, posted map[string]any, path string, p cms.Problems) any {
	if f.Type == cms.TypeGroup {
		object, filled := formGroup(f.Fields, posted, path, p)
		if !filled {
			return nil
		}
		return object
	}
	var list []any
	for _, index := range numeric(posted) {
		item, ok := posted[index].(map[string]any)
		if remove, _ := item["_remove"].(service.FormValue); !ok || lastOf(remove) == "true" {
			continue
		}
		at := path + "." + strconv.Itoa(len(list))
		if f.Type == cms.TypeBlocks {
			sent, _ := item["type"].(service.FormValue)
			if kind := lastOf(sent); kind != "" {
				object, _ := formGroup(blockFields(*f, kind), item, at, p)
				object["type"] = kind
				list = append(list, object)
			}
			continue
		}
		if object, filled := formGroup(f.Fields, item, at, p); filled {
			list = append(list, object)
		}
	}
	if list == nil {
		return nil
	}
	return list
}

// formGroup reads the fields of one group. A box that is not checked does not fill it.
func formGroup(fields []cms.Field, posted map[string]any, path string, p cms.Problems) (object map[string]any, filled bool) {
	object = map[string]any{}
	for i := range fields {
		v, ok := posted[fields[i].Name]
		if !ok {
			continue
		}
		value := formData(&fields[i], v, path+"."+fields[i].Name, p)
		object[fields[i].Name] = value
		filled = filled || value != nil && value != false
	}
	return object, filled
}
