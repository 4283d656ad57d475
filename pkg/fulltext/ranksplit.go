package fulltext

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/index"
	"headless/pkg/table"
)

// binSize is how many entries a bin has after a split, as long as there are few bins.
const binSize = 500

// binBytes is the encoded size of bins at which new bins become twice as large, and again at each
// multiple. So the ranks of any number of entries fit into one item: 10 million need about 70 KB.
const binBytes = 16 << 10

// splitSize returns how many entries a bin has after a split; least is the number while there are
// few bins.
func (b Bins) splitSize(least int) int { return least << (len(b.encode()) / binBytes) }

// Limits of splitting bins after a merge. The next merge continues from there.
const (
	splitRows    = 20_000 // rows read of a bin
	splitPending = 4_000  // pending changes read; with more, nothing is split
)

// splitBins splits bins that have grown too large, at the keys of the entries in them. Only merges
// change ranks, so a bin counts the rows in its range, except that an entry with a pending change
// is counted at its former key. The rows are read before the pending changes, so no such change is
// missed.
func (s *Texts) splitBins(ctx context.Context, modelID string, spaces []string) error {
	items, all, err := s.Ranks(ctx, spaces)
	if err != nil {
		return err
	}
	large := map[string][]largeBin{}
	for _, space := range spaces {
		size := all[space].splitSize(s.BinSize)
		for at, b := range slices.Backward(all[space]) {
			if b.N <= 2*size {
				continue
			}
			keys, err := s.rowsOf(ctx, space, all[space], at)
			if err != nil {
				return err
			}
			large[space] = append(large[space], largeBin{space, at, size, keys})
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
			next = l.split(next, pending)
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

// largeBin is a bin to be split, with the keys of its rows: all of them, or the first splitRows.
type largeBin struct {
	space string
	at    int
	size  int // entries in each new bin
	keys  []string
}

// rowsOf reads the keys of the first splitRows rows of a bin.
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

// split returns all bins, with the large one replaced by smaller ones as far as its keys are known.
func (l *largeBin) split(all Bins, pending pendingChanges) Bins {
	whole := all[l.at]
	end := "" // of the range whose keys are known; "" is the end of the space
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
	rest := whole.N - len(keys) // entries after the known keys
	if partial := len(l.keys) == splitRows; len(keys) == 0 || rest < 0 || !partial && rest > 0 {
		return all // the count is not explained by the keys: better to keep one large bin
	}
	next := slices.Clone(all[:l.at])
	for from := 0; from < len(keys); from += l.size {
		part := bin{whole.from, min(l.size, len(keys)-from)}
		if from > 0 {
			part.from = separator(keys[from-1], keys[from])
		}
		next = append(next, part)
	}
	if rest > 0 {
		next = append(next, bin{end, rest})
	}
	return append(next, all[l.at+1:]...)
}

// separator returns the shortest prefix of key that is greater than before.
func separator(before, key string) string {
	n := 0
	for n < len(before) && n < len(key) && before[n] == key[n] {
		n++
	}
	return key[:min(n+1, len(key))]
}
