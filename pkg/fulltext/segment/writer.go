package segment

import (
	"encoding/binary"
	"hash/crc32"
	"strings"
)

// Writer writes a segment: first the ids of its documents in the order of their numbers, then the
// dictionary in order. It hands over each page as soon as that is full, so a segment of any size
// takes little memory. Equal calls give equal pages.
type Writer struct {
	h    Header
	put  func(Page) error
	held []Page // while the segment may fit into one page
	size int    // of held
	err  error

	ids, lists []byte
	dict       []byte
	key        string // of the last entry of dict
	order      string // of the last entry
}

// NewWriter starts a segment. put stores a page, and may be called until Header was.
func NewWriter(id ID, put func(Page) error) *Writer { return &Writer{h: Header{ID: id}, put: put} }

func (w *Writer) emit(s Section, n int, body []byte) {
	if w.err != nil {
		return
	}
	if w.held != nil || w.size == 0 {
		w.held = append(w.held, seal(s, n, body))
		if w.size += len(body); w.size <= room {
			return
		}
		for _, p := range w.held {
			if w.err == nil {
				w.err = w.put(p)
			}
		}
		w.held = nil
		return
	}
	w.err = w.put(seal(s, n, body))
}

// document adds the next document. Documents are sorted by space and id.
func (w *Writer) document(space string, id [idBytes]byte, version uint32) {
	n := len(w.h.Spaces)
	if n == 0 || w.h.Spaces[n-1].Name != space {
		w.h.Spaces = append(w.h.Spaces, Space{Name: space, First: w.h.Docs})
		n++
	}
	w.h.Spaces[n-1].Count++
	if w.h.Docs%w.h.perPage() == 0 {
		w.endIDs()
		w.h.firstIDs = append(w.h.firstIDs, binary.BigEndian.Uint64(id[:]))
	}
	w.ids = binary.BigEndian.AppendUint32(append(w.ids, id[:]...), version)
	w.h.Docs++
}

func (w *Writer) endIDs() {
	if len(w.ids) > 0 {
		w.emit(IDs, len(w.h.firstIDs)-1, w.ids)
		w.ids = nil
	}
}

// word adds a written word that leads to its stem.
func (w *Writer) word(key, stem string) { w.addEntry(Entry{Key: key, Stem: stem}) }

// list adds the list of a stem or of a value of a filter.
func (w *Writer) list(key string, l *List) {
	_, stem, _ := strings.Cut(key, "\x00")
	e := Entry{Key: key}
	for i, words := range l.Table {
		if words == stem || hasWord(words, stem) && (l.Forms == nil || uses(l.Forms, i)) {
			e.Self = true
			break
		}
	}
	body := l.encode(stem)
	if len(body) <= maxInline {
		e.Inline = body
	} else {
		e.Offset, e.Length = w.h.listBytes, len(body)
		w.h.listBytes += len(body)
		w.lists = append(w.lists, body...)
		for len(w.lists) >= room {
			w.emit(Lists, w.h.listBytes/room-len(w.lists)/room, w.lists[:room:room])
			w.lists = append([]byte(nil), w.lists[room:]...)
		}
	}
	w.addEntry(e)
}

func uses(forms []uint16, i int) bool {
	for _, f := range forms {
		if int(f) == i {
			return true
		}
	}
	return false
}

func hasWord(words, word string) bool {
	for w := range strings.FieldsSeq(words) {
		if w == word {
			return true
		}
	}
	return false
}

func (w *Writer) addEntry(e Entry) {
	order := e.order()
	next := e.append(w.dict, w.key)
	if len(w.dict) > 0 && len(next) > room {
		w.emit(Dict, len(w.h.separators)-1, w.dict)
		w.dict, w.key = nil, ""
		next = e.append(nil, "")
	}
	if len(w.dict) == 0 {
		w.h.separators = append(w.h.separators, order[:min(sharedPrefix(w.order, order)+1, len(order))])
	}
	w.dict, w.key, w.order = next, e.Key, order
}

// finishSegment ends the segment and returns its header, without kills and taken rows.
func (w *Writer) finishSegment() (*Built, error) {
	w.endIDs()
	if len(w.lists) > 0 {
		w.emit(Lists, w.h.listBytes/room, w.lists)
	}
	if len(w.dict) > 0 {
		w.emit(Dict, len(w.h.separators)-1, w.dict)
	}
	return &Built{Header: w.h, held: w.held, put: w.put}, w.err
}

// Built is a segment whose pages, but for the header, are written.
type Built struct {
	Header
	held []Page
	put  func(Page) error
}

// Finish writes the header with the kills and taken rows that are set now, and returns its number
// of pages. It may be called again after these changed, as long as nobody knows the segment.
func (b *Built) Finish() (pages int, err error) {
	h := b.Header
	var body []byte
	if b.held != nil {
		h.inline = map[Section][]byte{}
		for _, p := range b.held {
			h.inline[p.Section] = p.Body[:len(p.Body)-crc32.Size]
		}
		body = h.encode()
	}
	if body == nil || len(body) > room { // several pages
		h.inline = nil
		for _, p := range b.held {
			if err := b.put(p); err != nil {
				return 0, err
			}
		}
		body = h.encode()
	}
	b.inline = h.inline
	for len(body) > 0 {
		part := body[:min(room, len(body))]
		if err := b.put(seal(Head, pages, part)); err != nil {
			return pages, err
		}
		body, pages = body[len(part):], pages+1
	}
	return pages, nil
}
