package sim

import (
	"context"
	"time"

	"headless/pkg/table"
)

const (
	readUnit = 4 << 10
	pageSize = 1 << 20
	getBatch = 100
)

// Get implements table.Table. It reads the items of one call one by one, so it may see only part of
// a transaction.
func (t *Table) Get(ctx context.Context, c table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := table.CheckKeys(keys); err != nil {
		return nil, err
	}
	items := make([]*table.Item, len(keys))
	// A call with more keys reads its batches in parallel: one round trip.
	for from := 0; from < len(keys); from += getBatch {
		rest := make([]int, 0, getBatch)
		for i := from; i < min(from+getBatch, len(keys)); i++ {
			rest = append(rest, i)
		}
		get := func() (err error) {
			rest, err = t.getSome(c, keys, rest, items)
			return err
		}
		if from > 0 && len(rest) > 0 {
			if err := get(); err == nil {
				continue
			}
		}
		if err := t.request(ctx, false, get); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// getSome reads items. It returns the positions of unprocessed ones, with an error that causes a
// retry.
func (t *Table) getSome(c table.Consistency, keys []table.Key, which []int,
	into []*table.Item) (rest []int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	for _, i := range which {
		have := t.peek(keys[i], now)
		size := 0
		if have != nil {
			size = have.Size()
		}
		left := len(which) > 1 && t.opts.Unprocessed > 0 && t.random.Float64() < t.opts.Unprocessed
		if left || t.payRead(keys[i].Partition, units(size, readUnit), c == table.Eventual, now) != nil {
			rest, err = append(rest, i), errThrottled
			continue
		}
		into[i] = t.asSeen(keys[i], have, c == table.Eventual, t.lag(), now)
	}
	return rest, err
}

// lag returns by how much one read is late.
func (t *Table) lag() time.Duration {
	if t.opts.Lag == 0 {
		return 0
	}
	return time.Duration(t.random.Int64N(int64(t.opts.Lag)))
}

// payRead takes read units of a partition key and of the table. A key that was never written has no
// limit of its own.
func (t *Table) payRead(partition string, n float64, eventual bool, now time.Time) error {
	if eventual {
		n /= 2
	}
	t.usage.ReadUnits += n
	p := t.partitions[partition]
	if p != nil && !p.reads.takeUnits(n, t.opts.KeyReads, now) || !t.reads.takeUnits(n, t.opts.TableReads, now) {
		t.usage.Throttled++
		return errThrottled
	}
	return nil
}

// Query implements table.Table in pages of 1 MB, one request each.
func (t *Table) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	lo, hi, ok := r.Bounds()
	if !ok {
		return nil, nil
	}
	var items []table.Item
	for more := true; more; {
		err := t.request(ctx, false, func() error {
			page, last, err := t.page(r, lo, hi, r.Limit-len(items))
			if err != nil {
				return err
			}
			items = append(items, page...)
			if more = last != ""; r.Reverse {
				hi = last
			} else {
				lo = last + "\x00"
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return items, nil
}

// page reads up to 1 MB. last is the last sort key that it has read, "" at the end of the range.
func (t *Table) page(r table.Range, lo, hi string, limit int) (items []table.Item, last string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	p := t.partitions[r.Partition]
	if p == nil {
		p = &partition{items: newOrder()}
	}
	size, lag := 0, t.lag()
	for row := range between(p.items, lo, hi, r.Reverse) {
		key := table.Key{Partition: r.Partition, Sort: row.sort()}
		have := physical(row.itemCopy(r.Partition), now, t.opts.Late)
		if have != nil {
			size += have.Size()
		}
		if item := t.asSeen(key, have, r.Eventual, lag, now); item != nil {
			items = append(items, *item)
		}
		if r.Limit > 0 && len(items) == limit {
			break
		}
		if size >= pageSize {
			last = key.Sort
			break
		}
	}
	return items, last, t.payRead(r.Partition, units(size, readUnit), r.Eventual, now)
}
