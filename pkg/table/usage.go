package table

import (
	"slices"
	"time"
)

// Usage is the cost of calls on DynamoDB.
type Usage struct {
	Calls int // requests, including every chunk of a batch and every page of a query
	// RoundTrips is the length of the longest chain of requests, each of which started after the
	// previous one had ended.
	RoundTrips int
	ReadUnits  float64 // read request units
	WriteUnits float64 // write request units
}

// The units of on-demand tables.
const (
	readUnit   = 4 << 10 // bytes read consistently for one unit
	writeUnit  = 1 << 10 // bytes written for one unit
	queryPage  = 1 << 20 // bytes of one query response
	getBatch   = 100     // keys in one BatchGetItem
	writeBatch = 25      // items in one BatchWriteItem
)

func units(size, unit int) float64 { return float64(max(1, (size+unit-1)/unit)) }

func readFactor(c Consistency) float64 {
	if c == Eventual {
		return 0.5
	}
	return 1
}

// getCost rounds every item up separately; an absent item costs as much as a small one.
func getCost(items []*Item, c Consistency) (calls int, read float64) {
	for _, i := range items {
		size := 0
		if i != nil {
			size = i.Size()
		}
		read += units(size, readUnit) * readFactor(c)
	}
	return (len(items) + getBatch - 1) / getBatch, read
}

// queryCost rounds the items of a page up together.
func queryCost(items []Item, c Consistency) (calls int, read float64) {
	page := 0
	flush := func() {
		calls++
		read += units(page, readUnit) * readFactor(c)
		page = 0
	}
	for i := range items {
		if page += items[i].Size(); page >= queryPage {
			flush()
		}
	}
	if page > 0 || calls == 0 {
		flush()
	}
	return calls, read
}

// opUnits returns the cost of an operation outside of a transaction, by the size of the item before
// or after it, whichever is larger.
func opUnits(op *Op, before *Item) float64 {
	size := 0
	if before != nil {
		size = before.Size()
	}
	switch op.Kind {
	case Put:
		size = max(size, op.Item.Size())
	case Add:
		after := Item{Key: op.Item.Key, Expires: op.Item.Expires}
		if before != nil {
			after = *before
		}
		after.Count += op.Item.Count
		size = max(size, after.Size())
	}
	return units(size, writeUnit)
}

// interval is the duration of one call with trips requests one after the other.
type interval struct {
	start, end time.Time
	trips      int
}

// depth returns the heaviest chain of intervals that do not overlap.
func depth(calls []interval) int {
	calls = slices.Clone(calls)
	slices.SortFunc(calls, func(a, b interval) int { return a.end.Compare(b.end) })
	best := make([]int, len(calls)+1) // best[i] of the first i calls
	for i, c := range calls {
		before, _ := slices.BinarySearchFunc(calls[:i], c.start, func(d interval, start time.Time) int {
			if d.end.After(start) {
				return 1
			}
			return -1
		})
		best[i+1] = max(best[i], best[before]+c.trips)
	}
	return best[len(calls)]
}
