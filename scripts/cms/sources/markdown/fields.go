package markdown

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/slice"
	"headless/scripts/cms/sources"
)

// longText is the number of characters above which a text becomes a textarea.
const longText = 255

// inferModel makes a model from the keys of front matter. The type of each field fits the values of
// all pages.
func (r *reader) inferModel(slug string, pages []page) *cms.Model {
	values := map[string][]any{}
	locales := map[string]bool{}
	for _, p := range pages {
		locales[p.locale] = true
		for key, v := range p.front {
			if name := sources.FieldName(key); name != "" && v != nil && !setColumn(&sources.Entry{}, key, v) {
				if text, ok := v.(string); ok && sources.IsImage(text) {
					v = imageFile{r.local(text, path.Dir(p.path)) != ""}
				}
				values[name] = append(values[name], v)
			}
		}
	}
	fields := []cms.Field{{Name: "body", Label: "Body", Type: cms.TypeRichText, Searchable: true}}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if name != "body" {
			fields = append(fields, inferField(name, values[name]))
		}
	}
	return sources.NewModel(slug, slug, len(locales) > 1, fields...)
}

// imageFile stands for the path of an image, which may be in the folder.
type imageFile struct{ found bool }

// inferField returns a field whose type fits all values; json if no other type does.
func inferField(name string, values []any) cms.Field {
	f := cms.Field{Name: name, Label: name, Type: typeOf(values[0])}
	var options []string
	for _, v := range values {
		kind := typeOf(v)
		switch {
		case kind == cms.TypeTextarea && f.Type == cms.TypeText, kind == cms.TypeDateTime && f.Type == cms.TypeDate:
			f.Type = kind
		case kind == cms.TypeText && f.Type == cms.TypeTextarea, kind == cms.TypeDate && f.Type == cms.TypeDateTime:
		case kind != f.Type:
			return cms.Field{Name: name, Label: name, Type: cms.TypeJSON}
		}
		if list, ok := v.([]any); ok {
			for _, item := range list {
				if text, ok := item.(string); ok && !slices.Contains(options, text) {
					options = append(options, text)
				}
			}
		}
	}
	if f.Type == cms.TypeMedia && !slices.ContainsFunc(values, func(v any) bool { return v.(imageFile).found }) {
		f.Type = cms.TypeText
	}
	slices.Sort(options)
	if f.Options = options; f.Type == cms.TypeMultiSelect && (len(options) == 0 || len(options) > 1000) {
		f.Type, f.Options = cms.TypeJSON, nil
	}
	return f
}

// typeOf returns the type of a field for a value of front matter.
func typeOf(v any) cms.FieldType {
	switch v := v.(type) {
	case bool:
		return cms.TypeBoolean
	case int, int64, uint64, float64:
		return cms.TypeNumber
	case imageFile:
		return cms.TypeMedia
	case time.Time:
		if v.Equal(v.Truncate(24 * time.Hour)) {
			return cms.TypeDate
		}
		return cms.TypeDateTime
	case string:
		if utf8.RuneCountInString(v) > longText || strings.Contains(v, "\n") {
			return cms.TypeTextarea
		}
		return cms.TypeText
	case []any:
		if !slices.ContainsFunc(v, func(item any) bool {
			text, ok := item.(string)
			return !ok || text == ""
		}) {
			return cms.TypeMultiSelect
		}
	}
	return cms.TypeJSON
}

// setField sets the field for a key of front matter to the value, converted to the type of the
// field.
func (r *reader) setField(e *sources.Entry, key string, v any, dir string) {
	f := r.model.Field(sources.FieldName(key))
	if f == nil {
		if key == "description" {
			e.SEO["description"] = fmt.Sprint(v)
			return
		}
		r.site.Note(e.Model+"."+key, "the model has no such field")
		return
	}
	if v == nil {
		return
	}
	switch {
	case f.Type == cms.TypeMedia:
		r.setMedia(e, f, v, dir)
	case f.Type == cms.TypeRelation:
		r.site.Note(e.Model+"."+key, "what a relation of front matter leads to is not known")
	default:
		sources.Put(e.Data, f.Name, plain(v, f.Type))
	}
}

// setMedia sets a media field to the files of one or several paths.
func (r *reader) setMedia(e *sources.Entry, f *cms.Field, v any, dir string) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var ids []any
	for _, item := range list {
		if file := r.file(fmt.Sprint(item), dir); file != nil {
			ids = append(ids, file.ID)
		} else {
			r.site.Note(e.Source, "%s: there is no file %v", f.Name, item)
		}
	}
	if f.Many {
		sources.Put(e.Data, f.Name, ids)
	} else if len(ids) > 0 {
		e.Data[f.Name] = ids[0]
	}
}

// plain converts a value of front matter to JSON for a field of a type.
func plain(v any, kind cms.FieldType) any {
	switch v := v.(type) {
	case time.Time:
		if kind == cms.TypeDate || v.Equal(v.Truncate(24*time.Hour)) && kind != cms.TypeDateTime {
			return v.Format(time.DateOnly)
		}
		return v.UTC().Format(time.RFC3339)
	case []any:
		return slice.Map(v, func(v any) any { return plain(v, "") })
	case map[string]any:
		object := map[string]any{}
		for key, item := range v {
			object[key] = plain(item, "")
		}
		return object
	case int, int64, uint64, float64, bool:
		if kind == cms.TypeText || kind == cms.TypeTextarea || kind == cms.TypeSelect {
			return fmt.Sprint(v)
		}
	}
	return v
}
