package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"headless/pkg/cms"
	"headless/pkg/cms/validation"
)

// Checks finds the problems of entries, those of the blocks in their texts too.
var Checks = validation.Checks{Blocks: Blocks}

// infoPrefix starts the info string of a block.
const infoPrefix = "block "

// HasBlocks reports whether the texts of a field may hold blocks.
func HasBlocks(f *cms.Field) bool { return f.Type == cms.TypeRichText && len(f.Fields) > 0 }

// MayHaveBlocks reports whether a text can have blocks. It is fast and may be wrong for a text without.
func MayHaveBlocks(markdown string) bool { return strings.Contains(markdown, infoPrefix) }

// Blocks returns the blocks in a text of a field, in their order: none unless the field has types of
// blocks. A block of an unknown type has no Values.
func Blocks(f *cms.Field, markdown string) []cms.TextBlock {
	if !HasBlocks(f) || !MayHaveBlocks(markdown) {
		return nil
	}
	source := []byte(markdown)
	return blocksIn(f, Parse(source), source)
}

func blocksIn(f *cms.Field, document ast.Node, source []byte) (found []cms.TextBlock) {
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		fence, ok := n.(*ast.FencedCodeBlock)
		if !ok {
			continue
		}
		if b, ok := readBlock(f, fence, source); ok {
			found = append(found, b)
		}
	}
	return found
}

// readBlock reads a fenced code block. ok is false if it is code.
func readBlock(f *cms.Field, fence *ast.FencedCodeBlock, source []byte) (b cms.TextBlock, ok bool) {
	if fence.Info == nil {
		return b, false
	}
	info := fence.Info.Segment
	name, ok := strings.CutPrefix(string(info.Value(source)), infoPrefix)
	if b.Type = strings.TrimSpace(name); !ok || b.Type == "" {
		return b, false
	}
	b.Start = bytes.LastIndexByte(source[:info.Start], '\n') + 1
	var content []byte
	end := lineEnd(source, info.Stop)
	for i := range fence.Lines().Len() {
		line := fence.Lines().At(i)
		content = append(content, line.Value(source)...)
		end = line.Stop
	}
	b.End = end
	if closing := lineEnd(source, end); isFence(source[end:closing]) {
		b.End = closing
	}
	if kind := cms.FieldNamed(f.Fields, b.Type); kind != nil {
		b.Values, b.Problem = readValues(kind.Fields, content)
	}
	return b, true
}

// lineEnd returns the end of the line that a position is in, after its newline.
func lineEnd(source []byte, at int) int {
	if i := bytes.IndexByte(source[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(source)
}

// isFence reports whether the line after the content of a fenced code block closes it.
func isFence(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) >= 3 && (len(bytes.Trim(line, "`")) == 0 || len(bytes.Trim(line, "~")) == 0)
}

// WithoutBlocks returns a text without its blocks.
func WithoutBlocks(markdown string, blocks []cms.TextBlock) string {
	var out strings.Builder
	at := 0
	for _, b := range blocks {
		out.WriteString(markdown[at:b.Start])
		at = b.End
	}
	out.WriteString(markdown[at:])
	return out.String()
}

// BlockPath returns the path of a block in the text at a path, by its number among the blocks.
func BlockPath(path string, n int) string { return path + ".blocks." + strconv.Itoa(n) }
