package segment

import (
	"bytes"
	"maps"
	"slices"
	"sort"
	"strings"
)

// Document is the text of an entry in one space.
type Document struct {
	Space   string
	Locale  string // which words of the dictionary are its own
	ID      [idBytes]byte
	Version uint32 // of the entry; 0 if it is not known
	Terms   []Term
	Index   string   // the name of the index that Filters belong to
	Filters []string // values of filters, each once
}

// Term is a stem of a document.
type Term struct {
	Stem   string
	Weight byte
	Words  string // as written: sorted, joined by blanks
}

// Build writes the segment of some documents. It sorts them.
func Build(id ID, docs []Document, put func(Page) error) (*Built, error) {
	sort.Slice(docs, func(i, j int) bool {
		if docs[i].Space != docs[j].Space {
			return docs[i].Space < docs[j].Space
		}
		return bytes.Compare(docs[i].ID[:], docs[j].ID[:]) < 0
	})
	w := NewWriter(id, put)
	lists, tables := map[string]*List{}, map[string]map[string]uint16{}
	words := map[[2]string]string{} // the order of an entry, and its key, to the stem
	for n := range docs {
		d := &docs[n]
		w.document(d.Space, d.ID, d.Version)
		for _, t := range d.Terms {
			key := StemKey(d.Locale, t.Stem)
			l := lists[key]
			if l == nil {
				l = &List{}
				lists[key], tables[key] = l, map[string]uint16{}
			}
			l.addPosting(uint32(n), t.Weight, t.Words, tables[key])
			for word := range strings.FieldsSeq(t.Words) {
				if word != t.Stem {
					e := Entry{Key: StemKey(d.Locale, word), Stem: t.Stem}
					words[[2]string{e.order(), e.Key}] = t.Stem
				}
			}
		}
		for _, value := range d.Filters {
			key := FilterKey(d.Index, value)
			if lists[key] == nil {
				lists[key] = &List{}
			}
			lists[key].Numbers = append(lists[key].Numbers, uint32(n))
		}
	}
	orders := make([][2]string, 0, len(lists)+len(words))
	for key := range lists {
		orders = append(orders, [2]string{key, key})
	}
	orders = slices.AppendSeq(orders, maps.Keys(words))
	sort.Slice(orders, func(i, j int) bool { return orders[i][0] < orders[j][0] })
	for _, o := range orders {
		if stem, ok := words[o]; ok {
			w.word(o[1], stem)
		} else {
			w.list(o[1], lists[o[1]])
		}
	}
	return w.finishSegment()
}

// addPosting adds a posting with a higher number than all before. table has the indexes of Table.
func (l *List) addPosting(number uint32, weight byte, words string, table map[string]uint16) {
	at, ok := table[words]
	if !ok {
		if len(l.Table) == maxForms { // beyond this many sets, a document is found by its stem only
			at = 0
		} else {
			at = uint16(len(l.Table))
			table[words], l.Table = at, append(l.Table, words)
		}
	}
	l.Numbers, l.Weights, l.Forms = append(l.Numbers, number), append(l.Weights, weight), append(l.Forms, at)
}
