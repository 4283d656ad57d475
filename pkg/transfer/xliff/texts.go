package xliff

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/refs"
)

// text is a text of an entry that is translated.
type text struct {
	path  string     // title, seo.title, seo.description, data.<path> or media-<id>
	field *cms.Field // nil outside data
	top   *cms.Field // the field of the entry that holds it, nil outside data
	value string

	file, target string // of an alternative text: name of the file, and the present translation
}

// textsOf returns the texts of an entry that are not blank, in the order of its form. Fields that all
// translations share, and unique ones, are not translated.
func textsOf(m *cms.Model, e *cms.Entry) (texts []text) {
	add := func(t text) {
		if strings.TrimSpace(t.value) != "" {
			texts = append(texts, t)
		}
	}
	add(text{path: "title", value: e.Title})
	for i := range m.Fields {
		top := &m.Fields[i]
		if top.Unique || top.Translatable != nil && !*top.Translatable {
			continue
		}
		refs.MapWriting("data", m.Fields[i:i+1], e.Data, func(path string, f *cms.Field, v any) (any, bool) {
			value, _ := v.(string)
			add(text{path: path, field: f, top: top, value: value})
			return v, false
		})
	}
	add(text{path: "seo.title", value: e.SEO.Title})
	add(text{path: "seo.description", value: e.SEO.Description})
	return texts
}

// notes tell the translator about a text: the labels of its fields, help and limits.
func (t *text) notes(m *cms.Model) []note {
	label := LabelAt(m, t.path)
	if t.file != "" {
		label += " of " + t.file
	}
	list := []note{{"label", label}}
	if t.field == nil {
		return list
	}
	if t.field.Help != "" {
		list = append(list, note{"help", t.field.Help})
	}
	if t.field.Max != nil {
		list = append(list, note{"limit", "At most " + strconv.FormatFloat(*t.field.Max, 'f', -1, 64) + " characters."})
	}
	if t.field.Type == cms.TypeRichText {
		list = append(list, note{"format", "Markdown: keep signs such as ** and #."})
	}
	return list
}

// LabelAt returns the label of the field at a path of an entry, with that of the field that holds it. It
// is the path for one that the model does not know.
func LabelAt(m *cms.Model, path string) string {
	switch path {
	case "title":
		return "Title"
	case "seo.title":
		return "Title for search engines"
	case "seo.description":
		return "Description for search engines"
	}
	if strings.HasPrefix(path, altPrefix) {
		return "Alternative text"
	}
	name, _, nested := strings.Cut(strings.TrimPrefix(path, "data."), ".")
	top := m.Field(name)
	if top == nil {
		return path
	}
	info, _ := m.Lookup(index().ReplaceAllString(path, ""))
	if !nested || info.Field == nil || info.Field == top {
		return labelOf(top)
	}
	return labelOf(top) + " › " + labelOf(info.Field)
}

func labelOf(f *cms.Field) string { return cmp.Or(f.Label, f.Name) }

// valueAt returns the text of a translation that belongs to a text of the source, "" if there is none.
// Texts inside rows belong together only while both have the same rows.
func valueAt(t *text, source *cms.Entry, translation *editing.Drafted) string {
	if t.file != "" || translation == nil {
		return t.target
	}
	e := translation.Entry
	switch {
	case t.path == "title":
		return e.Title
	case t.path == "seo.title":
		return e.SEO.Title
	case t.path == "seo.description":
		return e.SEO.Description
	case !sameShape(t.top, source.Data[t.top.Name], e.Data[t.top.Name]):
		return ""
	}
	var found any = e.Data
	for key := range strings.SplitSeq(strings.TrimPrefix(t.path, "data."), ".") {
		switch in := found.(type) {
		case map[string]any:
			found = in[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(in) {
				return ""
			}
			found = in[i]
		}
	}
	value, _ := found.(string)
	return value
}

// sameShape reports whether two values of a field have the same rows: as many, of the same types.
func sameShape(f *cms.Field, a, b any) bool {
	if !f.HasFields() || f.Type == cms.TypeRichText {
		return true
	}
	if f.Type == cms.TypeGroup {
		left, _ := a.(map[string]any)
		right, _ := b.(map[string]any)
		return sameFields(f.Fields, left, right)
	}
	left, _ := a.([]any)
	right, _ := b.([]any)
	return slices.EqualFunc(left, right, func(a, b any) bool {
		x, _ := a.(map[string]any)
		y, _ := b.(map[string]any)
		return x["type"] == y["type"] && sameFields(f.FieldsOf(x), x, y)
	})
}

func sameFields(fields []cms.Field, a, b map[string]any) bool {
	for i := range fields {
		if !sameShape(&fields[i], a[fields[i].Name], b[fields[i].Name]) {
			return false
		}
	}
	return true
}

// translateValue returns the value of a field in a translation with new texts, by their paths. Its rows are
// those of have, the present value, if they are the rows of source, else those of source: then texts
// without a translation are those of the source. They are added to left.
func translateValue(path string, f *cms.Field, source, have any, texts map[string]string, left *[]string) any {
	b := builder{texts: texts, fresh: have == nil || !sameShape(f, source, have), left: left}
	return b.buildValue(path, f, source, have)
}

type builder struct {
	texts map[string]string
	fresh bool // have is not used
	left  *[]string
}

func (b *builder) buildValue(path string, f *cms.Field, source, have any) any {
	if text, ok := b.texts[path]; ok {
		return text
	}
	switch {
	case f.Type == cms.TypeGroup && f.HasFields():
		from, _ := source.(map[string]any)
		to, _ := have.(map[string]any)
		if object := b.buildObject(path, f.Fields, from, to); len(object) > 0 {
			return object
		}
		return nil
	case f.HasFields() && f.Type != cms.TypeRichText:
		from, _ := source.([]any)
		to, _ := have.([]any)
		rows := make([]any, len(from))
		for i := range from {
			row, _ := from[i].(map[string]any)
			var old map[string]any
			if !b.fresh {
				old, _ = to[i].(map[string]any)
			}
			rows[i] = b.buildObject(path+"."+strconv.Itoa(i), f.FieldsOf(row), row, old)
		}
		return rows
	case !b.fresh:
		return have
	}
	if text, ok := source.(string); ok && text != "" && refs.IsWriting(f) {
		*b.left = append(*b.left, path)
	}
	return source
}

// buildObject returns the object with values of fields. Keys that are no fields, such as the type of a
// block, are kept.
func (b *builder) buildObject(path string, fields []cms.Field, source, have map[string]any) map[string]any {
	object := maps.Clone(have)
	if b.fresh {
		object = maps.Clone(source)
	}
	if object == nil {
		object = map[string]any{}
	}
	for i := range fields {
		f := &fields[i]
		if v := b.buildValue(path+"."+f.Name, f, source[f.Name], have[f.Name]); v != nil {
			object[f.Name] = v
		}
	}
	return object
}
