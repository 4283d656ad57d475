package totals

import (
	"context"
	"maps"
	"sync"

	"golang.org/x/sync/errgroup"

	"headless/pkg/db"
	"headless/pkg/db/waiting"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Writers keep the change rows few, since every list reads them.
const (
	manyRows  = 256  // from this number of change rows on, a writer merges
	fullRows  = 2048 // from this number on, it waits
	mergeRows = 256  // in one merge: the state names them and must fit into one read unit

	mergeParallel = 64 // calls at a time
)

// Count adds n to a counter when the transaction commits. The commit waits while there are too many
// change rows.
func Count(t *db.Tx, c db.Counter, n int64) {
	if t.Count(c, n) {
		t.Check(func(ctx context.Context) error { return pace(ctx, t.DB, db.CollectionOf(c.Space)) })
	}
}

// pace is called before the commit of a transaction that changes counters; see waiting.Pace.
func pace(ctx context.Context, s *db.DB, collection string) error {
	return s.Counting.Pace.Hold(ctx, waiting.Rows{Name: collection, Clock: s.Clock, Busy: errBusy,
		Help: func(ctx context.Context) (full bool, merged int, err error) {
			rows, err := s.Table.Query(ctx, table.Range{Partition: db.ChangesPartition(collection), Limit: fullRows})
			if err != nil || len(rows) < manyRows {
				return err != nil, 0, err
			}
			merged, _, err = mergeSome(ctx, s, collection, mergeRows)
			return len(rows) == fullRows, merged, err
		},
		Merging: func(ctx context.Context) (bool, error) {
			items, err := s.Table.Get(ctx, table.Strong, stateKey(collection))
			return err == nil && isMerging(s, items[0]), err
		}})
}

func isMerging(s *db.DB, state *table.Item) bool {
	return waiting.Merging(state, s.Clock(), s.Abandoned)
}

// Merge adds the change rows of a collection to the counters, until none is left or ctx ends. It
// leaves them to another merge that is in progress. It returns how many rows it merged.
func Merge(ctx context.Context, s *db.DB, collection string) (merged int, err error) {
	for {
		n, more, err := mergeSome(ctx, s, collection, mergeRows)
		if merged += n; err != nil || !more || ctx.Err() != nil {
			return merged, err
		}
	}
}

// mergeSome makes one merge of up to most rows, or finishes one that a crash interrupted.
func mergeSome(ctx context.Context, s *db.DB, collection string, most int) (n int, more bool, err error) {
	p, err := readPage(ctx, s, collection)
	if err != nil || len(p.fresh)+len(p.left) == 0 {
		return 0, false, err
	}
	if len(p.left) > 0 && isMerging(s, p.item) {
		return 0, false, nil
	}
	next := table.Item{Key: stateKey(collection)}
	rows, whole := p.left, p.whole()
	if len(rows) > 0 {
		next.Body = p.item.Body
		more = true
	} else {
		rows, whole = p.fresh[:min(most, len(p.fresh))], true
		more = len(rows) < len(p.fresh)
		counted := map[db.Counter]int64{}
		add := func(rest, name []byte, n int64) {
			if near(name) {
				counted[db.Counter{Space: collection + string(rest), Name: string(name)}] += n
			}
		}
		if err := eachIn(p.near, rows, add); err != nil {
			return 0, false, err
		}
		maps.DeleteFunc(counted, func(_ db.Counter, n int64) bool { return n == 0 })
		p.number++
		next.Body = encodeState(p.number, namesOf(rows), collection, counted)
	}
	begun, err := waiting.Merge(ctx, s.Table, p.item, next, s.Clock(),
		func(ctx context.Context, _ table.Item) error {
			if whole {
				if err := moveFar(ctx, s, collection, p.number, rows); err != nil {
					return err
				}
			}
			keys := slice.Map(rows, func(r table.Item) table.Key { return r.Key })
			return waiting.Patiently(ctx, func() error { return s.Table.BatchWrite(ctx, nil, keys) })
		})
	if err != nil || !begun {
		return 0, false, err
	}
	return len(rows), more, nil
}

// eachIn calls do for each of the encoded near counters, and for each change in rows.
func eachIn(near []byte, rows []table.Item, do func(rest, name []byte, n int64)) error {
	if err := db.EachMove(near, do); err != nil {
		return err
	}
	for i := range rows {
		if err := db.EachMove(rows[i].Body, do); err != nil {
			return err
		}
	}
	return nil
}

// moveFar adds the changes in rows to the far counters, except those that the merge of this number
// has changed already.
func moveFar(ctx context.Context, s *db.DB, collection string, number int64, rows []table.Item) error {
	moves := map[db.Counter]int64{}
	err := eachIn(nil, rows, func(rest, name []byte, n int64) {
		if !near(name) {
			moves[db.Counter{Space: collection + string(rest), Name: string(name)}] += n
		}
	})
	if err != nil {
		return err
	}
	keys, by := make([]table.Key, 0, len(moves)), make([]int64, 0, len(moves))
	for c, n := range moves {
		if n != 0 {
			keys, by = append(keys, keyOf(c)), append(by, n)
		}
	}
	for len(keys) > 0 {
		err := waiting.Patiently(ctx, func() (err error) {
			keys, by, err = moveEach(ctx, s.Table, number, keys, by)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// moveEach adds to each counter the number in by. It returns the counters, with their numbers, that
// another process changed at the same time: it may have taken over this merge.
func moveEach(ctx context.Context, t table.Table, number int64, keys []table.Key, by []int64) (
	others []table.Key, theirs []int64, err error) {
	items, err := t.Get(ctx, table.Strong, keys...)
	if err != nil {
		return keys, by, err
	}
	var mu sync.Mutex
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(mergeParallel)
	for i, was := range items {
		op := table.Op{Kind: table.Put, If: table.Absent,
			Item: table.Item{Key: keys[i], Version: number, Count: by[i]}}
		if was != nil {
			op.If, op.Version = table.VersionIs, was.Version
			op.Item.Count += was.Count
		}
		if was != nil && was.Version >= number {
			continue
		}
		g.Go(func() error {
			done, err := table.TryWrite(gctx, t, op)
			if !done && err == nil {
				mu.Lock()
				defer mu.Unlock()
				others, theirs = append(others, keys[i]), append(theirs, by[i])
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return keys, by, err // the versions of counters tell which were changed
	}
	return others, theirs, nil
}

// Drop removes all counters of a collection that nobody changes any more. dropped is false while
// another merge is in progress: call Drop again later.
func Drop(ctx context.Context, s *db.DB, collection string, spaces ...string) (dropped bool, err error) {
	if _, err := Merge(ctx, s, collection); err != nil {
		return false, err
	}
	p, err := readPage(ctx, s, collection)
	if err != nil || len(p.fresh)+len(p.left) > 0 {
		return false, err
	}
	partitions := make([]string, 0, parts*len(spaces)+1)
	for _, space := range spaces {
		for n := range parts {
			partitions = append(partitions, part(space, n))
		}
	}
	for _, partition := range append(partitions, db.ChangesPartition(collection)) {
		if err := s.DeleteAll(ctx, partition); err != nil {
			return false, err
		}
	}
	return true, nil
}
