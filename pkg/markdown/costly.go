package markdown

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// maxSteps is how many steps of its slowest parts the parser may need for a text, which take it at most
// a fifth of a second.
const maxSteps = 150 << 20

// emphasisSteps is how much longer the parser takes to compare signs of emphasis than for other steps.
const emphasisSteps = 8

// cellSteps is how much longer the parser and the renderer take for a cell than for other steps.
const cellSteps = 1024

// Costly reports whether the parser would need seconds for a text: some of its parts take time by the
// square of what they meet. The answer depends on the text alone, so that what is found in a text is
// the same at every read.
func Costly(source []byte) bool { return steps(source) > maxSteps }

// steps counts the steps for a text, up to somewhat more than maxSteps.
func steps(source []byte) int {
	c := cost{}
	for len(source) > 0 && c.steps <= maxSteps {
		line, rest, _ := bytes.Cut(source, []byte("\n"))
		c.line(line)
		source = rest
	}
	return c.steps
}

// Budget limits what the parser does for the texts of one answer: they may need as many steps together
// as one text may need.
type Budget struct{ spent int }

// Takes reports whether the budget has the steps for one more text, and takes them. A text that it
// refuses is to be shown as a Costly one.
func (b *Budget) Takes(text string) bool {
	n := steps([]byte(text))
	if b.spent+n > maxSteps {
		return false
	}
	b.spent += n
	return true
}

// cost counts the steps for a text, line by line.
type cost struct {
	steps       int
	read        int   // bytes before the line
	depth       int   // of the deepest quotes and lists so far
	definitions int   // lines of the paragraph that may define a link
	brackets    []int // positions of [ in the paragraph that no ] has closed
	runs        []run // of the paragraph that may begin an emphasis
	latest, met int   // position of the latest run, and how many the paragraph has
	idle        int   // runs of the paragraph that neither begin nor end one
	bars        int   // signs and lines so far that may keep only one of two runs out of the text
	ticks       int   // pairs of ` of the paragraph after a backslash
	columns     int   // of the table that the paragraph may be
}

func (c *cost) line(line []byte) {
	text, depth := containers(line)
	if len(text) == 0 && len(bytes.TrimSpace(line)) == 0 {
		depth = 0
	}
	c.depth = max(c.depth, depth)
	c.steps += depth*len(line) + c.depth // each level reads the rest of the line
	if len(text) == 0 {
		c.definitions, c.brackets, c.runs, c.columns = 0, nil, nil, 0
		c.met, c.idle, c.bars, c.ticks = 0, 0, 0, 0
	}
	c.cells(text)
	if len(text) > 0 && text[0] == '[' {
		c.definitions++
		c.steps += c.definitions / 2 // the lines after a definition are moved
	}
	word := len(line)
	for at := len(line) - 2; at >= 0; at-- {
		switch sign := line[at]; {
		case sign == ' ' || sign == '\t':
			word = at
		case sign == ']' && line[at+1] == '(':
			c.steps += word - at // a destination is looked for up to the next white space
		}
	}
	c.signs(line)
	c.read += len(line) + 1
}

// cells counts the steps for a line of a table: the cells that it lacks are added to it.
func (c *cost) cells(text []byte) {
	cells := bytes.Count(text, []byte("|")) + 1
	c.steps += cellSteps * max(0, c.columns-cells)
	if cells > 1 && len(bytes.Trim(text, "|:- \t\r")) == 0 {
		c.columns = max(c.columns, cells)
	}
}

// run is a run of *, _ or ~ that may begin an emphasis.
type run struct {
	sign   byte
	length int
	bars   int  // see cost
	only   bool // it is in the text, and ends no emphasis
}

// signs counts the steps for the signs of links, emphasis and code in a line.
func (c *cost) signs(line []byte) {
	c.bars++ // the next line may be another block
	c.steps += c.ticks * len(line)
	sure := true
	for at := 0; at < len(line) && c.steps <= maxSteps; at++ {
		switch line[at] {
		case '[':
			c.bars++
			c.brackets = append(c.brackets, c.read+at)
			c.steps += len(c.brackets) / 64 // the others are passed over fast
		case ']':
			c.bars++
			if last := len(c.brackets) - 1; last >= 0 {
				c.steps += c.read + at - c.brackets[last] // the label is read
				if c.latest > c.brackets[last] {          // and the text before it, if the label has a run
					c.steps += emphasisSteps * (c.bars + c.met)
				}
				c.brackets = c.brackets[:last]
			}
		case '`', '(', ')', '<', '>', '|':
			c.bars++
		case ':', '/', '@', '.': // the next run may be part of an address
			sure = false
		case '\\': // or escaped
			c.bars++
			sure = false
			if bytes.HasPrefix(line[at+1:], []byte("``")) { // the second one is compared with all that follow
				c.ticks++
				c.steps += len(line) - at
			}
		case ' ', '\t':
			sure = true
		case '*', '_', '~':
			r := run{line[at], 1, c.bars, sure}
			for at+r.length < len(line) && line[at+r.length] == r.sign {
				r.length++
			}
			c.latest = c.read + at
			c.met++
			c.run(r, class(utf8.DecodeLastRune(line[:at])), class(utf8.DecodeRune(line[at+r.length:])))
			at += r.length - 1
		}
	}
}

// The classes of the characters beside a run.
const (
	letter = iota
	space
	mark
)

func class(r rune, size int) int {
	switch {
	case size == 0 || util.IsSpaceRune(r):
		return space
	case util.IsPunctRune(r):
		return mark
	}
	return letter
}

// run counts the steps for one run between two classes. One that ends no emphasis is compared with all that the
// paragraph has before it. Two runs that surely meet, since nothing between them can keep only one of them out of the
// text, take no steps and are forgotten.
func (c *cost) run(r run, before, after int) {
	if r.sign == '~' && r.length > 2 { // text, but the parser looks at the rest of it once for each of its signs
		c.steps += r.length * r.length / 2
		return
	}
	if r.sign == '_' && before|after == letter {
		c.idle++
		return
	}
	ends := before != space && (before == letter || after != letter)
	if ends {
		if last := len(c.runs) - 1; last >= 0 {
			if o := c.runs[last]; o.only && o.sign == r.sign && o.length == r.length && o.bars == r.bars {
				c.runs = c.runs[:last]
				return
			}
		}
		c.steps += emphasisSteps * c.idle
		for _, o := range c.runs {
			c.steps += emphasisSteps
			r.only = r.only && o.sign != r.sign // else it may end one too
		}
	}
	switch {
	case after != space && (after == letter || before != letter):
		c.runs = append(c.runs, r)
	case !ends:
		c.idle++
	}
}

// containers returns what follows the signs of quotes and lists at the start of a line, and how many
// levels these and the indentation may be.
func containers(line []byte) (text []byte, depth int) {
	indent := 0
	for at := 0; at < len(line); {
		switch sign := line[at]; {
		case sign == ' ' || sign == '\t' || sign == '\r':
			indent++
			at++
		case sign == '>':
			depth++
			at++
		default:
			end := at
			for end < len(line) && line[end] >= '0' && line[end] <= '9' {
				end++
			}
			isItem := end < len(line) && (end == at && bytes.IndexByte([]byte("-+*"), sign) >= 0 ||
				end > at && (line[end] == '.' || line[end] == ')'))
			if !isItem || end+1 < len(line) && line[end+1] != ' ' && line[end+1] != '\t' {
				return line[at:], depth + indent/2
			}
			depth++
			at = end + 1
		}
	}
	return nil, depth + indent/2
}
