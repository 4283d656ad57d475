package entryforms

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/markdown"
	"headless/pkg/refs"
	"headless/pkg/site"
)

// Prose returns an entry whose richtexts are as readers see them: words without the signs of Markdown. Links and
// pictures have the names that name returns for their destinations.
func Prose(m *site.Model, e *cms.Entry, name func(destination string) string) *cms.Entry {
	shown := *e
	shown.Data = refs.MapRichTexts(m.Fields, e.Data, proseChange(name))
	return &shown
}

// ShowProse adds to the inputs of richtexts what Prose makes of them, for pages whose scripts do not run.
func ShowProse(shown []ui.Field, fields []cms.Field, name func(destination string) string) error {
	change := proseChange(name)
	return Walk(shown, fields, "data", "", func(field *ui.Field, f *cms.Field, _ string) error {
		if text, changed := change("", f, field.Value); changed {
			field.Prose, _ = text.(string)
		}
		return nil
	})
}

func proseChange(name func(string) string) refs.Change {
	return func(_ string, f *cms.Field, v any) (any, bool) {
		text, ok := v.(string)
		if !ok || f.Type != cms.TypeRichText || markdown.Costly([]byte(text)) {
			return v, false
		}
		p := prose{field: f, source: []byte(text), name: name}
		return p.block(markdown.Parse(p.source)), true
	}
}

// prose writes the words of one text.
type prose struct {
	field  *cms.Field
	source []byte
	name   func(destination string) string
	lines  bool // keep the ends of lines
}

// block returns the words of a block, without a line break at the end.
func (p *prose) block(n ast.Node) string {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		for _, b := range markdown.Blocks(p.field, string(p.source)) {
			if n.Info != nil && b.Start < n.Info.Segment.Start && n.Info.Segment.Start < b.End {
				return p.values(b)
			}
		}
		return strings.TrimRight(string(n.Lines().Value(p.source)), "\n")
	case *ast.CodeBlock, *ast.HTMLBlock:
		return strings.TrimRight(string(n.Lines().Value(p.source)), "\n")
	case *ast.ThematicBreak:
		return "—"
	case *ast.Paragraph:
		if lines := strings.Split(string(n.Lines().Value(p.source)), "\n"); len(lines) > 1 && isRule(lines[1]) {
			return p.table(n)
		}
		return p.inline(n)
	case *ast.TextBlock, *ast.Heading:
		return p.inline(n)
	}
	between := "\n\n"
	list, isList := n.(*ast.List)
	if isList && list.IsTight {
		between = "\n"
	} else if item, ok := n.Parent().(*ast.List); ok && item.IsTight {
		between = "\n"
	}
	var blocks []string
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		text, sign := p.block(child), ""
		if isList {
			if sign = "• "; list.IsOrdered() {
				sign = fmt.Sprintf("%d. ", list.Start+len(blocks))
			}
		}
		blocks = append(blocks, sign+strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", len([]rune(sign)))))
	}
	return strings.Join(blocks, between)
}

// values returns the label of a block in a text, with the labels and values of its fields.
func (p *prose) values(block cms.TextBlock) string {
	kind := BlockOf(*p.field, block.Type)
	values, _ := refs.MapWriting("", kind.Fields, block.Values, proseChange(p.name))
	var b strings.Builder
	b.WriteString(entrydata.LabelOf(kind).String() + "\n")
	if block.Problem != "" || readGroup(&b, kind.Fields, values, "  ") != nil {
		return string(p.source[block.Start:block.End])
	}
	return strings.TrimRight(b.String(), "\n")
}

// isRule reports whether a line stands between the head and the rows of a table.
func isRule(line string) bool {
	return strings.Contains(line, "|") && strings.Contains(line, "-") && strings.Trim(line, " |:-") == ""
}

// table returns the rows of a paragraph that is a table, with the signs that ui.Pieces makes cells of.
func (p *prose) table(n ast.Node) string {
	p.lines = true
	lines := strings.Split(p.inline(n), "\n")
	p.lines = false
	for i, line := range lines {
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "|"), "|"), "|")
		for j, cell := range cells {
			cells[j] = ui.CellStart + strings.TrimSpace(cell)
		}
		lines[i] = ui.RowStart + strings.Join(cells, "")
	}
	return strings.Join(slices.Delete(lines, 1, 2), "\n")
}

// inline returns the words in a block or in a part of one.
func (p *prose) inline(n ast.Node) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		switch child := child.(type) {
		case *ast.Text:
			text := child.Value(p.source)
			if n.Kind() != ast.KindCodeSpan {
				text = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(text)))
			}
			b.Write(text)
			if child.HardLineBreak() || p.lines && child.SoftLineBreak() {
				b.WriteByte('\n')
			} else if child.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.AutoLink:
			b.WriteString(p.name(string(child.URL(p.source))))
		case *ast.Link:
			b.WriteString(p.inline(child) + " (" + p.name(string(child.Destination)) + ")")
		case *ast.Image:
			words := []string{p.inline(child), p.name(string(child.Destination))}
			b.WriteString("[" + strings.TrimPrefix(strings.Join(words, ": "), ": ") + "]")
		case *ast.RawHTML:
			b.Write(child.Segments.Value(p.source))
		default:
			b.WriteString(p.inline(child))
		}
	}
	return b.String()
}
