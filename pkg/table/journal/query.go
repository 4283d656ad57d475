package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"headless/pkg/table"
)

// Query implements table.Table. Of items with the same key it returns one.
func (t *Table) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	lo, hi, ok := r.Bounds()
	if !ok {
		return nil, ctx.Err()
	}
	if err := t.ensureIndexed(); err != nil {
		return nil, err
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.closed {
		return nil, errClosed
	}
	q := query{Range: r, lo: lo, hi: hi, now: t.now().Unix()}
	items, err := q.readBlocks(ctx, t.blocksIn(lo, hi))
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: journal: %w", table.ErrUnavailable, err)
	}
	return items, err
}

// ensureIndexed reads the indexes of older files before the first query.
func (t *Table) ensureIndexed() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.loaded {
		return nil
	}
	if err := t.loadIndexes(); err != nil {
		return fmt.Errorf("%w: journal: %w", table.ErrUnavailable, err)
	}
	return nil
}

// place is a block of a file.
type place struct {
	*block
	file *file
}

// blocksIn returns the blocks that may have sort keys from lo (inclusive) to hi (exclusive).
func (t *Table) blocksIn(lo, hi string) (places []place) {
	files := t.older
	if t.file != nil {
		files = append(slices.Clip(files), t.file)
	}
	for _, f := range files {
		for i := range f.blocks {
			if b := &f.blocks[i]; string(b.Max) >= lo && (hi == "" || string(b.Min) < hi) {
				places = append(places, place{b, f})
			}
		}
	}
	return places
}

type query struct {
	table.Range
	lo, hi string
	now    int64 // Unix seconds
	items  []table.Item
}

// readBlocks reads blocks in the order in which their items begin, and stops behind the limit.
func (q *query) readBlocks(ctx context.Context, places []place) ([]table.Item, error) {
	slices.SortFunc(places, func(a, b place) int {
		if q.Reverse {
			return bytes.Compare(b.Max, a.Max)
		}
		return bytes.Compare(a.Min, b.Min)
	})
	var buffer []byte
	for _, p := range places {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if q.isPast(p) {
			break
		}
		var err error
		if buffer, err = p.readBlock(buffer); err != nil {
			return nil, err
		}
		if err := q.collectItems(buffer); err != nil {
			return nil, err
		}
	}
	q.trim()
	return q.items, nil
}

// readBlock reads a block into a buffer, which it may replace by a larger one.
func (p place) readBlock(buffer []byte) ([]byte, error) {
	from := p.file.handle
	if from == nil {
		var err error
		if from, err = os.Open(p.file.path); err != nil {
			return nil, err
		}
		defer from.Close()
	}
	buffer = slices.Grow(buffer[:0], p.Size)[:p.Size]
	_, err := from.ReadAt(buffer, p.Offset)
	return buffer, err
}

// isPast reports whether the limit is reached before the first item of a block.
func (q *query) isPast(p place) bool {
	if q.Limit == 0 || len(q.items) < q.Limit {
		return false
	}
	q.trim()
	if len(q.items) < q.Limit {
		return false
	}
	last := q.items[q.Limit-1].Sort
	return q.Reverse && string(p.Max) < last || !q.Reverse && string(p.Min) > last
}

var errDamaged = errors.New("a block is damaged")

// collectItems adds the items of a block that are in the range.
func (q *query) collectItems(b []byte) error {
	for len(b) > 0 {
		r, ok := decodeRecord(b)
		if !ok {
			return errDamaged
		}
		b = b[r.size:]
		if string(r.partition) != q.Partition || string(r.sort) < q.lo || q.hi != "" && string(r.sort) >= q.hi ||
			r.expires != 0 && r.expires <= q.now {
			continue
		}
		q.items = append(q.items, table.Item{Key: table.Key{Partition: q.Partition, Sort: string(r.sort)},
			Body: bytes.Clone(r.body), Expires: r.expires})
	}
	return nil
}

// trim sorts the items, and cuts them at the limit.
func (q *query) trim() {
	slices.SortFunc(q.items, func(a, b table.Item) int {
		if q.Reverse {
			a, b = b, a
		}
		return strings.Compare(a.Sort, b.Sort)
	})
	q.items = slices.CompactFunc(q.items, func(a, b table.Item) bool { return a.Sort == b.Sort })
	if q.Limit > 0 {
		q.items = q.items[:min(q.Limit, len(q.items))]
	}
}
