package sources

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"headless/pkg/cms"
)

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

var notInName = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// fieldName makes the name of a field of a key of the source, "" where nothing is left of it.
func fieldName(key string) string {
	name := strings.Trim(notInName.ReplaceAllString(key, "_"), "_")
	name = strings.TrimLeft(name, "_0123456789")
	if len(name) > 64 {
		name = name[:64]
	}
	return name
}

// longText is how many characters make a textarea of a text.
const longText = 255

// inferModel makes a model of the keys of front matter: the types are those that fit all pages.
func inferModel(slug, dir string, pages []page) *cms.Model {
	values := map[string][]any{}
	locales := map[string]bool{}
	files := fileReader{dir: dir}
	for _, p := range pages {
		locales[p.locale] = true
		for key, v := range p.front {
			if name := fieldName(key); name != "" && v != nil && !(&Entry{}).setColumn(key, v) {
				if text, ok := v.(string); ok && isImage(text) {
					v = imageFile{files.local(text, path.Dir(p.path)) != ""}
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
	return newModel(slug, slug, len(locales) > 1, fields...)
}

// imageFile stands for the path of an image, which may be in the folder.
type imageFile struct{ found bool }

// inferField is a field that takes some values; json where nothing else does.
func inferField(name string, values []any) cms.Field {
	f := cms.Field{Name: name, Label: name, Type: typeOf(values[0])}
	var options []string
	for _, v := range values {
		kind := typeOf(v)
		switch {
		case kind == cms.TypeTextarea && f.Type == cms.TypeText, kind == cms.TypeDateTime &&
			f.Type == cms.TypeDate:
			f.Type = kind
		case kind == cms.TypeText && f.Type == cms.TypeTextarea, kind == cms.TypeDate &&
			f.Type == cms.TypeDateTime:
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
	if f.Type == cms.TypeMedia &&
		!slices.ContainsFunc(values, func(v any) bool { return v.(imageFile).found }) {
		f.Type = cms.TypeText
	}
	slices.Sort(options)
	if f.Options = options; f.Type == cms.TypeMultiSelect && (len(options) == 0 || len(options) > 1000) {
		f.Type, f.Options = cms.TypeJSON, nil
	}
	return f
}

// typeOf is the type of a field for a value of front matter.
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
			return !ok ||
				text == ""
		}) {
			return cms.TypeMultiSelect
		}
	}
	return cms.TypeJSON
}

// setField sets the field of a key of front matter, in the form that its type takes.
func (s *Site) setField(e *Entry, m *cms.Model, key string, v any, dir string, files *fileReader) {
	f := m.Field(fieldName(key))
	if f == nil {
		if key == "description" {
			e.SEO["description"] = fmt.Sprint(v)
			return
		}
		s.note(e.Model+"."+key, "the model has no such field")
		return
	}
	if v == nil {
		return
	}
	switch {
	case f.Type == cms.TypeMedia:
		s.setMedia(e, f, v, dir, files)
	case f.Type == cms.TypeRelation:
		s.note(e.Model+"."+key, "what a relation of front matter leads to is not known")
	default:
		put(e.Data, f.Name, plain(v, f.Type))
	}
}

// setMedia sets a media field to the files of one or several paths.
func (s *Site) setMedia(e *Entry, f *cms.Field, v any, dir string, files *fileReader) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var ids []any
	for _, item := range list {
		if file := files.file(fmt.Sprint(item), dir); file != nil {
			ids = append(ids, file.ID)
		} else {
			s.note(e.Source, "%s: there is no file %v", f.Name, item)
		}
	}
	if f.Many {
		put(e.Data, f.Name, ids)
	} else if len(ids) > 0 {
		e.Data[f.Name] = ids[0]
	}
}

// plain is a value of front matter as JSON has it, for a field of a type.
func plain(v any, kind cms.FieldType) any {
	switch v := v.(type) {
	case time.Time:
		if kind == cms.TypeDate || v.Equal(v.Truncate(24*time.Hour)) && kind != cms.TypeDateTime {
			return v.Format(time.DateOnly)
		}
		return v.UTC().Format(time.RFC3339)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i], "")
		}
		return list
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

// fileReader finds the files that pages name.
type fileReader struct {
	site  *Site
	dir   string
	known map[string]*File
}

func isImage(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif"},
		strings.ToLower(path.Ext(name)))
}

// local is the path below the folder of a file that a page in from names, "" where there is none. A
// path that begins with / is below the folder, or below its static or public folder.
func (r *fileReader) local(name, from string) string {
	name, _, _ = strings.Cut(name, "#")
	if name == "" || strings.Contains(name, "://") {
		return ""
	}
	tries := []string{path.Join(from, name)}
	if strings.HasPrefix(name, "/") {
		tries = []string{path.Clean(name)[1:], path.Join("static", name), path.Join("public", name)}
	}
	for _, try := range tries {
		if !filepath.IsLocal(filepath.FromSlash(try)) {
			continue
		}
		if info, err := os.Stat(filepath.Join(r.dir, filepath.FromSlash(try))); err == nil &&
			info.Mode().IsRegular() {
			return try
		}
	}
	return ""
}

// file is the file that a page in from names, nil where there is none.
func (r *fileReader) file(name, from string) *File {
	local := r.local(name, from)
	if local == "" {
		return nil
	}
	if r.known[local] == nil {
		f := &File{
			Source: local, ID: makeID("file", local), Name: path.Base(local),
			Path: filepath.Join(r.dir, filepath.FromSlash(local)),
		}
		if content, err := os.ReadFile(f.Path); err == nil {
			f.ID = makeID("file", string(content)) // folders of one name stay apart, and copies are one file
		}
		r.known[local] = f
		r.site.Files = append(r.site.Files, f)
	}
	return r.known[local]
}

var image = regexp.MustCompile(`!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?([^)]*)\)`)

// inText takes the images of a text whose files are in the folder.
func (r *fileReader) inText(text, from string) string {
	return image.ReplaceAllStringFunc(text, func(match string) string {
		part := image.FindStringSubmatch(match)
		file := r.file(part[2], from)
		if file == nil {
			return match
		}
		if file.Alt == "" {
			file.Alt = part[1]
		}
		return "![" + part[1] + "](" + Placeholder(file.ID) + part[3] + ")"
	})
}
