package markdown

import (
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"headless/pkg/cms"
)

// Parts returns the parts of a text of a field (extensions §12): a list of objects with a type. A
// part of Markdown that shows nothing is left out. Blocks that are unknown or cannot be read are
// code in the Markdown around them. A Costly text is one part.
func Parts(f *cms.Field, markdown string) []any {
	source := []byte(markdown)
	shown := strings.TrimSpace(markdown)
	isOne := (!HasBlocks(f) || !MayHaveBlocks(markdown)) && shown != "" && shown[0] != '[' // [ may begin a definition
	if isOne || Costly(source) {
		return OnePart(markdown)
	}
	document := Parse(source)
	s := splitter{source: source, document: document, parts: []any{}}
	at := 0
	for _, b := range blocksIn(f, document, source) {
		if b.Values == nil {
			continue
		}
		s.addText(at, b.Start)
		s.parts = append(s.parts, Part(b))
		at = b.End
	}
	s.addText(at, len(source))
	return s.parts
}

// OnePart returns a text as its only part.
func OnePart(markdown string) []any {
	return []any{map[string]any{"type": cms.TextPart, "text": markdown}}
}

// Part returns a block as a part of its text.
func Part(b cms.TextBlock) map[string]any {
	part := map[string]any{}
	maps.Copy(part, b.Values)
	part["type"] = b.Type
	return part
}

// BlockHTML returns the HTML of a block in a text, given as a part of the text: an element with its type
// and the JSON of its values.
func BlockHTML(part map[string]any) (string, error) {
	kind, _ := part["type"].(string)
	values := maps.Clone(part)
	delete(values, "type")
	value, err := cms.Marshal(values)
	return `<div data-block="` + html.EscapeString(kind) + `" data-value="` +
		html.EscapeString(string(value)) + "\"></div>\n", err
}

// splitter collects the parts of a text.
type splitter struct {
	source   []byte
	document ast.Node
	parts    []any
}

// addText adds the Markdown between two positions as a part, with the definitions of other parts that
// it uses.
func (s *splitter) addText(start, end int) {
	shows := false
	var used, defined []string
	for n := s.document.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Pos() < start || n.Pos() >= end {
			continue
		}
		shows = shows || n.Kind() != ast.KindLinkReferenceDefinition
		u, d := references(n)
		used, defined = append(used, u...), append(defined, d...)
	}
	if !shows {
		return
	}
	text := string(s.source[start:end])
	used = slices.DeleteFunc(used, func(label string) bool { return slices.Contains(defined, label) })
	if len(used) > 0 {
		text = strings.TrimRight(text, "\r\n") + "\n"
		for _, d := range s.definitions(used) {
			text += "\n" + d
		}
		text += "\n"
	}
	s.parts = append(s.parts, map[string]any{"type": cms.TextPart, "text": text})
}

// references returns the labels of the definitions that a node uses, and of those that it holds.
func references(n ast.Node) (used, defined []string) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		switch n := n.(type) {
		case *ast.Link:
			if entering && n.Reference != nil {
				used = append(used, util.ToLinkReference(n.Reference.Value))
			}
		case *ast.Image:
			if entering && n.Reference != nil {
				used = append(used, util.ToLinkReference(n.Reference.Value))
			}
		case *ast.LinkReferenceDefinition:
			if entering {
				defined = append(defined, util.ToLinkReference(n.Label))
			}
		}
		return ast.WalkContinue, nil
	})
	return used, defined
}

// definitions returns the lines of the definitions of some labels. Of several definitions of a label
// the first one holds.
func (s *splitter) definitions(labels []string) (lines []string) {
	slices.Sort(labels)
	labels = slices.Compact(labels)
	_ = ast.Walk(s.document, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		d, ok := n.(*ast.LinkReferenceDefinition)
		if !entering || !ok {
			return ast.WalkContinue, nil
		}
		if i := slices.Index(labels, util.ToLinkReference(d.Label)); i >= 0 {
			labels = slices.Delete(labels, i, i+1)
			lines = append(lines, strings.TrimSpace(string(d.Lines().Value(s.source))))
		}
		return ast.WalkContinue, nil
	})
	return lines
}
