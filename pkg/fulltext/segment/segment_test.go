package segment

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
)

// stored is a segment in memory.
type stored map[string][]byte

func (s stored) put(p Page) error {
	if len(p.Body) > PageBytes {
		return fmt.Errorf("page %c%d has %d bytes", p.Section, p.N, len(p.Body))
	}
	s[fmt.Sprintf("%c%d", p.Section, p.N)] = p.Body
	return nil
}

func (s stored) page(section Section, n int) ([]byte, error) {
	return Open(s[fmt.Sprintf("%c%d", section, n)])
}

// header reads the header and fails the test if that is damaged.
func (s stored) header(t *testing.T, id ID) *Header {
	t.Helper()
	var pages [][]byte
	for s[fmt.Sprintf("h%d", len(pages))] != nil {
		pages = append(pages, s[fmt.Sprintf("h%d", len(pages))])
	}
	h, err := ParseHeader(id, pages...)
	must.Do(t, err)
	return h
}

func build(t *testing.T, id ID, docs []Document) stored {
	t.Helper()
	s := stored{}
	b, err := Build(id, slices.Clone(docs), s.put)
	if err == nil {
		_, err = b.Finish()
	}
	must.Do(t, err)
	return s
}

// randomDocs returns documents with distinct ids in some spaces.
func randomDocs(r *rand.Rand, n, vocabulary int) []Document {
	docs := make([]Document, n)
	for i := range docs {
		d := &docs[i]
		locale := []string{"de", "en"}[r.IntN(2)]
		d.Space = fmt.Sprintf("m%d.1#%s#%s", r.IntN(3), locale, []string{"draft", "published"}[r.IntN(2)])
		d.Locale, d.Index, d.ID, d.Version = locale, "m1.1", randomID(r), uint32(r.IntN(3))*r.Uint32()
		stems := map[string]bool{}
		for range 1 + r.IntN(20) {
			stems[fmt.Sprintf("w%d", min(r.IntN(vocabulary), r.IntN(vocabulary)))] = true
		}
		for stem := range stems {
			words := []string{stem, stem + "s", "x" + stem + "s " + stem, stem + "ed " + stem + "ing"}[r.IntN(4)]
			d.Terms = append(d.Terms, Term{stem, byte(r.IntN(256)), words})
		}
		if r.IntN(2) == 0 {
			d.Filters = []string{fmt.Sprint("v=", r.IntN(5))}
		}
	}
	return docs
}

func randomID(r *rand.Rand) (id [idBytes]byte) {
	for i := range id {
		id[i] = byte(r.IntN(256))
	}
	return id
}

// contents returns all documents of a segment as strings, from its lists and its ids.
func contents(t *testing.T, s stored, h *Header) []string {
	t.Helper()
	in := Input{Header: h, Page: s.page}
	lines := []string{}
	name := func(n uint32) string {
		page, err := in.page(IDs, h.IDPage(int(n)))
		must.Do(t, err)
		id, version, err := h.IDIn(page, int(n))
		must.Do(t, err)
		for _, space := range h.Spaces {
			if int(n) < space.First+space.Count {
				return fmt.Sprintf("%s %x.%d", space.Name, id, version)
			}
		}
		return "no space"
	}
	c := dictCursor{in: &in}
	for err := c.nextKey(); c.order != ""; err = c.nextKey() {
		must.Do(t, err)
		e := c.entries[0]
		if e.Stem != "" {
			continue
		}
		l, err := h.List(e, func(n int) ([]byte, error) { return in.page(Lists, n) })
		must.Do(t, err)
		for i, n := range l.Numbers {
			line := fmt.Sprintf("%q %s", e.Key, name(n))
			if l.Weights != nil {
				line += fmt.Sprintf(" %d %s", l.Weights[i], l.Words(i))
			}
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}

func expected(docs []Document) []string {
	lines := []string{}
	for _, d := range docs {
		for _, t := range d.Terms {
			lines = append(lines, fmt.Sprintf("%q %s %x.%d %d %s", StemKey(d.Locale, t.Stem), d.Space, d.ID,
				d.Version, t.Weight, t.Words))
		}
		for _, v := range d.Filters {
			lines = append(lines, fmt.Sprintf("%q %s %x.%d", FilterKey(d.Index, v), d.Space, d.ID, d.Version))
		}
	}
	slices.Sort(lines)
	return lines
}

// TestBuildAndMerge builds segments of any size and merges them, with and without documents that are
// gone.
func TestBuildAndMerge(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 3, 10, 30, 100, 300, 1000, 2000} {
		docs := randomDocs(r, size, 10+2*size)
		whole := build(t, 9, docs)
		if got := contents(t, whole, whole.header(t, 9)); !slices.Equal(got, expected(docs)) {
			t.Fatalf("%d documents: %d postings, want %d", size, len(got), len(expected(docs)))
		}
		for _, gone := range []int{0, 3} {
			merged, kept := mergeParts(t, r, docs, gone)
			if gone == 0 && !reflect.DeepEqual(merged, whole) {
				t.Errorf("%d documents: a merge gives other pages", size)
			}
			if got := contents(t, merged, merged.header(t, 9)); !slices.Equal(got, expected(kept)) {
				t.Errorf("%d documents, of which some are gone: %d postings, want %d", size, len(got),
					len(expected(kept)))
			}
		}
	}
}

// mergeParts builds parts of documents and merges them. It leaves out one of gone documents, none if
// gone is 0, and returns the others.
func mergeParts(t *testing.T, r *rand.Rand, docs []Document, gone int) (merged stored, kept []Document) {
	t.Helper()
	parts := make([][]Document, 4)
	left := map[[idBytes]byte]bool{}
	for _, d := range docs {
		at := r.IntN(len(parts))
		parts[at] = append(parts[at], d)
		if left[d.ID] = gone > 0 && r.IntN(gone) == 0; !left[d.ID] {
			kept = append(kept, d)
		}
	}
	var inputs []Input
	for i, part := range parts {
		s := build(t, ID(i), part)
		in := Input{Header: s.header(t, ID(i)), Page: s.page}
		in.Gone = func(n int) bool {
			page, err := in.page(IDs, in.IDPage(n))
			id, _, err2 := in.IDIn(page, n)
			must.Do(t, errors.Join(err, err2))
			return left[id]
		}
		inputs = append(inputs, in)
	}
	merged = stored{}
	b, _, err := Merge(9, inputs, merged.put)
	if err == nil {
		_, err = b.Finish()
	}
	must.Do(t, err)
	return merged, kept
}

// TestHeader: a header keeps kills and taken rows, also if they no longer fit into the one page.
func TestHeader(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	docs := randomDocs(r, 5, 10)
	s := stored{}
	b, err := Build(7, docs, s.put)
	must.Do(t, err)
	for _, n := range []int{0, 3, 700} {
		b.Kills = map[ID][]uint32{1: {0, 5, 1 << 31}, 1 << 63: {}}
		b.Taken = make([]Row, n)
		for i := range n {
			b.Taken[i] = Row{Name: fmt.Sprint("m.", i/100), ID: randomID(r), Version: int64(r.Uint64())}
		}
		pages, err := b.Finish()
		must.Do(t, err)
		h := s.header(t, 7)
		if !reflect.DeepEqual(h.Taken, b.Taken) || len(h.Kills) != 2 || !slices.Equal(h.Kills[1], b.Kills[1]) {
			t.Errorf("%d taken rows: %+v", n, h)
		}
		if one := n < 100; one != (pages == 1 && h.inline != nil) {
			t.Errorf("%d taken rows: %d header pages, inline %t", n, pages, h.inline != nil)
		}
		if got := contents(t, s, h); !slices.Equal(got, expected(docs)) {
			t.Errorf("%d taken rows: %q", n, got)
		}
	}
}

// TestFind: pages of ids are found by the ids, also if many begin alike.
func TestFind(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	docs := randomDocs(r, 3000, 50)
	for i := range docs {
		if r.IntN(2) == 0 {
			copy(docs[i].ID[:8], []byte{byte(r.IntN(2)), 0, 0, 0, 0, 0, 0, 0})
		}
	}
	s := build(t, 1, docs)
	h := s.header(t, 1)
	in := Input{Header: h, Page: s.page}
	found := 0
	for _, d := range docs {
		space, ok := h.In(d.Space)
		if !ok {
			t.Fatalf("no space %s", d.Space)
		}
		lo, hi := h.Near(space, d.ID)
		for n := lo; n < hi; n++ {
			page, err := in.page(IDs, h.IDPage(n))
			must.Do(t, err)
			id, _, err := h.IDIn(page, n)
			must.Do(t, err)
			if c := bytes.Compare(id[:], d.ID[:]); c >= 0 {
				if c == 0 {
					found++
				}
				break
			}
		}
	}
	if found != len(docs) {
		t.Errorf("found %d of %d", found, len(docs))
	}
}

// FuzzList: a list is decoded as it was encoded, and any bytes give a list or an error.
func FuzzList(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6}, []byte("a\x00b"))
	f.Fuzz(func(t *testing.T, raw, body []byte) {
		l, table := List{}, map[string]uint16{}
		n := uint32(0)
		for ; len(raw) > 2 && n < 1<<30; raw = raw[3:] {
			n += uint32(raw[0]) << (raw[1] % 20)
			l.addPosting(n, raw[2], strings.Repeat("x", int(raw[1]%5)+1), table)
			n++
		}
		if len(l.Numbers) > 0 {
			got, err := decodeList(l.encode("x"), "x", int(n))
			if err != nil || !slices.Equal(got.Numbers, l.Numbers) || !slices.Equal(got.Weights, l.Weights) {
				t.Fatalf("%v: %v, want %v", err, got, l)
			}
			for i := range l.Numbers {
				if got.Words(i) != l.Words(i) {
					t.Fatalf("words %q, want %q", got.Words(i), l.Words(i))
				}
			}
		}
		if got, err := decodeList(body, "x", 1000); err == nil {
			for i, n := range got.Numbers {
				if n >= 1000 || i > 0 && n <= got.Numbers[i-1] || got.Weights != nil && got.Words(i) == "" {
					t.Fatalf("%+v", got)
				}
			}
		}
	})
}

// FuzzPages changes the bytes of a header and of a dictionary page, with a right checksum: what they
// say is read without a panic.
func FuzzPages(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	docs := randomDocs(r, 40, 30)
	s := stored{}
	b, err := Build(1, docs, s.put)
	if err == nil {
		_, err = b.Finish()
	}
	must.Do(f, err)
	for _, page := range s {
		f.Add(page[:len(page)-4], 3, byte(7))
	}
	f.Fuzz(func(t *testing.T, body []byte, at int, change byte) {
		body = slices.Clone(body)
		if len(body) > 0 {
			body[uint(at)%uint(len(body))] ^= change
		}
		page := seal(Head, 0, body).Body
		if change != 0 && len(body) > 0 {
			page[uint(at)%uint(len(body))] ^= change
			if _, err := Open(page); !errors.Is(err, ErrDamaged) {
				t.Fatal("a change went unnoticed")
			}
			page[uint(at)%uint(len(body))] ^= change
		}
		h, err := ParseHeader(1, page)
		if err != nil {
			h = &Header{Docs: 100, listBytes: 5000, Spaces: []Space{{Name: "s", Count: 100}}, separators: []string{""},
				firstIDs: []uint64{0}}
		}
		read := func(s Section, n int) ([]byte, error) { return body, nil }
		in := Input{Header: h, Page: read, Gone: func(n int) bool { return n%7 == 0 }}
		for _, space := range h.Spaces {
			h.Near(space, docs[0].ID)
			h.Bounds(space, space.First)
		}
		if h.Docs < 100_000 {
			if _, _, err := Merge(2, []Input{in}, func(Page) error { return nil }); err != nil &&
				!errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
		}
	})
}
