package markdown

import "bytes"

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
	read        int    // bytes before the line
	depth       int    // of the deepest quotes and lists so far
	definitions int    // lines of the paragraph that may define a link
	brackets    []int  // positions of [ in the paragraph that no ] has closed
	open        [2]int // signs * and _ of the paragraph that may begin an emphasis
	columns     int    // of the table that the paragraph may be
}

func (c *cost) line(line []byte) {
	text, depth := containers(line)
	if len(text) == 0 && len(bytes.TrimSpace(line)) == 0 {
		depth = 0
	}
	c.depth = max(c.depth, depth)
	c.steps += depth*len(line) + c.depth // each level reads the rest of the line
	if len(text) == 0 {
		c.definitions, c.brackets, c.open, c.columns = 0, nil, [2]int{}, 0
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
	for at, sign := range line {
		switch sign {
		case '[':
			c.brackets = append(c.brackets, c.read+at)
			c.steps += len(c.brackets) / 64 // the others are passed over fast
		case ']':
			if last := len(c.brackets) - 1; last >= 0 {
				c.steps += c.read + at - c.brackets[last] // the label is read
				c.brackets = c.brackets[:last]
			}
		case '*', '_':
			c.emphasis(line, at)
		}
	}
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

// emphasis counts the steps for a sign * or _: one that may end an emphasis is compared with all that
// may begin one, if none of these is the same sign.
func (c *cost) emphasis(line []byte, at int) {
	same := 0
	if line[at] == '_' {
		same = 1
	}
	ends := at > 0 && line[at-1] > ' '
	if ends && c.open[same] > 0 {
		c.open[same]--
		return
	}
	if ends {
		c.steps += emphasisSteps * (c.open[0] + c.open[1])
	}
	if at+1 < len(line) && line[at+1] > ' ' {
		c.open[same]++
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
