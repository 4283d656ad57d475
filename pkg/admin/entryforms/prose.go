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
	shown, left := *e, maxTargets
	shown.Data = refs.MapRichTexts(m.Fields, e.Data, proseChange(name, &left))
	return &shown
}

// ShowProse adds to the inputs of richtexts what Prose makes of them, for pages whose scripts do not run.
func ShowProse(shown []ui.Field, fields []cms.Field, name func(destination string) string) error {
	left := maxTargets
	change := proseChange(name, &left)
	return Walk(shown, fields, "data", "", func(field *ui.Field, f *cms.Field, _ string) error {
		if field.Page != nil {
			field.Page.Links = true
		}
		if text, changed := change("", f, field.Value); changed {
			field.Prose, _ = text.(string)
		}
		return nil
	})
}

func proseChange(name func(string) string, left *int) refs.Change {
	return func(_ string, f *cms.Field, v any) (any, bool) {
		text, ok := v.(string)
		if !ok || f.Type != cms.TypeRichText || markdown.Costly([]byte(text)) {
			return v, false
		}
		p := prose{field: f, source: []byte(text), blocks: markdown.Blocks(f, text), name: name, left: left}
		return p.block(markdown.Parse(p.source)), true
	}
}

// maxTargets limits the bytes of the destinations that are shown of an entry: texts repeat them in few signs.
const maxTargets = 2 << 20

// prose writes the words of one text.
type prose struct {
	field  *cms.Field
	source []byte
	blocks []cms.TextBlock
	name   func(destination string) string
	lines  bool // keep the ends of lines
	left   *int // bytes of destinations that may still be shown
}

// block returns the words of a block, without a line break at the end.
func (p *prose) block(n ast.Node) string {
	switch n := n.(type) {
	case *ast.FencedCodeBlock:
		for _, b := range p.blocks {
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
	values, _ := refs.MapWriting("", kind.Fields, block.Values, proseChange(p.name, p.left))
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

// inline returns the words in a block.
func (p *prose) inline(n ast.Node) string {
	var b strings.Builder
	p.writeInline(&b, n)
	return b.String()
}

// writeInline writes the words in a block or in a part of one.
func (p *prose) writeInline(b *strings.Builder, n ast.Node) {
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
			p.writeInline(b, child)
			b.WriteString(" (" + p.target(child.Destination) + ")")
		case *ast.Image:
			b.WriteByte('[')
			start := b.Len()
			if p.writeInline(b, child); b.Len() > start {
				b.WriteString(": ")
			}
			b.WriteString(p.target(child.Destination) + "]")
		case *ast.RawHTML:
			b.Write(child.Segments.Value(p.source))
		default:
			p.writeInline(b, child)
		}
	}
}

// target returns the name of a destination, or an ellipsis once the entry has shown maxTargets.
func (p *prose) target(destination []byte) string {
	if *p.left -= len(destination); *p.left < 0 {
		return "…"
	}
	return p.name(string(destination))
}
