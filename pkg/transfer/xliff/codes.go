package xliff

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/markdown"
	"headless/pkg/refs"
)

// span is a part of a text that is written as a code.
type span struct{ start, end int }

var (
	// gap is what separates two paragraphs.
	gap = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\n[ \t]*\n\s*`)
	})
	// blockKey is the start of a line of a block: the name of a field.
	blockKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^ *(- )*[a-z][a-z0-9_]*:`)
	})
)

// codesOf returns the codes of a Markdown text, in their order: references, and what frames the values
// of blocks. Other fields have none.
func codesOf(f *cms.Field, text string) (spans []span) {
	if f == nil || f.Type != cms.TypeRichText {
		return nil
	}
	for _, d := range refs.Destinations(text) {
		if _, _, ok := refs.Parse(text[d.Start:d.End]); ok {
			spans = append(spans, span{d.Start, d.End})
		}
	}
	for _, b := range markdown.Blocks(f, text) {
		lines := strings.TrimRight(text[b.Start:b.End], "\n")
		first, last := strings.IndexByte(lines, '\n'), strings.LastIndexByte(lines, '\n')+1
		if first < 0 {
			first, last = len(lines), len(lines)
		}
		spans = append(spans, span{b.Start, b.Start + first})
		for _, at := range blockKey().FindAllStringIndex(lines[min(first+1, last):last], -1) {
			spans = append(spans, span{b.Start + first + 1 + at[0], b.Start + first + 1 + at[1]})
		}
		if last < len(lines) {
			spans = append(spans, span{b.Start + last, b.Start + len(lines)})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	return spans
}

// unitWriter makes the parts of one unit.
type unitWriter struct {
	codes []code // by the order of their ids
	used  []bool // whether the translation has the code
}

// unitOf returns the unit of a text and its present translation, "" if there is none.
func unitOf(id string, f *cms.Field, about []note, source, target, state string) unit {
	var w unitWriter
	u := unit{ID: id, Was: markOf(target), Notes: &notes{about}}
	from := w.pieces(f, source, false)
	var to []string
	if target != "" {
		to = w.pieces(f, target, true)
	}
	if len(to) > 0 && len(to) != len(from) { // the paragraphs do not correspond
		from, to = []string{strings.Join(from, "")}, []string{strings.Join(to, "")}
	}
	for i := range from {
		p := part{Source: &inline{XML: from[i]}}
		if p.XMLName.Local = "segment"; i%2 == 1 {
			p.XMLName.Local = "ignorable"
		} else {
			p.ID, p.State = "s"+strconv.Itoa(i/2+1), state
		}
		if len(to) > 0 {
			p.Target = &inline{XML: to[i]}
		}
		u.Parts = append(u.Parts, p)
	}
	if len(w.codes) > 0 {
		u.Codes = &codes{w.codes}
	}
	return u
}

// pieces returns the XML of the paragraphs of a text, with that of the gap between two of them. Only
// Markdown is split.
func (w *unitWriter) pieces(f *cms.Field, text string, isTarget bool) (list []string) {
	spans := codesOf(f, text)
	cut := func(from, to int) {
		var b strings.Builder
		for _, s := range spans {
			if s.start < from || s.end > to {
				continue
			}
			escape(&b, text[from:s.start])
			b.WriteString(w.placeholder(text[s.start:s.end], isTarget))
			from = s.end
		}
		escape(&b, text[from:to])
		list = append(list, b.String())
	}
	at := 0
	if f != nil && f.Type == cms.TypeRichText {
		for _, g := range gap().FindAllStringIndex(text, -1) {
			if g[0] > 0 && g[1] < len(text) {
				cut(at, g[0])
				cut(g[0], g[1])
				at = g[1]
			}
		}
	}
	cut(at, len(text))
	return list
}

// placeholder returns the element of a code. A code of the translation is that of the source with the
// same text.
func (w *unitWriter) placeholder(text string, isTarget bool) string {
	id := 0
	for !isTarget && id < len(w.codes) || id < len(w.codes) && (w.used[id] || w.codes[id].Text != text) {
		id++
	}
	if id == len(w.codes) {
		w.codes, w.used = append(w.codes, code{"d" + strconv.Itoa(id+1), text}), append(w.used, false)
	}
	w.used[id] = isTarget
	n := strconv.Itoa(id + 1)
	return `<ph id="` + n + `" dataRef="d` + n + `"/>`
}

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")

// escape writes a text as XML. Characters that XML cannot hold are elements.
func escape(b *strings.Builder, text string) {
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			b.WriteString(`<cp hex="` + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + `"/>`)
		} else {
			b.WriteString(entities.Replace(text[:size]))
		}
		text = text[size:]
	}
}
