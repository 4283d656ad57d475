package totals

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// errBusy is returned if merges overtake a read again and again.
var errBusy = &cms.Error{Code: cms.CodeUnavailable, RetryAfter: time.Second,
	Message: "There are many changes at the moment. Try again soon."}

// readTries is how often a read that a merge overtakes is tried.
const readTries = 10

// Of adds up counters by name over some spaces, in one round trip, unless it reads a far counter
// while merges are in progress.
func Of(ctx context.Context, s *db.DB, spaces []string, names ...string) ([]int, error) {
	w := wanted{spaces: spaces, names: names}
	var keys []table.Key
	for i, name := range names {
		if near(name) || slices.Contains(names[:i], name) {
			continue
		}
		for _, space := range spaces {
			keys = append(keys, keyOf(db.Counter{Space: space, Name: name}))
		}
	}
	var far func(context.Context) ([]table.Item, error)
	if keys != nil {
		far = func(ctx context.Context) ([]table.Item, error) {
			items, err := s.Table.Get(ctx, table.Strong, keys...)
			found := make([]table.Item, 0, len(items))
			for _, item := range items {
				if item != nil {
					found = append(found, *item)
				}
			}
			return found, err
		}
	}
	sums, err := w.readCounters(ctx, s, far)
	totals := make([]int, len(names))
	for i, name := range names {
		for _, space := range spaces {
			totals[i] += int(sums[db.Counter{Space: space, Name: name}])
		}
	}
	return totals, err
}

// OfLabels counts the documents of some spaces: all documents of each space, and those with each
// counted label. See Of for its round trips.
func OfLabels(ctx context.Context, s *db.DB, spaces []string) (all []int, byLabel []map[string]int, err error) {
	w := wanted{spaces: spaces, names: []string{All}, labels: true}
	sums, err := w.readCounters(ctx, s, func(ctx context.Context) ([]table.Item, error) {
		lists := make([][]table.Item, len(spaces))
		g, ctx := errgroup.WithContext(ctx)
		for i, space := range spaces {
			g.Go(func() (err error) {
				lists[i], err = s.Table.Query(ctx, table.Range{Partition: partition(space, Label), Prefix: Label})
				return err
			})
		}
		err := g.Wait()
		return slices.Concat(lists...), err
	})
	all, byLabel = make([]int, len(spaces)), make([]map[string]int, len(spaces))
	for i, space := range spaces {
		byLabel[i] = map[string]int{}
		all[i] = int(sums[db.Counter{Space: space, Name: All}])
	}
	for c, n := range sums {
		if c.Name != All {
			byLabel[slices.Index(spaces, c.Space)][c.Name[len(Label):]] = int(n)
		}
	}
	return all, byLabel, err
}

// wanted describes the counters that a read returns: for each of its spaces, those with some names.
type wanted struct {
	spaces []string
	names  []string
	labels bool // also the counters of labels
}

// readCounters reads the counters of spaces, which may be of several collections.
func (w wanted) readCounters(ctx context.Context, s *db.DB,
	far func(context.Context) ([]table.Item, error)) (map[db.Counter]int64, error) {
	var collections []string
	for _, space := range w.spaces {
		if c := db.CollectionOf(space); !slices.Contains(collections, c) {
			collections = append(collections, c)
		}
	}
	s.Expect(w.spaces...)
	for range readTries {
		pages := make([]page, len(collections))
		var items []table.Item
		g, gctx := errgroup.WithContext(ctx)
		for i, collection := range collections {
			g.Go(func() (err error) { pages[i], err = readPage(gctx, s, collection); return err })
		}
		if far != nil {
			g.Go(func() (err error) { items, err = far(gctx); return err })
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		if far != nil && !isSettled(s, collections, pages) {
			var err error
			if items, err = far(ctx); err != nil {
				return nil, err
			}
		}
		sums, ok, err := w.sum(collections, pages, items)
		if ok || err != nil {
			return sums, err
		}
	}
	return nil, errBusy
}

// isSettled reports whether no merge can have changed a far counter while the pages were read. It
// records finished merges for the next read.
func isSettled(s *db.DB, collections []string, pages []page) bool {
	all := true
	for i, collection := range collections {
		p := &pages[i]
		switch {
		case p.item == nil: // the versions of counters tell
		case p.whole():
			all = false
		case !s.Counting.Settled(collection, p.item.Version):
			s.Counting.Settle(collection, p.item.Version)
			all = false
		}
	}
	return all
}

// sum adds up what was read. ok is false if a far counter is newer than the state of its
// collection.
func (w wanted) sum(collections []string, pages []page, items []table.Item) (sums map[db.Counter]int64,
	ok bool, err error) {
	sums = map[db.Counter]int64{}
	moved := map[db.Counter]int64{} // far counters, by the merge of the state
	for i := range items {
		c := counterOf(items[i].Key)
		p := &pages[slices.Index(collections, db.CollectionOf(c.Space))]
		if items[i].Version > p.number {
			return nil, false, nil
		}
		if sums[c] += items[i].Count; items[i].Version == p.number {
			moved[c] = 0 // the merge has changed it
		}
	}
	for i, collection := range collections {
		p := &pages[i]
		add := func(c db.Counter, n int64) { sums[c] += n }
		if err := w.forEachMove(collection, p.near, add); err != nil {
			return nil, false, err
		}
		for j := range p.fresh {
			if err := w.forEachMove(collection, p.fresh[j].Body, add); err != nil {
				return nil, false, err
			}
		}
		for j := range p.left {
			if !p.whole() {
				break
			}
			err := w.forEachMove(collection, p.left[j].Body, func(c db.Counter, n int64) {
				if _, done := moved[c]; !done && !near(c.Name) {
					sums[c] += n
				}
			})
			if err != nil {
				return nil, false, err
			}
		}
	}
	return sums, true, nil
}

// forEachMove calls do for the wanted counters in an encoded change.
func (w wanted) forEachMove(collection string, moves []byte, do func(db.Counter, int64)) error {
	return db.EachMove(moves, func(rest, name []byte, n int64) {
		at := slices.IndexFunc(w.names, func(wanted string) bool { return wanted == string(name) })
		if at < 0 && !(w.labels && name[0] == Label[0]) {
			return
		}
		for _, space := range w.spaces {
			if len(space) == len(collection)+len(rest) && space[:len(collection)] == collection &&
				space[len(collection):] == string(rest) {
				do(db.Counter{Space: space, Name: string(name)}, n)
				return
			}
		}
	})
}
