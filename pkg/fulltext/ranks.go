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

// binSize is how many entries a bin is split into.
const binSize = 500

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

// Count adds up what changes do to the bins of some spaces.
func Count(all map[string]Bins, p *PendingChange) {
	if b := all[p.Counted.Space]; b != nil {
		b[b.at(p.Counted.Key)].N--
	}
	if b := all[p.Place.Space]; b != nil {
		b[b.at(p.Place.Key)].N++
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
			for _, r := range []Ranked{all[n].Counted, all[n].Place} {
				if r.Space != "" {
					spaces[r.Space] = true
				}
			}
			if n++; n+len(spaces)+3 > table.MaxOps { // the next one may bring two spaces
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

func (s *Texts) settleTogether(ctx context.Context, texts []MergedChange, spaces []string) error {
	for len(texts) > 0 {
		items, all, err := s.Ranks(ctx, spaces)
		if err != nil {
			return err
		}
		ops := make([]table.Op, 0, len(texts)+len(spaces))
		for _, m := range texts {
			Count(all, m.PendingChange)
			ops = append(ops, table.Op{Kind: table.Delete, Item: table.Item{Key: m.Row.Key},
				If: table.VersionIs, Version: m.Row.Version})
		}
		for i, space := range spaces {
			ops = append(ops, rankOp(space, items[i], all[space]))
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

// Limits of splitting bins after a merge; what is past them is left to the next one.
const (
	splitRows    = 20_000 // rows read of a bin
	splitPending = 4_000  // changes that came meanwhile
)

// splitBins splits the bins of some spaces that have grown large, by the rows of the entries in
// them. Only merges change ranks, so what is counted is what the rows show, save that a change
// which is pending counts as it was. So rows are read before what is pending.
func (s *Texts) splitBins(ctx context.Context, modelID string, spaces []string) error {
	items, all, err := s.Ranks(ctx, spaces)
	if err != nil {
		return err
	}
	large := map[string][]largeBin{}
	for _, space := range spaces {
		for at, b := range slices.Backward(all[space]) {
			if b.N <= 2*s.BinSize {
				continue
			}
			keys, err := s.rowsOf(ctx, space, all[space], at)
			if err != nil {
				return err
			}
			large[space] = append(large[space], largeBin{space, at, keys})
		}
	}
	if len(large) == 0 {
		return nil
	}
	rows, err := s.Table.Query(ctx, table.Range{Partition: PendingPartition(modelID), Limit: splitPending})
	if err != nil || len(rows) == splitPending {
		return err
	}
	pending, err := pendingIn(rows)
	if err != nil {
		return err
	}
	for i, space := range spaces {
		next := all[space]
		for _, l := range large[space] {
			next = l.split(next, pending, s.BinSize)
		}
		if len(next) == len(all[space]) {
			continue
		}
		if err := s.Table.Write(ctx, []table.Op{rankOp(space, items[i], next)}); err != nil {
			return err
		}
	}
	return nil
}

// largeBin is a bin to be split, with the keys of its rows: all, or the first ones.
type largeBin struct {
	space string
	at    int
	keys  []string
}

func (s *Texts) rowsOf(ctx context.Context, space string, b Bins, at int) ([]string, error) {
	r := table.Range{Partition: index.RowPartition(space, index.DefaultPath), From: b[at].from,
		Limit: splitRows}
	if at+1 < len(b) {
		r.To = b[at+1].from
	}
	rows, err := s.Table.Query(ctx, r)
	keys := make([]string, len(rows))
	for i, row := range rows {
		keys[i] = row.Sort
	}
	return keys, err
}

// split gives the bins with smaller ones in place of the large one, as far as its keys go.
func (l *largeBin) split(all Bins, pending pendingChanges, size int) Bins {
	whole := all[l.at]
	end := "" // of what the keys tell
	if len(l.keys) == splitRows {
		end = l.keys[len(l.keys)-1]
	} else if l.at+1 < len(all) {
		end = all[l.at+1].from
	}
	var keys []string
	for _, key := range l.keys {
		if pending.entries[uuid.UUID([]byte(key[len(key)-16:]))] == nil && (end == "" || key < end) {
			keys = append(keys, key)
		}
	}
	for _, p := range pending.entries {
		if c := p.Counted; c.Space == l.space && c.Key >= whole.from && (end == "" || c.Key < end) {
			keys = append(keys, c.Key)
		}
	}
	slices.Sort(keys)
	rest := whole.N - len(keys) // beyond the keys
	if partial := len(l.keys) == splitRows; len(keys) == 0 || rest < 0 || !partial && rest > 0 {
		return all // something else counts there: better one large bin
	}
	next := slices.Clone(all[:l.at])
	for from := 0; from < len(keys); from += size {
		part := bin{keys[from], min(size, len(keys)-from)}
		if from == 0 {
			part.from = whole.from
		}
		next = append(next, part)
	}
	if rest > 0 {
		next = append(next, bin{end, rest})
	}
	return append(next, all[l.at+1:]...)
}
