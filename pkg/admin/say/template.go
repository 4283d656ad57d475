package say

import (
	"html"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"
	"unicode"
)

// Template translates the texts of a template, and makes each of its actions say what it prints.
func (l *Language) Template(t *parse.Tree) {
	w := walker{tree: t, translate: l.translationOf}
	t.Root.Nodes = w.list(t.Root.Nodes)
}

// walker walks through a template. It follows the HTML far enough to know what of it is text.
type walker struct {
	tree      *parse.Tree
	translate func(key string) string

	in    place
	name  string // of the tag or attribute
	quote byte
	raw   string // name of the open element whose text is no message, "" for none
	run   []parse.Node
}

type place int

const (
	inText place = iota
	inTagName
	inTag
	inName  // of an attribute
	inValue // of an attribute
)

// rawElements are the elements whose text is no message.
var rawElements = []string{"code", "pre", "script", "style"}

// attributes are the attributes that hold words.
var attributes = []string{"title", "placeholder", "aria-label", "alt"}

func (w *walker) list(nodes []parse.Node) (out []parse.Node) {
	for _, node := range nodes {
		switch n := node.(type) {
		case *parse.TextNode:
			out = append(out, w.splitText(string(n.Text))...)
			continue
		case *parse.ActionNode:
			if len(n.Pipe.Decl) > 0 {
				out = append(out, w.endRun()...)
				break
			}
			n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos,
				Args: []parse.Node{parse.NewIdentifier("say").SetTree(w.tree).SetPos(n.Pos)}})
			if w.hasWords() {
				w.run = append(w.run, n)
				continue
			}
		case *parse.IfNode:
			out = append(out, w.endRun()...)
			w.branch(&n.BranchNode)
		case *parse.RangeNode:
			out = append(out, w.endRun()...)
			w.branch(&n.BranchNode)
		case *parse.WithNode:
			out = append(out, w.endRun()...)
			w.branch(&n.BranchNode)
		case *parse.TemplateNode:
			out = append(out, w.endRun()...)
		}
		out = append(out, node)
	}
	return append(out, w.endRun()...)
}

// branch walks through both branches. They end at the same place in the HTML.
func (w *walker) branch(b *parse.BranchNode) {
	start := *w
	b.List.Nodes = w.list(b.List.Nodes)
	if b.ElseList != nil {
		other := start
		b.ElseList.Nodes = other.list(b.ElseList.Nodes)
	}
}

// hasWords reports whether the place holds words for people.
func (w *walker) hasWords() bool {
	return w.in == inText && w.raw == "" || w.in == inValue && slices.Contains(attributes, w.name)
}

// splitText splits a text at the places where words begin and end.
func (w *walker) splitText(s string) (out []parse.Node) {
	start := 0
	keep := func(until int) {
		if until > start {
			piece := w.node(s[start:until])
			if w.hasWords() {
				w.run = append(w.run, piece)
			} else {
				out = append(out, piece)
			}
		}
		start = until
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch w.in {
		case inText:
			if c == '<' {
				keep(i)
				out = append(out, w.endRun()...)
				w.in, w.name = inTagName, ""
			}
		case inTagName:
			if unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) || c == '/' || c == '!' {
				w.name += string(c)
				continue
			}
			w.element(w.name)
			w.in = inTag
			if c == '>' {
				keep(i + 1)
				w.in = inText
			}
		case inTag:
			if c == '>' {
				keep(i + 1)
				w.in = inText
			} else if c == '-' || unicode.IsLetter(rune(c)) {
				w.in, w.name = inName, string(c)
			}
		case inName:
			switch {
			case c == '"' || c == '\'':
				keep(i + 1)
				w.in, w.quote = inValue, c
			case c == '=' || c == '-' || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)):
				if c != '=' {
					w.name += string(c)
				}
			default:
				w.in = inTag
				i--
			}
		case inValue:
			if c == w.quote {
				keep(i)
				out = append(out, w.endRun()...)
				w.in = inTag
			}
		}
	}
	keep(len(s))
	return out
}

// element notes the start or the end of an element.
func (w *walker) element(name string) {
	switch closed, closes := strings.CutPrefix(name, "/"); {
	case closes && closed == w.raw:
		w.raw = ""
	case !closes && w.raw == "" && slices.Contains(rawElements, name):
		w.raw = name
	}
}

// endRun ends a run of words, and returns its nodes in the order of the translation.
func (w *walker) endRun() []parse.Node {
	run := w.run
	w.run = nil
	var key strings.Builder
	var actions []parse.Node
	for _, node := range run {
		if n, ok := node.(*parse.TextNode); ok {
			key.Write(n.Text)
			continue
		}
		actions = append(actions, node)
		key.WriteString("{" + strconv.Itoa(len(actions)) + "}")
	}
	whole := key.String()
	text := strings.TrimSpace(whole)
	message := html.UnescapeString(strings.Join(strings.Fields(text), " "))
	if !strings.ContainsFunc(message, unicode.IsLetter) {
		return run
	}
	translation := w.translate(message)
	if translation == "" {
		return run
	}
	before, after, _ := strings.Cut(whole, text)
	return w.nodes(before+html.EscapeString(translation)+after, actions)
}

// nodes makes nodes of a translation.
func (w *walker) nodes(text string, actions []parse.Node) (out []parse.Node) {
	for text != "" {
		before, rest, _ := strings.Cut(text, "{")
		if before != "" {
			out = append(out, w.node(before))
		}
		number, after, _ := strings.Cut(rest, "}")
		if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= len(actions) {
			out = append(out, actions[n-1].Copy())
		}
		text = after
	}
	return out
}

func (w *walker) node(s string) *parse.TextNode {
	return &parse.TextNode{NodeType: parse.NodeText, Text: []byte(s)}
}
