package richtext

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"html"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	htmlrenderer "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"headless/pkg/markdown"
)

// Local makes the HTML of texts in this process.
func Local(_ context.Context, texts []markdown.Text) ([][]string, error) {
	return inTime(texts, Of), nil
}

// inTime calls of for each text within the limits of package markdown.
func inTime(texts []markdown.Text, of func(markdown.Text) []string) [][]string {
	all := make([][]string, len(texts))
	end, size := time.Now().Add(markdown.TotalLimit), 0
	for i, t := range texts {
		limit := min(markdown.TimeLimit, time.Until(end))
		if limit <= 0 || size > markdown.SizeLimit {
			all[i] = t.AsText()
			continue
		}
		made := make(chan []string, 1)
		go func() { made <- of(t) }()
		timer := time.NewTimer(limit)
		select {
		case all[i] = <-made:
		case <-timer.C: // the goroutine ends later: the parser cannot be stopped
			all[i] = t.AsText()
		}
		timer.Stop()
		for _, piece := range all[i] {
			size += len(piece)
		}
	}
	return all
}

// Of returns the HTML of a text, however long that takes.
func Of(t markdown.Text) []string {
	m := maker{Text: t, ids: map[string]int{}}
	shown := t.AsText()
	for i, piece := range t.Pieces {
		if !markdown.Costly([]byte(piece)) {
			if made, ok := m.render([]byte(piece)); ok {
				shown[i] = made
			}
		}
	}
	return shown
}

// maxRepeated limits the bytes of what a text may repeat in few signs: the destinations and titles of
// its links and pictures, and what is known of the pictures.
const maxRepeated = 2 << 20

// maker makes the HTML of one text.
type maker struct {
	markdown.Text
	ids      map[string]int // how often each id was asked for
	repeated int            // bytes that count towards maxRepeated
}

// converter is made at the first use. It is safe for concurrent use.
var converter = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Strikethrough, extension.Linkify,
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithRendererOptions(htmlrenderer.WithUnsafe()))
})

// mark starts the values of attributes that raw HTML may not have. Nobody can guess it, so the
// sanitiser can tell them apart.
var mark = sync.OnceValue(func() string { return "m" + rand.Text() + "-" })

// policy is made at the first use. It is safe for concurrent use.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowStandardURLs()
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.RequireNoFollowOnLinks(false)
	p.AllowElements("abbr", "address", "article", "aside", "b", "bdi", "bdo", "blockquote", "br", "caption",
		"cite", "code", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure",
		"footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "i", "ins", "kbd", "main",
		"mark", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "section", "small", "span", "strike",
		"strong", "sub", "summary", "sup", "tt", "u", "var", "wbr")
	p.AllowLists()
	p.AllowTables()
	p.AllowAttrs("title", "lang").Globally()
	p.AllowAttrs("dir").Matching(bluemonday.Direction).Globally()
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("src").OnElements("img")
	p.AllowAttrs("alt").Matching(regexp.MustCompile(``)).OnElements("img")
	p.AllowAttrs("width", "height").Matching(bluemonday.NumberOrPercent).OnElements("img")
	p.AllowAttrs("loading").Matching(regexp.MustCompile(`^(?:lazy|eager)$`)).OnElements("img")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[\w+#.-]+$`)).OnElements("code")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowAttrs("open").Matching(regexp.MustCompile(`^(?:|open)$`)).OnElements("details")
	p.AllowAttrs("datetime").Matching(bluemonday.ISO8601).OnElements("time", "del", "ins")
	own := regexp.MustCompile("^" + mark())
	p.AllowAttrs("id").Matching(own).OnElements("h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("srcset").Matching(own).OnElements("img")
	return p
})

// render returns the sanitised HTML of a text. ok is false if the text exceeds maxRepeated.
func (m *maker) render(source []byte) (made string, ok bool) {
	document := converter().Parser().Parse(text.NewReader(source))
	hasHTML := m.prepareDocument(document, source)
	if m.repeated > maxRepeated {
		return "", false
	}
	var out bytes.Buffer
	_ = converter().Renderer().Render(&out, source, document) // a buffer takes all
	sanitised := policy().SanitizeReader(&out).String()
	if hasHTML {
		sanitised = balanceTags(sanitised)
	}
	return strings.ReplaceAll(sanitised, mark(), ""), true
}

// balanceTags closes the elements that HTML of the author leaves open, and drops end tags without an
// element, so that a text cannot end the element that a site puts it in.
func balanceTags(fragment string) string {
	nodes, err := nethtml.ParseFragment(strings.NewReader(fragment),
		&nethtml.Node{Type: nethtml.ElementNode, Data: "div", DataAtom: atom.Div})
	var out bytes.Buffer
	for _, n := range nodes {
		err = errors.Join(err, nethtml.Render(&out, n))
	}
	if err != nil { // it nests deeper than the parser goes
		return markdown.Text{Pieces: []string{fragment}}.AsText()[0]
	}
	return out.String()
}

// hides reports whether a destination is not shown.
func (m *maker) hides(destination []byte) bool {
	return !m.Raw && bytes.HasPrefix(destination, []byte("cms://"))
}

// prepareDocument gives headings ids and pictures their attributes, and takes hidden destinations away. It
// reports whether the text has HTML of its author.
func (m *maker) prepareDocument(document ast.Node, source []byte) (hasHTML bool) {
	var hidden []ast.Node
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock:
			hasHTML = true
		case *ast.Heading:
			n.SetAttributeString("id", []byte(mark()+m.idOfHeading(string(textOf(n, source)))))
		case *ast.Image:
			m.repeated += len(n.Destination) + len(n.Title)
			if m.hides(n.Destination) {
				hidden = append(hidden, n)
			} else {
				m.picture(n)
			}
		case *ast.Link:
			m.repeated += len(n.Destination) + len(n.Title)
			if m.hides(n.Destination) {
				hidden = append(hidden, n)
			}
		case *ast.AutoLink:
			if m.hides(n.URL(source)) {
				hidden = append(hidden, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, n := range hidden {
		unwrap(n, source)
	}
	return hasHTML
}

// unwrap replaces a link or a picture by its text.
func unwrap(n ast.Node, source []byte) {
	parent := n.Parent()
	if auto, ok := n.(*ast.AutoLink); ok {
		parent.ReplaceChild(parent, n, ast.NewString(auto.Label(source)))
		return
	}
	for c := n.FirstChild(); c != nil; c = n.FirstChild() {
		parent.InsertBefore(parent, n, c)
	}
	parent.RemoveChild(parent, n)
}

// picture sets the attributes of a picture.
func (m *maker) picture(n *ast.Image) {
	n.SetAttributeString("loading", []byte("lazy"))
	p, ok := m.Pictures[string(n.Destination)]
	if !ok {
		return
	}
	m.repeated += len(p.Alt) + len(p.Srcset)
	if !n.HasChildren() && p.Alt != "" {
		n.AppendChild(n, ast.NewString([]byte(p.Alt)))
	}
	if p.Width > 0 && p.Height > 0 {
		n.SetAttributeString("width", []byte(strconv.Itoa(p.Width)))
		n.SetAttributeString("height", []byte(strconv.Itoa(p.Height)))
	}
	if p.Srcset != "" {
		n.SetAttributeString("srcset", []byte(mark()+p.Srcset))
	}
}

// textOf returns the text of a node without markup.
func textOf(n ast.Node, source []byte) []byte {
	var out []byte
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // never fails
		if entering {
			switch n := n.(type) {
			case *ast.Text:
				out = append(out, n.Segment.Value(source)...)
				if n.SoftLineBreak() || n.HardLineBreak() {
					out = append(out, ' ')
				}
			case *ast.String:
				out = append(out, n.Value...)
			case *ast.AutoLink:
				out = append(out, n.Label(source)...)
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

// idOfHeading returns an id for a heading: its words in lower case, joined by hyphens, and a number if another
// heading has that id.
func (m *maker) idOfHeading(heading string) string {
	heading = strings.NewReplacer("'", "", "’", "").Replace(html.UnescapeString(heading))
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	id := cmp.Or(strings.Join(words, "-"), "section")
	unique := id
	for m.ids[unique] > 0 {
		unique = id + "-" + strconv.Itoa(m.ids[id])
		m.ids[id]++
	}
	m.ids[unique]++
	return unique
}
