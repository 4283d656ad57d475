package segment

import (
	"encoding/binary"
	"sort"

	"headless/pkg/slice"
)

// List is the posting list of a stem, or of a value of a filter: the documents that have it.
type List struct {
	Numbers []uint32 // of the documents, ascending
	Weights []byte   // of the stem in each document; nil for a filter
	Forms   []uint16 // of each document, as an index of Table; nil if all have Table[0]
	// Table has the sets of written words: each is sorted and joined by blanks.
	Table []string
}

const (
	blockSize = 128 // postings that share their parameters
	maxForms  = 1<<16 - 1
)

// encode returns the list in its stored form. Equal lists have equal forms, whatever the order of
// Table. In Table, the stem itself is stored as the empty string.
func (l *List) encode(stem string) []byte {
	b := binary.AppendUvarint(nil, uint64(len(l.Numbers)))
	weightRanks, weights := byFrequency(l.Weights, 256, func(a, b int) bool { return a < b })
	b = binary.AppendUvarint(b, uint64(len(weights)))
	for _, w := range weights {
		b = append(b, byte(w))
	}
	formRanks, forms := []uint32(nil), []int{0}
	if l.Weights == nil {
		forms = nil
	} else if l.Forms != nil {
		formRanks, forms = byFrequency(l.Forms, len(l.Table), func(a, b int) bool { return l.Table[a] < l.Table[b] })
	}
	b = binary.AppendUvarint(b, uint64(len(forms)))
	for _, at := range forms {
		words := l.Table[at]
		if words == stem {
			words = ""
		}
		b = appendString(b, words)
	}
	w := bitWriter{out: b}
	last := uint32(0)
	var gaps [blockSize]uint32
	for from := 0; from < len(l.Numbers); from += blockSize {
		to := min(from+blockSize, len(l.Numbers))
		for i, n := range l.Numbers[from:to] {
			gaps[i] = n - last
			last = n + 1
		}
		w.rice(gaps[:to-from])
		if len(weights) > 1 {
			w.rice(weightRanks[from:to])
		}
		if len(forms) > 1 {
			w.rice(formRanks[from:to])
		}
	}
	return w.out
}

// byFrequency returns the values below n, the most frequent first, and the rank of each value. Most lists are
// short, so it takes no memory for values that fit into a byte.
func byFrequency[T byte | uint16](values []T, n int, less func(a, b int) bool) (ranks []uint32, order []int) {
	var bytes [256]uint32
	counts := bytes[:]
	if n > len(bytes) {
		counts = make([]uint32, n)
	}
	for _, v := range values {
		if counts[v]++; counts[v] == 1 {
			order = append(order, int(v))
		}
	}
	if len(order) < 2 {
		return nil, order
	}
	sort.Slice(order, func(i, j int) bool {
		if a, b := counts[order[i]], counts[order[j]]; a != b {
			return a > b
		}
		return less(order[i], order[j])
	})
	for rank, v := range order {
		counts[v] = uint32(rank)
	}
	return slice.Map(values, func(v T) uint32 { return counts[v] }), order
}

// decodeList decodes the list of a stem in a segment of a number of documents. It returns
// ErrDamaged if the bytes are no such list.
func decodeList(body []byte, stem string, docs int) (l List, err error) {
	p := parser{in: body}
	count := p.uint()
	weights := p.bytes(p.uint())
	l.Table = make([]string, p.readCount(1))
	for i := range l.Table {
		if l.Table[i] = p.string(); l.Table[i] == "" {
			l.Table[i] = stem
		}
	}
	if p.bad || count > uint64(docs) || count == 0 || len(weights) > 256 || len(l.Table) > maxForms ||
		(len(weights) > 0) != (len(l.Table) > 0) {
		return List{}, ErrDamaged
	}
	l.Numbers = make([]uint32, count)
	if len(weights) > 0 {
		l.Weights = make([]byte, count)
	}
	if len(l.Table) > 1 {
		l.Forms = make([]uint16, count)
	}
	r := bitReader{in: p.in}
	last := uint64(0)
	var ranks [blockSize]uint32
	for from := 0; from < len(l.Numbers); from += blockSize {
		block := ranks[:min(blockSize, len(l.Numbers)-from)]
		r.rice(block)
		for i, gap := range block {
			last += uint64(gap)
			l.Numbers[from+i] = uint32(last)
			last++
		}
		if last > uint64(docs) || !l.decodeRanks(&r, from, block, weights) {
			return List{}, ErrDamaged
		}
	}
	return l, nil
}

// decodeRanks reads the weights and forms of a block. It returns false if they are damaged.
func (l *List) decodeRanks(r *bitReader, from int, block []uint32, weights []byte) bool {
	switch {
	case len(weights) == 1:
		for i := range block {
			l.Weights[from+i] = weights[0]
		}
	case len(weights) > 1:
		r.rice(block)
		for i, rank := range block {
			if int(rank) >= len(weights) {
				return false
			}
			l.Weights[from+i] = weights[rank]
		}
	}
	if l.Forms != nil {
		r.rice(block)
		for i, rank := range block {
			if int(rank) >= len(l.Table) {
				return false
			}
			l.Forms[from+i] = uint16(rank)
		}
	}
	return !r.bad
}

// Words returns the written words of the i-th document, joined by blanks.
func (l *List) Words(i int) string {
	if l.Forms == nil {
		return l.Table[0]
	}
	return l.Table[l.Forms[i]]
}
