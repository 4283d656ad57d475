package fulltext

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sort"

	"github.com/google/uuid"

	"headless/pkg/db/waiting"
	"headless/pkg/index"
	"headless/pkg/table"
)

// RankedOf returns the position of an entry in the default order.
func RankedOf(x *index.Indexed, id string) Ranked {
	if x.Space == "" {
		return Ranked{}
	}
	raw := uuid.MustParse(id)
	return Ranked{x.Space, string(x.Order) + string(raw[:])}
}

// The ranks of a space tell how many entries come before some keys of its default order, so that a
// page at a large offset is found without reading all rows before it. They are the counts of bins;
// a bin is a range of keys. Merges update them, in the transaction that deletes the pending
// changes.

// Bins are sorted by key. A bin begins at its key and ends where the next one begins; the first
// begins at "".
type Bins []bin

type bin struct {
	from string
	N    int
}

// Ranked is the position of an entry in the default order of a space. The key is the entry's sort
// value, followed by its id. The zero value means that the entry is not counted.
type Ranked struct{ Space, Key string }

func (b Bins) encode() []byte {
	var body []byte
	for _, x := range b {
		body = binary.AppendUvarint(body, uint64(len(x.from)))
		body = append(body, x.from...)
		body = binary.AppendVarint(body, int64(x.N))
	}
	return body
}

var errBins = errors.New("fulltext: damaged ranks")

// DecodeBins decodes the bins of a space. A nil item gives one empty bin.
func DecodeBins(item *table.Item) (Bins, error) {
	if item == nil {
		return Bins{{}}, nil
	}
	var b Bins
	for body := item.Body; len(body) > 0; {
		length, size := binary.Uvarint(body)
		if size <= 0 || length > uint64(len(body)-size) {
			return nil, errBins
		}
		from := string(body[size : size+int(length)])
		body = body[size+int(length):]
		n, size := binary.Varint(body)
		if size <= 0 {
			return nil, errBins
		}
		body = body[size:]
		b = append(b, bin{from, int(n)})
	}
	if len(b) == 0 || b[0].from != "" {
		return nil, errBins
	}
	return b, nil
}

// at returns the index of the bin that a key belongs to.
func (b Bins) at(key string) int {
	return sort.Search(len(b), func(i int) bool { return b[i].from > key }) - 1
}

// stays reports whether a change leaves an entry in its bin, so that the ranks do not change.
func stays(all map[string]Bins, p *PendingChange) bool {
	if p.Counted.Space != p.Ranked.Space {
		return false
	}
	b := all[p.Ranked.Space]
	return b == nil || b.at(p.Counted.Key) == b.at(p.Ranked.Key)
}

// Count applies a pending change to the counts of the bins.
func Count(all map[string]Bins, p *PendingChange) {
	if b := all[p.Counted.Space]; b != nil {
		b[b.at(p.Counted.Key)].N--
	}
	if b := all[p.Ranked.Space]; b != nil {
		b[b.at(p.Ranked.Key)].N++
	}
}

// MergedChange is a pending change whose texts were merged, with its row as read.
type MergedChange struct {
	Row table.Item
	*PendingChange
}

// Settle applies merged changes to the ranks and deletes their rows, in one transaction for each
// batch. It skips changes that were replaced after they were read. It returns the spaces whose
// ranks changed.
func (s *Texts) Settle(ctx context.Context, all []MergedChange) (map[string]bool, error) {
	changed := map[string]bool{}
	for len(all) > 0 {
		spaces := map[string]bool{}
		n := 0
		for n < len(all) {
			for _, r := range []Ranked{all[n].Counted, all[n].Ranked} {
				if r.Space != "" {
					spaces[r.Space] = true
				}
			}
			if n++; n+len(spaces)+3 > table.MaxOps { // the next one may bring two spaces
				break
			}
		}
		err := waiting.Patiently(ctx, func() error {
			return s.settleTogether(ctx, slices.Clone(all[:n]), slices.Sorted(maps.Keys(spaces)), changed)
		})
		if err != nil {
			return nil, err
		}
		all = all[n:]
	}
	return changed, nil
}

// settleTogether settles one batch and adds the spaces whose ranks it changes to changed. A change
// that leaves an entry in its bin changes no ranks, so it does not matter whether a reader still
// sees it as pending.
func (s *Texts) settleTogether(ctx context.Context, texts []MergedChange, spaces []string,
	changed map[string]bool) error {
	for len(texts) > 0 {
		items, all, err := s.Ranks(ctx, spaces)
		if err != nil {
			return err
		}
		ops := make([]table.Op, 0, len(texts)+len(spaces))
		moved := map[string]bool{}
		for _, m := range texts {
			if !stays(all, m.PendingChange) {
				moved[m.Counted.Space], moved[m.Ranked.Space] = true, true
			}
			Count(all, m.PendingChange)
			ops = append(ops, table.Op{Kind: table.Delete, Item: table.Item{Key: m.Row.Key},
				If: table.VersionIs, Version: m.Row.Version})
		}
		for i, space := range spaces {
			if moved[space] {
				ops = append(ops, rankOp(space, items[i], all[space]))
				changed[space] = true
			}
		}
		err = s.Table.Write(ctx, ops)
		var cond *table.ConditionError
		if !errors.As(err, &cond) || cond.Index >= len(texts) {
			return err
		}
		texts = slices.Delete(texts, cond.Index, cond.Index+1)
	}
	return nil
}

// rankOp returns the operation that replaces the ranks of a space. It fails if they changed after
// was was read.
func rankOp(space string, was *table.Item, b Bins) table.Op {
	return waiting.Succeed(was, table.Item{Key: RankKey(space), Body: b.encode()})
}

// Ranks reads the ranks of some spaces: the items, in the order of spaces, and their bins.
func (s *Texts) Ranks(ctx context.Context, spaces []string) ([]*table.Item, map[string]Bins, error) {
	all := map[string]Bins{}
	if len(spaces) == 0 {
		return nil, all, nil
	}
	keys := make([]table.Key, len(spaces))
	for i, space := range spaces {
		keys[i] = RankKey(space)
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, nil, err
	}
	for i, space := range spaces {
		if all[space], err = DecodeBins(items[i]); err != nil {
			return nil, nil, err
		}
	}
	return items, all, nil
}
