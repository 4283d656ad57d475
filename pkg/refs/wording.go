package refs

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/markdown"
)

// Wording replaces a text by another in what people write: the title, the texts for search engines, and
// text fields at any depth (extensions §7). It is found as it is written, in the same case. Addresses, choices,
// slugs and ids stay.
type Wording struct {
	Find, Replace string
	// Changed, if not nil, is called with each text that changes.
	Changed func(before, after string)
}

// address is an address in a plain text.
var address = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]*://[^\s<>"')]*|/media/[^\s<>"')]*`)

// Edit is the edit that replaces the text.
func (w Wording) Edit(m *cms.Model, e *cms.Entry) (edited *cms.Entry, differs bool) {
	c := *e
	c.Data, differs = MapWriting("data", m.Fields, e.Data, w.replaceInField)
	for _, text := range []*string{&c.Title, &c.SEO.Title, &c.SEO.Description} {
		differs = w.noteText(text, w.plain(*text)) || differs
	}
	return &c, differs
}

// noteText stores a new text, and reports whether it differs.
func (w Wording) noteText(text *string, now string) bool {
	if now == *text {
		return false
	}
	if w.Changed != nil {
		w.Changed(*text, now)
	}
	*text = now
	return true
}

// replaceInField is the Change of text fields.
func (w Wording) replaceInField(_ string, f *cms.Field, v any) (any, bool) {
	text, ok := v.(string)
	if !ok || !strings.Contains(text, w.Find) {
		return v, false
	}
	now := w.plain(text)
	if f.Type == cms.TypeRichText {
		now = w.markdown(f, text)
	}
	differs := w.noteText(&text, now)
	return text, differs
}

// span is a piece of a text with its replacement.
type span struct {
	start, end int
	now        string
}

// plain replaces the text between the addresses of a plain text.
func (w Wording) plain(text string) string {
	if !strings.Contains(text, w.Find) {
		return text
	}
	var kept []span
	for _, at := range address.FindAllStringIndex(text, -1) {
		kept = append(kept, span{at[0], at[1], text[at[0]:at[1]]})
	}
	return between(text, kept, func(s string) string { return strings.ReplaceAll(s, w.Find, w.Replace) })
}

// markdown replaces the text in Markdown, without its destinations.
func (w Wording) markdown(f *cms.Field, text string) string {
	var kept []span
	for _, d := range Destinations(text) {
		kept = append(kept, span{d.Start, d.End, text[d.Start:d.End]})
	}
	for _, b := range markdown.Blocks(f, text) {
		kept = append(kept, span{b.Start, b.End, w.replaceInBlock(f, b, text[b.Start:b.End])})
	}
	slices.SortFunc(kept, func(a, b span) int { return a.start - b.start })
	return between(text, kept, w.plain)
}

// replaceInBlock replaces the text in a block of a text. The block stays if more than its text fields would change.
func (w Wording) replaceInBlock(f *cms.Field, b cms.TextBlock, source string) string {
	w.Changed = nil
	want, differs := MapWriting("", f.FieldsOf(markdown.Part(b)), b.Values, w.replaceInField)
	now := w.plain(source)
	if is := markdown.Blocks(f, now); differs && len(is) == 1 && is[0].Type == b.Type && is[0].Problem == "" &&
		reflect.DeepEqual(is[0].Values, want) {
		return now
	}
	return source
}

// between applies a change to what lies between spans, which are in order, and puts their replacements in.
func between(text string, spans []span, change func(string) string) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s.start < at {
			continue
		}
		b.WriteString(change(text[at:s.start]) + s.now)
		at = s.end
	}
	b.WriteString(change(text[at:]))
	return b.String()
}
