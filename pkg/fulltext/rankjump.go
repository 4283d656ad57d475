package fulltext

import (
	"context"
	"slices"
	"sort"

	"headless/pkg/table"
)

// StartsOf returns from which key on the rows of each space must be read to reach the record at
// offset skip of all spaces together. passed is how many records come before these keys.
func (s *Texts) StartsOf(ctx context.Context, modelID string, spaces []string,
	skip int) (from map[string]string, passed int, err error) {
	all, pending, err := s.settledRanks(ctx, modelID, spaces)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range pending.entries {
		Count(all, p)
	}
	starts := startsBefore(all, skip)
	from = map[string]string{}
	for _, space := range spaces {
		at := starts[space]
		for _, b := range all[space][:at] {
			passed += b.N
		}
		from[space] = all[space][at].from
	}
	return from, passed, nil
}

// settledRanks reads the ranks of some spaces and the pending changes that they do not count yet. A
// merge counts changes and deletes them in one transaction. So both reads are consistent if the
// ranks are the same before and after the pending changes were read.
func (s *Texts) settledRanks(ctx context.Context, modelID string, spaces []string) (map[string]Bins,
	pendingChanges, error) {
	before, all, err := s.Ranks(ctx, spaces)
	if err != nil {
		return nil, pendingChanges{}, err
	}
	for range searchTries {
		pending, err := s.pendingChanges(ctx, modelID)
		if err != nil {
			return nil, pending, err
		}
		after, next, err := s.Ranks(ctx, spaces)
		if err != nil || slices.EqualFunc(before, after, sameVersion) {
			return all, pending, err
		}
		before, all = after, next
	}
	return nil, pendingChanges{}, ErrMerging
}

// sameVersion reports whether two reads of an item gave the same version; nil means that the item
// was absent.
func sameVersion(a, b *table.Item) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Version == b.Version
}

// startsBefore returns, for each space, the index of the bin to start reading at. It chooses the
// last bins that all begin before the record at offset skip: the merged streams of several spaces
// have gaps until every stream has begun.
func startsBefore(all map[string]Bins, skip int) map[string]int {
	best := map[string]int{}
	for _, candidates := range all {
		i := sort.Search(len(candidates), func(i int) bool { return reach(all, candidates[i].from) > skip })
		if i == 0 {
			continue
		}
		if starts, n := startsAt(all, candidates[i-1].from); n > sumOf(all, best) {
			best = starts
		}
	}
	return best
}

// reach returns the largest possible number of records before a key.
func reach(all map[string]Bins, key string) int {
	n := 0
	for _, b := range all {
		at := b.at(key)
		for _, x := range b[:at] {
			n += x.N
		}
		if b[at].from != key {
			n += b[at].N
		}
	}
	return n
}

// startsAt returns the bins that a key belongs to, by space, and how many records come before these
// bins.
func startsAt(all map[string]Bins, key string) (starts map[string]int, n int) {
	starts = map[string]int{}
	for space, b := range all {
		starts[space] = b.at(key)
	}
	return starts, sumOf(all, starts)
}

func sumOf(all map[string]Bins, starts map[string]int) int {
	n := 0
	for space, at := range starts {
		for _, x := range all[space][:at] {
			n += x.N
		}
	}
	return n
}
