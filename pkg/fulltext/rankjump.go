package fulltext

import (
	"context"
	"slices"
	"sort"

	"headless/pkg/table"
)

// StartsOf finds from which keys on the rows of some spaces have to be read, so that the record
// with skip before it is among them, and how many records that passes over.
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

// settledRanks reads the ranks of some spaces and the changes that these do not count yet. A merge
// counts changes and removes them in one transaction, so the two belong together when the ranks are
// the same before and after the changes were read.
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

// sameVersion reports whether two reads of an item, nil where it was absent, show the same.
func sameVersion(a, b *table.Item) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Version == b.Version
}

// startsBefore chooses the bins at which to begin, so that the record with so many before it comes
// after the beginnings of all of them: up to there, what the streams of several spaces give
// together has gaps.
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

// reach is how many records come, at most, before a key when the streams begin at their bins of it.
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

// startsAt are the bins of a key, and how many records are before them.
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
