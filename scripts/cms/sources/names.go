package sources

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// LocaleCode returns a code such as pt-br or pt_BR as the service writes it: pt-BR.
func LocaleCode(code string) string {
	language, region, found := strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	if !found || len(region) > 3 {
		return strings.ToLower(language)
	}
	return strings.ToLower(language) + "-" + strings.ToUpper(region)
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// FieldName turns a key of the source into the name of a field, "" if it has no allowed characters.
func FieldName(key string) string {
	name := strings.Trim(notInName.ReplaceAllString(key, "_"), "_")
	name = strings.TrimLeft(name, "_0123456789")
	if len(name) > 64 {
		name = name[:64]
	}
	return name
}

// BodyField returns the name of the field for the text of a page: the first richtext field, or else
// the field body, "" if there is neither.
func BodyField(m *cms.Model) string {
	for i := range m.Fields {
		if m.Fields[i].Type == cms.TypeRichText {
			return m.Fields[i].Name
		}
	}
	if f := m.Field("body"); f != nil {
		return f.Name
	}
	return ""
}

// IsImage reports whether a file is an image, by its extension.
func IsImage(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif"},
		strings.ToLower(path.Ext(name)))
}

var scheme = regexp.MustCompile(`^https?://`)

// WithoutScheme removes http:// or https:// from a URL.
func WithoutScheme(url string) string { return scheme.ReplaceAllString(url, "") }

// marks has the Markdown characters around a marked text, by the type of mark.
var marks = map[string]string{"code": "`", "bold": "**", "italic": "*", "strikethrough": "~~"}

// WithMarks returns a text with Markdown marks; list has their types as {type}. White space around
// the text stays outside the marks.
func WithMarks(text string, list []any) string {
	words := strings.TrimSpace(text)
	if words == "" {
		return text
	}
	before, after, _ := strings.Cut(text, words)
	for _, item := range list {
		mark, _ := item.(map[string]any)
		kind, _ := mark["type"].(string)
		words = marks[kind] + words + marks[kind]
	}
	return before + words + after
}
