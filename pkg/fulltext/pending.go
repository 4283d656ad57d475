package fulltext

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/db"
	"headless/pkg/fulltext/segment"
	"headless/pkg/table"
)

// Change is the text of an entry after a change, and what filters of a search find it by. The zero
// value removes the entry.
type Change struct {
	Texts   []IndexedText
	Filters []string
	Version uint32 // of the entry; 0 if it is not known
}

// Put writes the pending row of a change in the transaction of that. isNew says that the entry is
// new and that no pending row of it can exist; the commit fails if there is one. A search and a
// flush then need not look for former texts of the entry.
func Put(t *db.Tx, name string, id uuid.UUID, c Change, isNew bool) {
	body := []byte(fmt.Sprintf("%c%d\n", kindOf(isNew), t.Time.Unix()) + c.encode())
	item := table.Item{Key: pendingKey(name, id), Version: rand.Int64(), Body: t.DB.PackWaiting(body)}
	if isNew {
		t.Create(item, db.ErrOvertaken)
	} else {
		t.Put(item)
	}
}

func kindOf(isNew bool) byte {
	if isNew {
		return 'n'
	}
	return 'c'
}

// Marks that begin a line of an encoded change: the name of a space, before the terms of its text,
// one per line; and the values of filters, joined by blanks. The version comes as one of these, since
// a function that is being replaced by a newer one takes it for one.
const (
	spaceMark   = "\x02"
	filterMark  = "\x03"
	versionMark = "\x04"
)

// encode returns a change in a form that is small and fast to decode, since every search reads it.
func (c *Change) encode() string {
	var b strings.Builder
	b.WriteString(filterMark + strings.Join(c.Filters, " ") + " " + versionMark +
		strconv.FormatUint(uint64(c.Version), 10) + "\n")
	for _, x := range c.Texts {
		b.WriteString(spaceMark + x.Space + "\n")
		for _, term := range x.Terms {
			b.WriteString(term.Stem + " " + strconv.Itoa(int(term.Weight)))
			if term.Words != term.Stem {
				b.WriteString(" " + term.Words)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// row is a pending row.
type row struct {
	Change
	name    string
	id      uuid.UUID
	key     table.Key
	version int64
	isNew   bool
	at      int64 // Unix seconds of the change
	size    int   // stored bytes
}

func decodeRow(item *table.Item) (*row, error) {
	raw, err := db.UnpackBytes(item.Body)
	if err != nil {
		return nil, err
	}
	r := &row{key: item.Key, version: item.Version, size: len(item.Body)}
	r.name, r.id = pendingOf(item.Key)
	first, lines, _ := strings.Cut(string(raw), "\n")
	if r.at, err = strconv.ParseInt(first[min(1, len(first)):], 10, 64); err != nil {
		return nil, fmt.Errorf("fulltext: damaged pending row: %w", err)
	}
	r.isNew = first[0] == kindOf(true)
	for lines != "" {
		var line string
		line, lines, _ = strings.Cut(lines, "\n")
		if space, ok := strings.CutPrefix(line, spaceMark); ok {
			r.Texts = append(r.Texts, IndexedText{Space: space})
			continue
		}
		if values, ok := strings.CutPrefix(line, filterMark); ok {
			values, version, _ := strings.Cut(values, versionMark)
			n, _ := strconv.ParseUint(version, 10, 32)
			r.Filters, r.Version = strings.Fields(values), uint32(n)
			continue
		}
		stem, rest, _ := strings.Cut(line, " ")
		weight, words, more := strings.Cut(rest, " ")
		w, err := strconv.ParseUint(weight, 10, 8)
		if err != nil || len(r.Texts) == 0 {
			return nil, fmt.Errorf("fulltext: damaged pending row: %q", line)
		}
		if !more {
			words = stem
		}
		x := &r.Texts[len(r.Texts)-1]
		x.Terms = append(x.Terms, segment.Term{Stem: stem, Weight: byte(w), Words: words})
	}
	return r, nil
}

// documents returns the documents of a pending row.
func (r *row) documents() (docs []segment.Document) {
	for _, x := range r.Texts {
		docs = append(docs, segment.Document{Space: x.Space, Locale: dictionaryOf(x.Space), ID: r.id, Version: r.Version,
			Terms: x.Terms, Index: r.name, Filters: r.Filters})
	}
	return docs
}

// term returns the term of a stem in a text; ok is false if it has none.
func (x *IndexedText) term(stem string) (t segment.Term, ok bool) {
	i, ok := slices.BinarySearchFunc(x.Terms, stem,
		func(t segment.Term, stem string) int { return cmp.Compare(t.Stem, stem) })
	if !ok {
		return t, false
	}
	return x.Terms[i], true
}

// readRows reads the pending rows of some indexes, strongly; of all if names is nil.
func (s *Texts) readRows(ctx context.Context, names []string) ([]*row, error) {
	items, err := s.readItems(ctx, names)
	rows := make([]*row, len(items))
	for i := range items {
		if rows[i], err = decodeRow(&items[i]); err != nil {
			return nil, err
		}
	}
	return rows, err
}

// readItems is readRows without decoding, which takes much longer.
func (s *Texts) readItems(ctx context.Context, names []string) (items []table.Item, err error) {
	ranges := map[table.Range]bool{}
	for _, name := range names {
		for _, p := range PendingPartitions(name) {
			ranges[table.Range{Partition: p, Prefix: pendingPrefix(name)}] = true
		}
	}
	if len(names) == 0 || len(ranges) > pendingPartitions {
		clear(ranges)
		for n := range pendingPartitions {
			ranges[table.Range{Partition: pendingPartition(n)}] = true
		}
	}
	found := make([][]table.Item, 0, len(ranges))
	g, gctx := errgroup.WithContext(ctx)
	for r := range ranges {
		found = append(found, nil)
		into := &found[len(found)-1]
		g.Go(func() (err error) { *into, err = s.Table.Query(gctx, r); return err })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Concat(found...), func(item table.Item) bool {
		name, _ := pendingOf(item.Key)
		return names != nil && !slices.Contains(names, name)
	}), nil
}

// storedBytes returns the size of rows.
func storedBytes(items []table.Item) (size int) {
	for i := range items {
		size += len(items[i].Body)
	}
	return size
}
