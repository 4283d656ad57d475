package sources

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// LocaleCode is a code such as pt-br or pt_BR as the service writes it: pt-BR.
func LocaleCode(code string) string {
	language, region, found := strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	if !found || len(region) > 3 {
		return strings.ToLower(language)
	}
	return strings.ToLower(language) + "-" + strings.ToUpper(region)
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// FieldName makes the name of a field of a key of the source, "" where nothing is left of it.
func FieldName(key string) string {
	name := strings.Trim(notInName.ReplaceAllString(key, "_"), "_")
	name = strings.TrimLeft(name, "_0123456789")
	if len(name) > 64 {
		name = name[:64]
	}
	return name
}

// BodyField is the field that takes the text of a file: the first richtext, else one called body.
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

// IsImage reports whether a file is a picture, by the ending of its name.
func IsImage(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif"},
		strings.ToLower(path.Ext(name)))
}

var scheme = regexp.MustCompile(`^https?://`)

// WithoutScheme is an address as it is the same by http and https.
func WithoutScheme(url string) string { return scheme.ReplaceAllString(url, "") }

// marks are the signs around a marked text.
var marks = map[string]string{"code": "`", "bold": "**", "italic": "*", "strikethrough": "~~"}

// WithMarks is a text with marks ({type}); blanks around the words stay outside of them.
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
