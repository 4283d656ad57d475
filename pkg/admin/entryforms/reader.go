package entryforms

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"headless/pkg/admin/rowforms"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slug"
)

// Typed converts a form to the body of a create or an update.
func (in FormReader) Typed(m *site.Model, form url.Values) map[string]any {
	return in.Body(m, input.FromForm(form))
}

// Body replaces the form values in a body with typed values. It changes body in place.
func (in FormReader) Body(m *site.Model, body map[string]any) map[string]any {
	if posted, ok := body["locale"].(input.FormValue); ok {
		in.Locale = posted.Last()
	}
	for key, v := range body {
		switch inner := v.(type) {
		case input.FormValue:
			if body[key] = inner.Last(); key == "slug" && cms.SlugProblem(inner.Last()) != "" {
				body[key] = typedSlug(inner.Last(), in.Locale)
			} else if key == "title" { // its input may have line breaks
				body[key] = strings.ReplaceAll(inner.Last(), "\n", " ")
			}
		case map[string]any:
			for name, v := range inner {
				if f := m.Field(name); key == "data" && f != nil {
					inner[name] = in.Data(f, v, "data."+name)
				} else if form, ok := v.(input.FormValue); ok {
					if inner[name] = form.Last(); key == "seo" && name == "noindex" {
						inner[name] = form.Last() == "true"
					}
				}
			}
		}
	}
	return body
}

// typedSlug makes a slug of what was typed as one. It stays as it is if it has no letter or digit.
func typedSlug(text, locale string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return text
	}
	return slug.Of(text, locale)
}

// FormReader converts the inputs of the form of an entry to typed values.
type FormReader struct {
	Problems cms.Problems
	Keep     bool   // keep empty rows, because the form is not saved yet
	IDs      bool   // keep the ids of rows, to merge or show them
	Locale   string // of the entry, for its slug; a form with a locale needs none
	Base     Base   // what the form showed when it was opened: the entry keeps the empty rows that it has
	was      any    // part of Base
}

// Data returns the value of one field, nil if it is empty. path is its key in Base, and used in Problems, which gets
// an error for invalid JSON.
func (in FormReader) Data(f *cms.Field, v any, path string) any {
	in.was = in.Base[path]
	return in.value(f, v, path)
}

func (in FormReader) value(f *cms.Field, v any, path string) any {
	if inner, ok := v.(map[string]any); ok {
		return in.tree(f, inner, path)
	}
	form, ok := v.(input.FormValue)
	if !ok {
		return v
	}
	last := form.Last()
	if f.IsList() && !f.HasFields() {
		var w *Window
		var list []any
		for _, line := range rowforms.LinesOf(strings.Join(form, "\n")) {
			if part, ok := readWindow(line); ok && f.IsReference() {
				w = &part
			} else {
				list = append(list, targetOf(f, line))
			}
		}
		if w != nil {
			w.Rows = list
			return *w
		}
		return listOf(list)
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
		return ui.FormTime(last)
	case f.Type == cms.TypeJSON || f.HasFields():
		value, err := cms.DecodeJSON([]byte(last))
		if err != nil {
			in.Problems.Add(path, "must be valid JSON")
			return Unreadable(last)
		}
		return value
	}
	return targetOf(f, last)
}

// targetOf returns a line of entrydata.Lines as the value that it stands for.
func targetOf(f *cms.Field, line any) any {
	text, _ := line.(string)
	model, id, ok := strings.Cut(text, "/")
	if len(f.Models) == 0 || !ok {
		return line
	}
	return map[string]any{"model": model, "id": id}
}

// Unreadable is the text of invalid JSON, which the form shows again.
type Unreadable string

// tree returns the value of a group, a list or blocks from their single inputs. Empty groups are
// dropped.
func (in FormReader) tree(f *cms.Field, posted map[string]any, path string) any {
	if f.Type == cms.TypeGroup {
		object, filled := in.group(f.Fields, posted, path)
		if !filled {
			return nil
		}
		return object
	}
	var list []any
	sent, _ := posted["_rows"].(input.FormValue)
	w, isWindow := readWindow(sent.Last())
	was := treesByID(in.was)
	for _, index := range rowforms.Numeric(posted) {
		item, ok := posted[index].(map[string]any)
		if !ok {
			continue
		}
		at := path + "." + strconv.Itoa(w.Before+len(list))
		id, _ := item[ui.RowKey].(input.FormValue)
		in.was = was[id.Last()]
		if f.Type == cms.TypeBlocks {
			sent, _ := item["type"].(input.FormValue)
			if kind := sent.Last(); kind != "" {
				object, _ := in.group(BlockOf(*f, kind).Fields, item, at)
				object["type"] = kind
				list = append(list, in.withID(object, item))
			}
			continue
		}
		if object, filled := in.group(f.Fields, item, at); filled || in.Keep ||
			in.was != nil && equalTrees(in.was, treeOfRow(f, nil, "")) {
			list = append(list, in.withID(object, item))
		}
	}
	if isWindow {
		w.Rows = list
		return w
	}
	return listOf(list)
}

// maxRowID is the length of the longest id of a row that a form may send. Longer ones count as none.
const maxRowID = 36

// withID adds the id that the form sent for a row.
func (in FormReader) withID(row, posted map[string]any) map[string]any {
	sent, _ := posted[ui.RowKey].(input.FormValue)
	if id := sent.Last(); in.IDs && len(id) <= maxRowID && !strings.ContainsFunc(id, unicode.IsSpace) {
		row[ui.RowKey] = id
	}
	return row
}

// group reads the fields of one group. filled reports whether one has a value; an unchecked
// checkbox does not count.
func (in FormReader) group(fields []cms.Field, posted map[string]any,
	path string) (object map[string]any, filled bool) {
	object = map[string]any{}
	was, _ := in.was.(map[string]any)
	for i := range fields {
		v, ok := posted[fields[i].Name]
		if !ok {
			continue
		}
		in.was = was[fields[i].Name]
		value := in.value(&fields[i], v, path+"."+fields[i].Name)
		object[fields[i].Name] = value
		filled = filled || value != nil && value != false
	}
	return object, filled
}
