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

// A posting list is stored in blocks: items that hold the postings of consecutive ids. The key of a
// block names its first id; the key of the first block names none. A block ends where the next one
// begins.

// Posting is one entry in the list of a term.
type Posting struct {
	ID     uuid.UUID
	Weight uint16
	Words  string // as written, joined by blanks
}

// PostingOrder compares postings by id.
func PostingOrder(a, b Posting) int { return bytes.Compare(a.ID[:], b.ID[:]) }

// maxBlock is the maximum size of a block's body in bytes: with its key it takes one write unit.
const maxBlock = 900

// split is the Version of a first block that is followed by others.
const split = 1

// encodeBlock encodes postings. It leaves out Words that equal the stem.
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

var errBlock = errors.New("fulltext: damaged block of postings")

// appendBlock decodes the postings of a block and appends them to list.
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

// sizeIn returns about how many bytes a posting takes in a block.
func (p *Posting) sizeIn(stem string) int {
	if p.Words == stem {
		return 16 + 2 + 1
	}
	return 16 + 2 + 1 + len(p.Words)
}

// Postings reads up to limit blocks of a posting list, all of them if limit is 0: those with the
// newest entries of the part that ends before the block with the sort key end, or of the whole list
// if end is empty. The postings are sorted by id. It returns the sort key of the oldest block that
// it read if there may be older ones, and how many blocks it read.
func (s *Texts) Postings(ctx context.Context, l ListName, end string, limit int) (list []Posting,
	oldest string, read int, err error) {
	prefix := BlockPrefix(l.Space, l.Stem)
	r := table.Range{Partition: prefix.Partition, Prefix: prefix.Sort, Reverse: true, Limit: limit}
	if end != "" {
		r.To = end
	}
	blocks, err := s.Table.Query(ctx, r)
	if err != nil {
		return nil, "", 0, err
	}
	list = make([]Posting, 0, 40*len(blocks))
	for _, block := range slices.Backward(blocks) {
		if list, err = appendBlock(list, block.Body, l.Stem); err != nil {
			return nil, "", 0, err
		}
	}
	if limit > 0 && len(blocks) == limit {
		oldest = blocks[limit-1].Sort
	}
	return list, oldest, len(blocks), nil
}

// listChange adds or replaces a posting in a list or, with gone set, removes it.
type listChange struct {
	Posting
	gone bool
}

// applied returns the list with the changes applied. Both are sorted by id.
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

// pieces cuts a list into pieces that each fit into a block. A block that is too full becomes two
// halves; a list that grows at its end is cut into full blocks. All pieces fit into one Write: of
// two neighbours, at least one is longer than half of the limit.
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

// listWrites are the writes that apply changes to lists.
type listWrites struct {
	splits [][]table.Item // the blocks that one block is split into, to be stored in one Write
	puts   []table.Item
	empty  []table.Key
}

// list is the posting list of a term with the changes to apply to it.
type list struct {
	ListName
	changes []listChange // sorted by id
}

// apply adds the writes that change a list. first is its first block, nil if there is none.
func (w *listWrites) apply(ctx context.Context, s *Texts, l list, first *table.Item) error {
	if first == nil {
		first = &table.Item{Key: BlockPrefix(l.Space, l.Stem)}
	}
	if first.Version != split {
		return w.change(l, first, l.changes)
	}
	// Block by block, from the last change to the first.
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

// indexFrom returns the index of the first change whose id is not less than id.
func indexFrom(changes []listChange, id string) int {
	i, _ := slices.BinarySearchFunc(changes, id,
		func(c listChange, id string) int { return strings.Compare(string(c.ID[:]), id) })
	return i
}

// blockOf reads the block that the entry id belongs to, nil if there is none.
func (s *Texts) blockOf(ctx context.Context, l list, id uuid.UUID) (*table.Item, error) {
	prefix, key := BlockPrefix(l.Space, l.Stem), blockKey(l.Space, l.Stem, id)
	blocks, err := s.Table.Query(ctx, table.Range{Partition: key.Partition, From: prefix.Sort,
		To: key.Sort + "\x00", Reverse: true, Limit: 1})
	if err != nil || len(blocks) == 0 {
		return nil, err
	}
	return &blocks[0], nil
}

// change adds the writes that apply changes to one block.
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

// store performs the writes, in any order: after each of them, every list is in its old or its new
// state for each entry.
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
