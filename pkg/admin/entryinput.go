package admin

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// body turns the fields of a browser's form into what JSON would have, by the types of the model.
// JSON stays as it is.
func (h entryHandlers) body(c *Call, body map[string]any) (map[string]any, error) {
	if !c.isForm {
		return body, nil
	}
	_, m, err := h.model(c)
	if err != nil {
		return nil, err
	}
	in := formReader{cms.Problems{}, false}
	return in.body(m, body), in.problems.Err()
}

// typed reads a form into a body.
func (in formReader) typed(m *site.Model, form url.Values) map[string]any {
	return in.body(m, input.FromForm(form))
}

func (in formReader) body(m *site.Model, body map[string]any) map[string]any {
	for key, v := range body {
		switch inner := v.(type) {
		case input.FormValue:
			body[key] = lastOf(inner)
		case map[string]any:
			for name, v := range inner {
				if f := m.Field(name); key == "data" && f != nil {
					inner[name] = in.data(f, v, "data."+name)
				} else if form, ok := v.(input.FormValue); ok {
					if inner[name] = lastOf(form); key == "seo" && name == "noindex" {
						inner[name] = lastOf(form) == "true"
					}
				}
			}
		}
	}
	return body
}

func lastOf(form input.FormValue) string {
	if len(form) == 0 {
		return ""
	}
	return form[len(form)-1]
}

// formReader reads the inputs of an entry's form.
type formReader struct {
	problems cms.Problems
	keep     bool // rows that are empty, while the form is not sent for good
}

// data is the value of one field, at a path; what is empty is null. Broken JSON is a problem.
func (in formReader) data(f *cms.Field, v any, path string) any {
	if inner, ok := v.(map[string]any); ok {
		return in.tree(f, inner, path)
	}
	form, ok := v.(input.FormValue)
	if !ok {
		return v
	}
	last := lastOf(form)
	if f.IsList() && !f.HasFields() {
		if list := linesOf(strings.Join(form, "\n")); list != nil {
			return list
		}
		return nil
	}
	if f.Type == cms.TypeBoolean {
		return last == "true"
	}
	if strings.TrimSpace(last) == "" {
		return nil
	}
	switch {
	case f.Type == cms.TypeNumber:
		return json.Number(strings.TrimSpace(last))
	case f.Type == cms.TypeDateTime:
		return formTime(last)
	case f.Type == cms.TypeJSON || f.HasFields():
		value, err := cms.DecodeJSON([]byte(last))
		if err != nil {
			in.problems.Add(path, "must be valid JSON")
			return unreadable(last)
		}
		return value
	}
	return last
}

// unreadable is text that should have been JSON, kept to be shown again.
type unreadable string

// tree is the value of a group, a list or blocks that a form sent as single inputs. Groups in which
// nothing is filled in are left out.
func (in formReader) tree(f *cms.Field, posted map[string]any, path string) any {
	if f.Type == cms.TypeGroup {
		object, filled := in.group(f.Fields, posted, path)
		if !filled {
			return nil
		}
		return object
	}
	var list []any
	for _, index := range numeric(posted) {
		item, ok := posted[index].(map[string]any)
		if !ok {
			continue
		}
		at := path + "." + strconv.Itoa(len(list))
		if f.Type == cms.TypeBlocks {
			sent, _ := item["type"].(input.FormValue)
			if kind := lastOf(sent); kind != "" {
				object, _ := in.group(blockOf(*f, kind).Fields, item, at)
				object["type"] = kind
				list = append(list, object)
			}
			continue
		}
		if object, filled := in.group(f.Fields, item, at); filled || in.keep {
			list = append(list, object)
		}
	}
	if list == nil {
		return nil
	}
	return list
}

// group reads the fields of one group. A box that is not checked does not fill it.
func (in formReader) group(fields []cms.Field, posted map[string]any,
	path string) (object map[string]any, filled bool) {
	object = map[string]any{}
	for i := range fields {
		v, ok := posted[fields[i].Name]
		if !ok {
			continue
		}
		value := in.data(&fields[i], v, path+"."+fields[i].Name)
		object[fields[i].Name] = value
		filled = filled || value != nil && value != false
	}
	return object, filled
}
