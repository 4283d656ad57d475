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

// maxTargets is how many bytes the parser may read in search of the ends of links, which takes it
// about 0.2 s.
const maxTargets = 150 << 20

// Costly reports whether the parser would need seconds for a text: it reads on from each "](" to the
// next white space, which makes a long line of such signs quadratic.
func Costly(source []byte) bool {
	read, word := 0, len(source)
	for at := len(source) - 2; at >= 0; at-- {
		switch c := source[at]; {
		case c == ' ' || c == '\n' || c == '\t':
			word = at
		case c == ']' && source[at+1] == '(':
			read += word - at
		}
	}
	return read > maxTargets
}
