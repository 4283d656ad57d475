package segment

import (
	"bytes"
	"sort"
)

// Input is a segment to merge.
type Input struct {
	*Header
	// Gone reports whether a document is left out.
	Gone func(number int) bool
	// Page returns the content of a page. Merge reads each section once, from its start.
	Page func(s Section, n int) ([]byte, error)
}

// Merge writes the segment that has the documents of all inputs but those that are gone. It equals
// what Build would write for these documents, except that a word of documents that are gone may
// still lead to its stem. numbers has for each input the new numbers of its documents, Gone for
// those that are left out.
func Merge(id ID, inputs []Input, put func(Page) error) (b *Built, numbers [][]uint32, err error) {
	w := NewWriter(id, put)
	if numbers, err = mergeIDs(w, inputs); err != nil {
		return nil, nil, err
	}
	m := &dictMerge{w: w, numbers: numbers}
	for i := range inputs {
		c := &dictCursor{in: &inputs[i], at: i}
		if err := c.nextKey(); err != nil {
			return nil, nil, err
		}
		m.cursors = append(m.cursors, c)
	}
	if err := m.mergeAll(); err != nil {
		return nil, nil, err
	}
	b, err = w.finishSegment()
	return b, numbers, err
}

// Gone is the new number of a document that is left out.
const Gone = 1<<32 - 1

// idCursor walks through the documents of an input that are not gone.
type idCursor struct {
	in     *Input
	space  int // index of the space
	number int
	id     [idBytes]byte
	of     uint32 // version of the entry
}

// seek moves to the first document from number on; ok is false at the end.
func (c *idCursor) seek() (ok bool, err error) {
	for c.number < c.in.Docs && c.in.Gone(c.number) {
		c.number++
	}
	if c.number == c.in.Docs {
		return false, nil
	}
	for c.number >= c.in.Spaces[c.space].First+c.in.Spaces[c.space].Count {
		c.space++
	}
	page, err := c.in.page(IDs, c.in.IDPage(c.number))
	if err == nil {
		c.id, c.of, err = c.in.IDIn(page, c.number)
	}
	return true, err
}

func (in *Input) page(s Section, n int) ([]byte, error) {
	if body, ok := in.Inline(s); ok {
		return body, nil
	}
	return in.Page(s, n)
}

func (c *idCursor) isBefore(d *idCursor) bool {
	if a, b := c.in.Spaces[c.space].Name, d.in.Spaces[d.space].Name; a != b {
		return a < b
	}
	return bytes.Compare(c.id[:], d.id[:]) < 0
}

func mergeIDs(w *Writer, inputs []Input) (numbers [][]uint32, err error) {
	var open []*idCursor
	at := map[*idCursor]int{}
	for i := range inputs {
		list := make([]uint32, inputs[i].Docs)
		for n := range list {
			list[n] = Gone
		}
		numbers = append(numbers, list)
		c := &idCursor{in: &inputs[i]}
		at[c] = i
		if ok, err := c.seek(); err != nil {
			return nil, err
		} else if ok {
			open = append(open, c)
		}
	}
	for len(open) > 0 {
		first := 0
		for i := range open {
			if open[i].isBefore(open[first]) {
				first = i
			}
		}
		c := open[first]
		numbers[at[c]][c.number] = uint32(w.h.Docs)
		w.document(c.in.Spaces[c.space].Name, c.id, c.of)
		c.number++
		if ok, err := c.seek(); err != nil {
			return nil, err
		} else if !ok {
			open = append(open[:first], open[first+1:]...)
		}
	}
	return numbers, nil
}

// dictCursor walks through the dictionary of an input.
type dictCursor struct {
	in      *Input
	at      int // index of the input
	page    int // the next page
	entries []Entry
	order   string // of the first of entries; "" at the end
}

func (c *dictCursor) nextKey() error {
	if len(c.entries) > 0 {
		c.entries = c.entries[1:]
	}
	for len(c.entries) == 0 {
		if _, inline := c.in.Inline(Dict); c.page == len(c.in.separators) || inline && c.page > 0 {
			c.order = ""
			return nil
		}
		page, err := c.in.page(Dict, c.page)
		if err != nil {
			return err
		}
		c.page++
		if err := c.in.Scan(page, func(e Entry) bool { c.entries = append(c.entries, e); return true }); err != nil {
			return err
		}
	}
	c.order = c.entries[0].order()
	return nil
}

type dictMerge struct {
	w       *Writer
	numbers [][]uint32
	cursors []*dictCursor
}

func (m *dictMerge) mergeAll() error {
	for {
		least := ""
		for _, c := range m.cursors {
			if c.order != "" && (least == "" || c.order < least) {
				least = c.order
			}
		}
		if least == "" {
			return nil
		}
		var same []*dictCursor
		for _, c := range m.cursors {
			if c.order == least {
				same = append(same, c)
			}
		}
		if err := m.mergeEntry(same); err != nil {
			return err
		}
		for _, c := range same {
			if err := c.nextKey(); err != nil {
				return err
			}
		}
	}
}

// mergeEntry merges the entries of one key.
func (m *dictMerge) mergeEntry(same []*dictCursor) error {
	first := same[0].entries[0]
	if first.Stem != "" {
		m.w.word(first.Key, first.Stem)
		return nil
	}
	var all List
	table := map[string]uint16{}
	for _, c := range same {
		l, err := c.in.List(c.entries[0], func(n int) ([]byte, error) { return c.in.page(Lists, n) })
		if err != nil {
			return err
		}
		for i, n := range l.Numbers {
			now := m.numbers[c.at][n]
			switch {
			case now == Gone:
			case l.Weights == nil:
				all.Numbers = append(all.Numbers, now)
			default:
				all.addPosting(now, l.Weights[i], l.Words(i), table)
			}
		}
	}
	if len(all.Numbers) > 0 {
		if len(same) > 1 {
			sort.Sort((*byNumber)(&all))
		}
		m.w.list(first.Key, &all)
	}
	return nil
}

type byNumber List

func (l *byNumber) Len() int           { return len(l.Numbers) }
func (l *byNumber) Less(i, j int) bool { return l.Numbers[i] < l.Numbers[j] }
func (l *byNumber) Swap(i, j int) {
	l.Numbers[i], l.Numbers[j] = l.Numbers[j], l.Numbers[i]
	if l.Weights != nil {
		l.Weights[i], l.Weights[j] = l.Weights[j], l.Weights[i]
		l.Forms[i], l.Forms[j] = l.Forms[j], l.Forms[i]
	}
}
