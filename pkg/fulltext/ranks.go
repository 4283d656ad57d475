package fulltext

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sort"

	"github.com/google/uuid"

	"headless/pkg/index"
	"headless/pkg/table"
)

// RankedOf is where the entry counts in the default order.
func RankedOf(x *index.Indexed, id string) Ranked {
	if x.Space == "" {
		return Ranked{}
	}
	raw := uuid.MustParse(id)
	return Ranked{x.Space, string(x.Order) + string(raw[:])}
}

// The ranks of a space tell how many entries stand before some keys of its default order, so that a
// page far behind is found without walking there. They are counts of bins: stretches of the order.
// Merges keep them, in one transaction with the removal of what was pending.

// Bins are in order. A bin begins at its key and ends where the next one begins; the first begins
// at "".
type Bins []bin

type bin struct {
	from string
	N    int
}

// Ranked is where an entry counts: a key is its default order and its id. Zero is nowhere.
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

var errBins = errors.New("store: damaged ranks")

// DecodeBins reads the bins of a space; where there are none yet, it is one empty bin.
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

// at is the bin that a key belongs to.
func (b Bins) at(key string) int {
	return sort.Search(len(b), func(i int) bool { return b[i].from > key }) - 1
}

// stays reports whether a change leaves an entry in its bin, so that the ranks stay as they are.
func stays(all map[string]Bins, p *PendingChange) bool {
	if p.Counted.Space != p.Ranked.Space {
		return false
	}
	b := all[p.Ranked.Space]
	return b == nil || b.at(p.Counted.Key) == b.at(p.Ranked.Key)
}

// Count adds up what changes do to the bins of some spaces.
func Count(all map[string]Bins, p *PendingChange) {
	if b := all[p.Counted.Space]; b != nil {
		b[b.at(p.Counted.Key)].N--
	}
	if b := all[p.Ranked.Space]; b != nil {
		b[b.at(p.Ranked.Key)].N++
	}
}

// MergedChange is a pending change that was merged, as it was stored.
type MergedChange struct {
	Row table.Item
	*PendingChange
}

// Settle counts entries where they are now and deletes their pending changes, unless they were
// replaced meanwhile. Either happens or neither. It returns the spaces whose ranks changed.
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
		err := patiently(ctx, func() error {
			return s.settleTogether(ctx, slices.Clone(all[:n]), slices.Sorted(maps.Keys(spaces)), changed)
		})
		if err != nil {
			return nil, err
		}
		all = all[n:]
	}
	return changed, nil
}

// settleTogether adds the spaces whose ranks it changes to changed. A change that leaves an entry
// in its bin changes none: it does not matter whether a reader sees it as pending.
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

// rankOp stores the ranks of a space in place of those that were read.
func rankOp(space string, was *table.Item, b Bins) table.Op {
	return succeed(was, table.Item{Key: RankKey(space), Body: b.encode()})
}

// Ranks reads the ranks of some spaces.
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
