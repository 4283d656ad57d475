package segment

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"
	"sort"
	"strings"
)

// ID identifies a segment. Ids are random and never used again.
type ID uint64

// Section is a part of a segment.
type Section byte

// The sections. A segment that fits into one page has only a header page.
const (
	Head  Section = 'h'
	Dict  Section = 'd'
	Lists Section = 'p'
	IDs   Section = 'i'
)

// Page is a page of a segment, as it is stored.
type Page struct {
	Section Section
	N       int
	Body    []byte
}

const (
	version     = 2
	unversioned = 1 // as version, with ids alone
	// PageBytes is the maximum size of a page: with its key it takes one strong read unit.
	PageBytes    = 4040
	room         = PageBytes - crc32.Size
	idBytes      = 16
	versionBytes = 4
)

// checksum asks for the table, which is made once, because not every process needs it.
func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// seal returns the page with the checksum at its end.
func seal(section Section, n int, body []byte) Page {
	body = binary.BigEndian.AppendUint32(body[:len(body):len(body)], checksum(body))
	return Page{section, n, body}
}

// Open returns the content of a page, without its checksum. It returns ErrDamaged if that is wrong.
func Open(page []byte) ([]byte, error) {
	n := len(page) - crc32.Size
	if n < 0 || checksum(page[:n]) != binary.BigEndian.Uint32(page[n:]) {
		return nil, ErrDamaged
	}
	return page[:n], nil
}

// Space is a range of the documents of a segment: those of one space.
type Space struct {
	Name         string
	First, Count int
}

// Row identifies a pending row whose document a segment has.
type Row struct {
	Name    string // of the index
	ID      [idBytes]byte
	Version int64
}

// Header describes a segment. It is read whole.
type Header struct {
	ID     ID
	Docs   int
	Spaces []Space         // sorted by name
	Kills  map[ID][]uint32 // numbers of documents that this segment replaces or removes, by segment
	Taken  []Row           // the pending rows that the segment was made from

	separators []string // the shortest key that separates each dictionary page from the one before
	listBytes  int
	bare       bool     // pages of ids have no versions
	firstIDs   []uint64 // the first bytes of the first id of each page
	inline     map[Section][]byte
}

// encode returns the header, with the sections of a segment that fits into one page.
func (h *Header) encode() []byte {
	b := []byte{version, byte(min(len(h.inline), 1))}
	for _, s := range inlined {
		if h.inline != nil {
			b = binary.AppendUvarint(b, uint64(len(h.inline[s])))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(h.Spaces)))
	for _, s := range h.Spaces {
		b = binary.AppendUvarint(appendString(b, s.Name), uint64(s.Count))
	}
	b = binary.AppendUvarint(b, uint64(len(h.separators)))
	before := ""
	for _, s := range h.separators {
		b, before = appendFront(b, before, s), s
	}
	b = binary.AppendUvarint(b, uint64(h.listBytes))
	for _, id := range h.firstIDs {
		b = binary.BigEndian.AppendUint64(b, id)
	}
	b = binary.AppendUvarint(b, uint64(len(h.Kills)))
	// Not slices.Sorted: its code for numbers of this size would be 5 KB of each function.
	killed := slices.Collect(maps.Keys(h.Kills))
	sort.Slice(killed, func(i, j int) bool { return killed[i] < killed[j] })
	for _, id := range killed {
		b = binary.BigEndian.AppendUint64(b, uint64(id))
		b = binary.AppendUvarint(b, uint64(len(h.Kills[id])))
		last := uint32(0)
		for _, n := range h.Kills[id] {
			b, last = binary.AppendUvarint(b, uint64(n-last)), n
		}
	}
	b = appendTaken(b, h.Taken)
	for _, s := range inlined {
		b = append(b, h.inline[s]...)
	}
	return b
}

var inlined = [...]Section{Dict, Lists, IDs}

func appendTaken(b []byte, rows []Row) []byte {
	b = binary.AppendUvarint(b, uint64(len(rows)))
	name := ""
	for _, r := range rows {
		b, name = appendFront(b, name, r.Name), r.Name
		b = binary.BigEndian.AppendUint64(append(b, r.ID[:]...), uint64(r.Version))
	}
	return b
}

// ParseHeader decodes the header of a segment from all its header pages.
func ParseHeader(id ID, pages ...[]byte) (*Header, error) {
	var body []byte
	for _, page := range pages {
		content, err := Open(page)
		if err != nil {
			return nil, err
		}
		body = append(body, content...)
	}
	if len(body) < 2 || body[0] != version && body[0] != unversioned {
		return nil, ErrDamaged
	}
	h, p := &Header{ID: id, bare: body[0] == unversioned}, &parser{in: body[2:]}
	var sizes [len(inlined)]uint64
	for i := range inlined {
		if body[1] == 1 {
			sizes[i] = p.uint()
		}
	}
	h.parse(p)
	if body[1] == 1 {
		h.inline = map[Section][]byte{}
		for i, s := range inlined {
			h.inline[s] = p.bytes(sizes[i])
		}
	}
	if p.bad || len(p.in) > 0 {
		return nil, ErrDamaged
	}
	return h, nil
}

func (h *Header) parse(p *parser) {
	const most = 1 << 30 // documents, and bytes of lists
	for range p.readCount(2) {
		s := Space{Name: p.string(), First: h.Docs, Count: int(min(p.uint(), most))}
		h.Spaces, h.Docs = append(h.Spaces, s), h.Docs+s.Count
		p.bad = p.bad || h.Docs > most || s.Count == 0
	}
	before := ""
	for range p.readCount(2) {
		before = p.front(before)
		h.separators = append(h.separators, before)
	}
	p.bad = p.bad || !slices.IsSorted(h.separators)
	h.listBytes = int(min(p.uint(), most))
	ids := p.bytes(uint64((h.Docs + h.perPage() - 1) / h.perPage() * 8))
	for ; len(ids) > 0; ids = ids[8:] {
		h.firstIDs = append(h.firstIDs, binary.BigEndian.Uint64(ids))
	}
	n := p.readCount(idBytes/2 + 1)
	h.Kills = make(map[ID][]uint32, n)
	for range n {
		if raw := p.bytes(8); raw != nil {
			h.Kills[ID(binary.BigEndian.Uint64(raw))] = p.gaps()
		}
	}
	h.Taken = make([]Row, p.readCount(2+idBytes+8))
	name := ""
	for i := range h.Taken {
		r := &h.Taken[i]
		name = p.front(name)
		r.Name = name
		copy(r.ID[:], p.bytes(idBytes))
		if raw := p.bytes(8); raw != nil {
			r.Version = int64(binary.BigEndian.Uint64(raw))
		}
	}
}

// gaps reads ascending numbers.
func (p *parser) gaps() []uint32 {
	list := make([]uint32, p.readCount(1))
	last := uint64(0)
	for i := range list {
		last += p.uint()
		if last > 1<<32-1 {
			p.bad = true
			return nil
		}
		list[i] = uint32(last)
	}
	return list
}

// Inline returns the content of a page that is stored in the header, if the segment has one page.
func (h *Header) Inline(s Section) (body []byte, ok bool) {
	body, ok = h.inline[s]
	return body, ok
}

// In returns the documents of a space; ok is false if there are none.
func (h *Header) In(space string) (s Space, ok bool) {
	i, ok := slices.BinarySearchFunc(h.Spaces, space,
		func(s Space, name string) int { return strings.Compare(s.Name, name) })
	if !ok {
		return Space{}, false
	}
	return h.Spaces[i], true
}

// Of returns the spaces whose names begin with a prefix.
func (h *Header) Of(prefix string) []Space {
	from := sort.Search(len(h.Spaces), func(i int) bool { return h.Spaces[i].Name >= prefix })
	to := from
	for to < len(h.Spaces) && strings.HasPrefix(h.Spaces[to].Name, prefix) {
		to++
	}
	return h.Spaces[from:to]
}

// DictPages returns the dictionary pages, from..to-1, that may have the keys between lo, inclusive,
// and hi, exclusive.
func (h *Header) DictPages(lo, hi string) (from, to int) {
	from = sort.Search(len(h.separators), func(i int) bool { return h.separators[i] > lo })
	to = sort.Search(len(h.separators), func(i int) bool { return h.separators[i] >= hi })
	return max(0, from-1), max(to, max(0, from-1))
}

// ListPages returns the pages of lists, from..to-1, that hold a stored list.
func (h *Header) ListPages(at Entry) (from, to int) {
	return at.Offset / room, (at.Offset + at.Length + room - 1) / room
}

// Pages returns how many pages a section has, besides the header.
func (h *Header) Pages(s Section) int {
	if h.inline != nil {
		return 0
	}
	switch s {
	case Dict:
		return len(h.separators)
	case Lists:
		return (h.listBytes + room - 1) / room
	case IDs:
		return len(h.firstIDs)
	}
	return 0
}

// IDPage returns the page that holds the id of a document.
func (h *Header) IDPage(number int) int { return number / h.perPage() }

// perPage returns how many documents a page of ids has.
func (h *Header) perPage() int { return room / h.docBytes() }

// docBytes returns how many bytes each has there.
func (h *Header) docBytes() int {
	if h.bare {
		return idBytes
	}
	return idBytes + versionBytes
}

// IDIn returns the id of a document from its page, and the version of its entry; 0 if that is not known.
func (h *Header) IDIn(page []byte, number int) (id [idBytes]byte, version uint32, err error) {
	at := number % h.perPage() * h.docBytes()
	if at+h.docBytes() > len(page) {
		return id, 0, ErrDamaged
	}
	if !h.bare {
		version = binary.BigEndian.Uint32(page[at+idBytes:])
	}
	return [idBytes]byte(page[at:]), version, nil
}

// Near returns the documents lo..hi-1 of a space among which is the first whose id is at least id; it
// is hi if none of them is.
func (h *Header) Near(s Space, id [idBytes]byte) (lo, hi int) {
	first, perPage := binary.BigEndian.Uint64(id[:]), h.perPage()
	from, to := s.First/perPage, (s.First+s.Count-1)/perPage
	// Pages after the first begin with a document of the space.
	page := from + sort.Search(to-from, func(i int) bool { return h.firstIDs[from+1+i] >= first })
	last := from + sort.Search(to-from, func(i int) bool { return h.firstIDs[from+1+i] > first })
	return max(s.First, page*perPage), min(s.First+s.Count, (last+1)*perPage)
}

// Bounds returns between which values the first bytes of the id of a document of a space are.
func (h *Header) Bounds(s Space, number int) (lo, hi uint64) {
	page, perPage := h.IDPage(number), h.perPage()
	hi = 1<<64 - 1
	if page*perPage >= s.First {
		lo = h.firstIDs[page]
	}
	if page+1 < len(h.firstIDs) && (page+1)*perPage < s.First+s.Count {
		hi = h.firstIDs[page+1]
	}
	return lo, hi
}
