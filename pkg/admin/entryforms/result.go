package entryforms

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/health"
)

// Result is how search engines and shared links show an entry.
type Result struct {
	Address     string // its parts apart, "" if the entry has none yet
	Title, Text string
	Image       string // URL of the first picture that is chosen, "" for none
	Lines       []ResultLine
}

// ResultLine says how long a text of a result is, and how long it may be to be shown whole, in characters.
type ResultLine struct {
	Name         say.Text
	Of           string // title or text
	Length, Most int
}

// State returns missing, long or good.
func (l ResultLine) State() string {
	switch {
	case l.Length == 0:
		return "missing"
	case l.Length > l.Most:
		return "long"
	}
	return "good"
}

// ResultOf makes the result of the fields of an entry's form.
func ResultOf(fields []ui.Field) *Result {
	value := func(name string) string {
		if i := slices.IndexFunc(fields, func(f ui.Field) bool { return f.Name == name }); i >= 0 {
			return strings.TrimSpace(fields[i].Value)
		}
		return ""
	}
	r := &Result{Title: cmp.Or(value("seo.title"), value("title")), Text: value("seo.description")}
	for _, f := range fields {
		if p := f.Pick; p != nil && p.Model == nil && p.Several == nil && len(p.Chosen) > 0 && r.Image == "" {
			r.Image = p.Chosen[0].Image
		}
	}
	r.Lines = []ResultLine{{"Title", "title", utf8.RuneCountInString(r.Title), health.MaxTitle},
		{"Description", "text", utf8.RuneCountInString(r.Text), health.MaxDescription}}
	return r
}

// SetAddress sets the address, which may be a path.
func (r *Result) SetAddress(address string) {
	_, path, found := strings.Cut(address, "://")
	if !found {
		path = address
	}
	r.Address = strings.Join(strings.FieldsFunc(path, func(c rune) bool { return c == '/' }), " › ")
}
