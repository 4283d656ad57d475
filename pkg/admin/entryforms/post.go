package entryforms

import (
	"fmt"
	"net/url"
	"strconv"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// Post adds a value to a form in the way that the inputs of its field would send it.
func Post(form url.Values, name string, f cms.Field, v any) error {
	if v == nil {
		return nil
	}
	if object, ok := v.(map[string]any); ok && f.HasFields() {
		return postGroup(form, name, f.Fields, object)
	}
	items, page := RowsOf(v)
	_, isList := v.([]any)
	first := 0
	if page != nil {
		if v, isList, first = items, true, page.Before; f.HasFields() {
			form.Set(name+"._rows", page.String())
		}
	}
	for i, item := range items {
		if !f.HasFields() && !f.IsReference() {
			form.Add(name, fmt.Sprint(item))
			continue
		} else if !f.HasFields() {
			break
		}
		object, _ := item.(map[string]any)
		at, fields := name+"."+strconv.Itoa(first+i), f.Fields
		if f.Type == cms.TypeBlocks {
			kind := fmt.Sprint(object["type"])
			form.Set(at+".type", kind)
			fields = BlockOf(f, kind).Fields
		}
		if id, ok := object[ui.RowKey].(string); ok {
			form.Set(at+"."+ui.RowKey, id)
		}
		if err := postGroup(form, at, fields, object); err != nil {
			return err
		}
	}
	if isList && f.Type != cms.TypeJSON && !f.IsReference() {
		return nil
	}
	text, err := FieldText(f, v)
	if form.Set(name, text); page != nil {
		form.Add(name, page.String())
	}
	return err
}

func postGroup(form url.Values, name string, fields []cms.Field, object map[string]any) error {
	for _, f := range fields {
		if err := Post(form, name+"."+f.Name, f, object[f.Name]); err != nil {
			return err
		}
	}
	return nil
}
