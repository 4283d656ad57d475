package markdown

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// commonMark is made at the first use. It is safe for concurrent use.
var commonMark = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))
})

// Parse returns the nodes of a text as CommonMark has them, without extensions. A Costly text has no
// nodes.
func Parse(source []byte) ast.Node {
	if Costly(source) {
		return ast.NewDocument()
	}
	return commonMark().Parse(text.NewReader(source))
}
