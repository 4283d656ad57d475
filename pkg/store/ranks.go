package store

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"sort"

	"github.com/google/uuid"

	"headless/pkg/table"
)

// The ranks of a space tell how many entries stand before some keys of its default order, so that a page far behind is found without walking there.
// They are counts of bins: stretches of the order. Merges keep them, in one transaction with the removal of what was pending.

// binSize is how many entries a bin is split into.
const binSize = 500

// bins are in order. A bin begins at its key and ends where the next one begins; the first begins at "".
type bins []bin

type bin struct {
	from string
	n    int
}

// ranked is where an entry counts: a key is its default order and its id. Zero is nowhere.
type ranked struct{ space, key string }

func (b bins) encode() []byte {
	var body []byte
	for _, x := range b {
		body = binary.AppendUvarint(body, uint64(len(x.from)))
		body = append(body, x.from...)
		body = binary.AppendVarint(body, int64(x.n))
	}
	return body
}

var errBins = errors.New("store: damaged ranks")

// decodeBins reads the bins of a space; where there are none yet, it is one empty bin.
func decodeBins(item *table.Item) (bins, error) {
	if item == nil {
		return bins{{}}, nil
	}
	var b bins
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
func (b bins) at(key string) int {
	return sort.Search(len(b), func(i int) bool { return b[i].from > key }) - 1
}

// count adds up what changes do to the bins of some spaces.
func count(all map[string]bins, p *pendingChange) {
	if b := all[p.Counted.space]; b != nil {
		b[b.at(p.Counted.key)].n--
	}
	if b := all[p.Place.space]; b != nil {
		b[b.at(p.Place.key)].n++
	}
}

// mergedChange is a pending change that was merged, as it was stored.
type mergedChange struct {
	row table.Item
	*pendingChange
}

// settle counts entries where they are now and deletes their pending changes, unless they were replaced meanwhile. Either happens or neither.
// It returns the spaces whose ranks changed.
func (s *Store) settle(ctx context.Context, all []mergedChange) (map[string]bool, error) {
	changed := map[string]bool{}
	for len(all) > 0 {
		spaces := map[string]bool{}
		n := 0
		for n < len(all) {
			for _, r := range []ranked{all[n].Counted, all[n].Place} {
				if r.space != "" {
					spaces[r.space] = true
				}
			}
			if n++; n+len(spaces)+2 > table.MaxOps {
				break
			}
		}
		if err := s.settleTogether(ctx, all[:n:n], slices.Sorted(maps.Keys(spaces))); err != nil {
			return nil, err
		}
		for space := range spaces {
			changed[space] = true
		}
		all = all[n:]
	}
	return changed, nil
}

func (s *Store) settleTogether(ctx context.Context, texts []mergedChange, spaces []string) error {
	for len(texts) > 0 {
		items, all, err := s.ranks(ctx, spaces)
		if err != nil {
			return err
		}
		ops := make([]table.Op, 0, len(texts)+len(spaces))
		for _, m := range texts {
			count(all, m.pendingChange)
			ops = append(ops, table.Op{Kind: table.Delete, Item: table.Item{Key: m.row.Key}, If: table.VersionIs, Version: m.row.Version})
		}
		for i, space := range spaces {
			ops = append(ops, rankOp(space, items[i], all[space]))
		}
		err = s.table.Write(ctx, ops)
		var cond *table.ConditionError
		if !errors.As(err, &cond) || cond.Index >= len(texts) {
			return err
		}
		texts = slices.Delete(texts, cond.Index, cond.Index+1)
	}
	return nil
}

// rankOp stores the ranks of a space in place of those that were read.
func rankOp(space string, was *table.Item, b bins) table.Op {
	next := table.Item{Key: rankKey(space), Version: 1, Body: b.encode()}
	if was == nil {
		return table.Op{Kind: table.Put, Item: next, If: table.Absent}
	}
	next.Version = was.Version + 1
	return table.Op{Kind: table.Put, Item: next, If: table.VersionIs, Version: was.Version}
}

// ranks reads the ranks of some spaces.
func (s *Store) ranks(ctx context.Context, spaces []string) ([]*table.Item, map[string]bins, error) {
	all := map[string]bins{}
	if len(spaces) == 0 {
		return nil, all, nil
	}
	keys := make([]table.Key, len(spaces))
	for i, space := range spaces {
		keys[i] = rankKey(space)
	}
	items, err := s.table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, nil, err
	}
	for i, space := range spaces {
		if all[space], err = decodeBins(items[i]); err != nil {
			return nil, nil, err
		}
	}
	return items, all, nil
}

// splitBins splits the bins of a space that have grown large, by the rows of the entries in them. A bin that changes while they are read is left to
// the next merge.
func (s *Store) splitBins(ctx context.Context, modelID, space string) error {
	items, all, err := s.ranks(ctx, []string{space})
	if err != nil {
		return err
	}
	var next bins
	for i, b := range all[space] {
		if b.n <= 2*s.binSize {
			next = append(next, b)
			continue
		}
		to := ""
		if i+1 < len(all[space]) {
			to = all[space][i+1].from
		}
		keys, err := s.countedKeys(ctx, modelID, space, b.from, to)
		if err != nil {
			return err
		}
		if len(keys) != b.n {
			next = append(next, b)
			continue
		}
		for from := 0; from < len(keys); from += s.binSize {
			part := bin{keys[from], min(s.binSize, len(keys)-from)}
			if from == 0 {
				part.from = b.from
			}
			next = append(next, part)
		}
	}
	if len(next) == len(all[space]) {
		return nil
	}
	return s.table.Write(ctx, []table.Op{rankOp(space, items[0], next)})
}

// countedKeys are the keys of the entries that a bin counts: those of its rows, but what is pending counts where it was.
func (s *Store) countedKeys(ctx context.Context, modelID, space, from, to string) ([]string, error) {
	rows, err := s.table.Query(ctx, table.Range{Partition: rowPartition(space, defaultPath), From: from, To: to})
	if err != nil {
		return nil, err
	}
	pending, err := s.pendingChanges(ctx, modelID)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, row := range rows {
		id := uuid.UUID([]byte(row.Sort[len(row.Sort)-16:]))
		if pending.entries[id] == nil {
			keys = append(keys, row.Sort)
		}
	}
	for _, p := range pending.entries {
		if c := p.Counted; c.space == space && c.key >= from && (to == "" || c.key < to) {
			keys = append(keys, c.key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}
