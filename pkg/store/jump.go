package store

import (
	"context"
	"sort"

	"golang.org/x/sync/errgroup"
)

// jumps tells whether ranks can bring a list forward to its page: in the default order, unfiltered.
func (l *lister) jumps() bool {
	return l.c.model != "" && len(l.q.Sort) == 0 && len(l.q.Filters) == 0 && l.after == "" && !l.both && l.q.Offset() > 2*l.s.binSize
}

// jump makes streams begin shortly before the page, and remembers how many records that passes over.
func (l *lister) jump(ctx context.Context, m *merged) error {
	var all map[string]bins
	var pending pendingChanges
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { _, all, err = l.s.ranks(gctx, l.spaces); return err })
	g.Go(func() (err error) { pending, err = l.s.pendingChanges(gctx, l.c.model); return err })
	if err := g.Wait(); err != nil {
		return err
	}
	for _, p := range pending.entries {
		count(all, p)
	}
	starts := startsBefore(all, l.q.Offset())
	for _, s := range m.streams {
		at := starts[s.space]
		for _, b := range all[s.space][:at] {
			l.passed += b.n
		}
		s.from = all[s.space][at].from
	}
	for _, s := range m.streams {
		s.chunk = min(l.q.Offset()-l.passed+l.q.PerPage+1, maxChunk)
	}
	return nil
}

// startsBefore chooses the bins at which to begin, so that the record with so many before it comes after the beginnings of all of them: up to there,
// what the streams of several spaces give together has gaps.
func startsBefore(all map[string]bins, skip int) map[string]int {
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
func reach(all map[string]bins, key string) int {
	n := 0
	for _, b := range all {
		at := b.at(key)
		for _, x := range b[:at] {
			n += x.n
		}
		if b[at].from != key {
			n += b[at].n
		}
	}
	return n
}

// startsAt are the bins of a key, and how many records are before them.
func startsAt(all map[string]bins, key string) (starts map[string]int, n int) {
	starts = map[string]int{}
	for space, b := range all {
		starts[space] = b.at(key)
	}
	return starts, sumOf(all, starts)
}

func sumOf(all map[string]bins, starts map[string]int) int {
	n := 0
	for space, at := range starts {
		for _, x := range all[space][:at] {
			n += x.n
		}
	}
	return n
}
