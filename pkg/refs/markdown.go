package refs

import (
	"slices"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"headless/pkg/markdown"
)

// Destination is where a link of a Markdown text leads to: the bytes Start to End of the text.
type Destination struct {
	Start, End int
	// auto is set for an autolink, whose brackets surround the destination. It must be an absolute
	// URL. inLink is set for an autolink in the text of a link.
	auto, inLink bool
}

// Destinations returns the destinations of a Markdown text in their order.
func Destinations(text string) []Destination {
	source := []byte(text)
	f := finder{source: source}
	_ = ast.Walk(markdown.Parse(source), f.visit) // never fails
	sort.Slice(f.found, func(i, j int) bool { return f.found[i].Start < f.found[j].Start })
	return slices.CompactFunc(f.found, func(a, b Destination) bool { return a.Start == b.Start })
}

// finder collects the destinations of a parsed text.
type finder struct {
	source []byte
	found  []Destination
}

func (f *finder) visit(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Link:
		if n.Reference == nil {
			f.addDestination(n.Destination)
		}
	case *ast.Image:
		if n.Reference == nil {
			f.addDestination(n.Destination)
		}
	case *ast.LinkReferenceDefinition:
		f.addDestination(n.Destination)
	case *ast.AutoLink:
		if f.addDestination(n.Label(f.source)) {
			last := &f.found[len(f.found)-1]
			last.auto, last.inLink = true, isInLink(n)
		}
	case *ast.RawHTML:
		f.html(n.Segments)
	case *ast.HTMLBlock:
		lines := n.Lines()
		if n.HasClosure() {
			all := text.NewSegments()
			all.AppendAll(lines.Sliced(0, lines.Len()))
			all.Append(n.ClosureLine)
			lines = all
		}
		f.html(lines)
	}
	return ast.WalkContinue, nil
}

func isInLink(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindLink || p.Kind() == ast.KindImage {
			return true
		}
	}
	return false
}

// addDestination adds a destination if it is a slice of the source, not a copy. The parser copies only lines
// that begin in the middle of a tab.
func (f *finder) addDestination(destination []byte) bool {
	start := cap(f.source) - cap(destination)
	if len(destination) == 0 || start < 0 || start >= len(f.source) || &f.source[start] != &destination[0] {
		return false
	}
	f.found = append(f.found, Destination{Start: start, End: start + len(destination)})
	return true
}

// html adds the values of href and src in the tags of raw HTML, which may have several lines.
func (f *finder) html(lines *text.Segments) {
	var html []byte
	var starts []int // of each line in html
	for i := range lines.Len() {
		segment := lines.At(i)
		starts = append(starts, len(html))
		html = append(html, f.source[segment.Start:segment.Stop]...)
	}
	for _, value := range attributeValues(html) {
		line := sort.SearchInts(starts, value.Start+1) - 1
		shift := lines.At(line).Start - starts[line]
		d := Destination{Start: value.Start + shift, End: value.End + shift}
		if d.End <= lines.At(line).Stop {
			f.found = append(f.found, d)
		}
	}
}

// Rewrite returns a Markdown text with destinations replaced: replace returns the new destination,
// and false to keep the old one. It must be a valid destination without white space, parentheses,
// quotes and angle brackets. An autolink whose new destination is a path becomes a link.
func Rewrite(markdown string, replace func(destination string) (string, bool)) string {
	return Substitute(markdown, Destinations(markdown), replace)
}

// Substitute is Rewrite for a text whose destinations are known.
func Substitute(markdown string, all []Destination, replace func(destination string) (string, bool)) string {
	var out strings.Builder
	at := 0
	for _, d := range all {
		now, ok := replace(markdown[d.Start:d.End])
		if !ok || now == markdown[d.Start:d.End] {
			continue
		}
		if d.auto && !strings.Contains(now, "://") {
			if d.inLink {
				continue
			}
			d.Start, d.End = d.Start-1, d.End+1
			now = "[" + now + "](" + now + ")"
		}
		out.WriteString(markdown[at:d.Start])
		out.WriteString(now)
		at = d.End
	}
	if at == 0 {
		return markdown
	}
	out.WriteString(markdown[at:])
	return out.String()
}

// BarePictures returns the ids of the files that a Markdown text shows as pictures without an
// alternative text of their own.
func BarePictures(text string) (ids []string) {
	if !strings.Contains(text, fileScheme) {
		return nil
	}
	_ = ast.Walk(markdown.Parse([]byte(text)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if picture, ok := n.(*ast.Image); ok && entering && !picture.HasChildren() {
			if t, _, ok := Parse(string(picture.Destination)); ok && t.File && !slices.Contains(ids, t.ID) {
				ids = append(ids, t.ID)
			}
		}
		return ast.WalkContinue, nil
	}) // never fails
	return ids
}
