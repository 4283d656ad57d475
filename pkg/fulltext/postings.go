package fulltext

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/table"
)

// A list of postings is kept in blocks: items that hold the postings of consecutive ids. The key of
// a block names the first id that belongs to it, that of the first block names none; a block ends
// where the next one begins.

// Posting is one entry in the list of a term.
type Posting struct {
	ID     uuid.UUID
	Weight uint16
	Words  string // as written, joined by blanks
}

func PostingOrder(a, b Posting) int { return bytes.Compare(a.ID[:], b.ID[:]) }

// maxBlock is the size of a block's body: with its key it takes one write unit.
const maxBlock = 900

// split marks the first block of a list that has others, in its Version.
const split = 1

// encodeBlock packs postings; words that are just the stem are left out.
func encodeBlock(list []Posting, stem string) []byte {
	var body []byte
	for _, p := range list {
		words := p.Words
		if words == stem {
			words = ""
		}
		body = append(body, p.ID[:]...)
		body = binary.BigEndian.AppendUint16(body, p.Weight)
		body = binary.AppendUvarint(body, uint64(len(words)))
		body = append(body, words...)
	}
	return body
}

var errBlock = errors.New("store: damaged block of postings")

// appendBlock reads the postings of a block.
func appendBlock(list []Posting, body []byte, stem string) ([]Posting, error) {
	const fixed = 16 + 2
	text := string(body)
	for at := 0; at < len(body); {
		if len(body)-at < fixed {
			return nil, errBlock
		}
		p := Posting{Weight: binary.BigEndian.Uint16(body[at+16:]), Words: stem}
		copy(p.ID[:], body[at:])
		n, size := binary.Uvarint(body[at+fixed:])
		at += fixed + size
		if size <= 0 || n > uint64(len(body)-at) {
			return nil, errBlock
		}
		if n > 0 {
			p.Words = text[at : at+int(n)]
		}
		at += int(n)
		list = append(list, p)
	}
	return list, nil
}

// sizeIn is about what a posting takes in a block.
func (p *Posting) sizeIn(stem string) int {
	if p.Words == stem {
		return 16 + 2 + 1
	}
	return 16 + 2 + 1 + len(p.Words)
}

// maxBlocks is how many blocks of a list a search reads: those with the newest entries. See probe
// for the others.
const maxBlocks = 2_000

// Postings reads the list of a stem, by id; truncated tells that there are more.
func (s *Texts) Postings(ctx context.Context, space, stem string) (list []Posting, truncated bool,
	err error) {
	prefix := BlockPrefix(space, stem)
	blocks, err := s.Table.Query(ctx, table.Range{Partition: prefix.Partition, Prefix: prefix.Sort,
		Reverse: true, Limit: s.maxBlocks})
	if err != nil {
		return nil, false, err
	}
	list = make([]Posting, 0, 40*len(blocks))
	for _, block := range slices.Backward(blocks) {
		if list, err = appendBlock(list, block.Body, stem); err != nil {
			return nil, false, err
		}
	}
	return list, len(blocks) == s.maxBlocks, nil
}

// listChange is what becomes of an entry in a list.
type listChange struct {
	Posting
	gone bool
}

// applied gives the list with the changes, which are by id.
func applied(list []Posting, changes []listChange) []Posting {
	next := make([]Posting, 0, len(list)+len(changes))
	for _, c := range changes {
		i, held := slices.BinarySearchFunc(list, c.Posting, PostingOrder)
		next = append(next, list[:i]...)
		if list = list[i:]; held {
			list = list[1:]
		}
		if !c.gone {
			next = append(next, c.Posting)
		}
	}
	return append(next, list...)
}

// pieces cuts a list so that each piece fits in a block: in halves, but full ones where a list
// grows at its end. All of them fit in one Write: of two neighbours, one is over half of the limit.
func pieces(list []Posting, stem string, grows bool) [][]Posting {
	total := 0
	for i := range list {
		total += list[i].sizeIn(stem)
	}
	if total <= maxBlock {
		return [][]Posting{list}
	}
	limit := total/2 + 1
	if grows || total > 2*maxBlock {
		limit = max(maxBlock, total/(table.MaxOps/2-1))
	}
	var cut [][]Posting
	from, size := 0, 0
	for i := range list {
		if size += list[i].sizeIn(stem); size > limit && i > from {
			cut = append(cut, list[from:i])
			from, size = i, list[i].sizeIn(stem)
		}
	}
	return append(cut, list[from:])
}

// listWrites are the writes that bring changes into lists.
type listWrites struct {
	splits [][]table.Item // the blocks that one becomes, to be stored together
	puts   []table.Item
	empty  []table.Key
}

// list is the list of a term with the changes to be made in it.
type list struct {
	ListName
	changes []listChange // by id
}

// apply changes a list, whose first block was read, nil where there is none.
func (w *listWrites) apply(ctx context.Context, s *Texts, l list, first *table.Item) error {
	if first == nil {
		first = &table.Item{Key: BlockPrefix(l.Space, l.Stem)}
	}
	if first.Version != split {
		return w.change(l, first, l.changes)
	}
	// From the end on, block by block.
	for changes := l.changes; len(changes) > 0; {
		block, err := s.blockOf(ctx, l, changes[len(changes)-1].ID)
		if err != nil {
			return err
		}
		from := 0
		if block == nil {
			block = first
		} else if prefix := BlockPrefix(l.Space, l.Stem); len(block.Sort) > len(prefix.Sort) {
			from = indexFrom(changes, block.Sort[len(prefix.Sort):])
		}
		if err := w.change(l, block, changes[from:]); err != nil {
			return err
		}
		changes = changes[:from]
	}
	return nil
}

// indexFrom is where the changes from an id on begin.
func indexFrom(changes []listChange, id string) int {
	i, _ := slices.BinarySearchFunc(changes, id,
		func(c listChange, id string) int { return strings.Compare(string(c.ID[:]), id) })
	return i
}

// blockOf reads the block that an entry belongs to.
func (s *Texts) blockOf(ctx context.Context, l list, id uuid.UUID) (*table.Item, error) {
	prefix, key := BlockPrefix(l.Space, l.Stem), blockKey(l.Space, l.Stem, id)
	blocks, err := s.Table.Query(ctx, table.Range{Partition: key.Partition, From: prefix.Sort,
		To: key.Sort + "\x00", Reverse: true, Limit: 1})
	if err != nil || len(blocks) == 0 {
		return nil, err
	}
	return &blocks[0], nil
}

// change changes one block.
func (w *listWrites) change(l list, block *table.Item, changes []listChange) error {
	held, err := appendBlock(nil, block.Body, l.Stem)
	if err != nil {
		return err
	}
	next, prefix := applied(held, changes), BlockPrefix(l.Space, l.Stem)
	if len(next) == 0 && block.Key == prefix && block.Version != split {
		w.empty = append(w.empty, block.Key)
		return nil
	}
	grows := len(held) == 0 || PostingOrder(held[len(held)-1], changes[0].Posting) < 0
	parts := pieces(next, l.Stem, grows)
	first := table.Item{Key: block.Key, Version: block.Version, Body: encodeBlock(parts[0], l.Stem)}
	if len(parts) == 1 {
		if !bytes.Equal(first.Body, block.Body) {
			w.puts = append(w.puts, first)
		}
		return nil
	}
	if block.Key == prefix {
		first.Version = split
	}
	blocks := []table.Item{first}
	for _, part := range parts[1:] {
		blocks = append(blocks, table.Item{Key: blockKey(l.Space, l.Stem, part[0].ID),
			Body: encodeBlock(part, l.Stem)})
	}
	w.splits = append(w.splits, blocks)
	return nil
}

func (w *listWrites) add(more listWrites) {
	w.splits, w.puts, w.empty = append(w.splits, more.splits...), append(w.puts, more.puts...),
		append(w.empty, more.empty...)
}

// store writes what was gathered, in any order: each write alone leaves lists that hold what they
// held or shall hold.
func (w *listWrites) store(ctx context.Context, t table.Table) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(mergeParallel)
	g.Go(func() error { return t.BatchWrite(ctx, w.puts, w.empty) })
	var together []table.Op
	write := func() {
		ops := together
		g.Go(func() error { return t.Write(ctx, ops) })
		together = nil
	}
	for _, blocks := range w.splits {
		if len(together)+len(blocks) > table.MaxOps {
			write()
		}
		for _, block := range blocks {
			together = append(together, table.Op{Kind: table.Put, Item: block})
		}
	}
	if len(together) > 0 {
		write()
	}
	return g.Wait()
}
