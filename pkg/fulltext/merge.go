package fulltext

import (
	"context"
	"errors"
	"slices"
	"sort"

	"headless/pkg/db"
	"headless/pkg/fulltext/segment"
	"headless/pkg/table"
)

// Which segments are merged. Sizes form classes, each four times the one before; four segments of
// one class are merged. So a document is merged once for each class, and there are few segments.
const (
	together   = 4
	smallBytes = 2 << 20  // merges of more bytes have a lease of their own, since they take longer
	largeBytes = 32 << 20 // nothing larger is merged
)

// merge merges segments until nothing is to be merged, or another process merges.
func (s *Texts) merge(ctx context.Context) error {
	for _, large := range []bool{false, true} {
		for {
			merged, err := s.mergeSome(ctx, large)
			if err != nil {
				return err
			}
			if !merged {
				break
			}
		}
	}
	return nil
}

func (s *Texts) mergeSome(ctx context.Context, large bool) (merged bool, err error) {
	v, err := s.current(ctx)
	if err != nil || len(v.inputs(large)) == 0 {
		return false, err
	}
	key := smallLease
	if large {
		key = largeLease
	}
	err = s.withLease(ctx, key, mergeTime, func(ctx context.Context, id segment.ID) (err error) {
		merged, err = s.mergeOnce(ctx, id, large)
		return err
	})
	if errors.Is(err, errOvertaken) || errors.Is(err, errGone) {
		return false, nil
	}
	return merged, err
}

// inputs chooses the segments to merge next.
func (v *view) inputs(large bool) []*seg {
	var classes [16][]*seg // the last one has more than largeBytes
	for i, l := range v.Segments {
		g := v.segs[i]
		// A segment without documents is kept for its kills, until they go along with a merge.
		if size := l.size(); g.kills*together > g.Docs && (size > smallBytes) == large || g.useless(v) && !large {
			return []*seg{g}
		}
		class := 0
		for size := l.size() / segment.PageBytes; size >= together; size /= together {
			class++
		}
		class = min(class, len(classes)-1)
		classes[class] = append(classes[class], g)
	}
	for _, class := range classes {
		if len(class) < together {
			continue
		}
		some, size := class[:together], 0
		for _, g := range some {
			size += v.Segments[slices.Index(v.segs, g)].size()
		}
		if size <= largeBytes && (size > smallBytes) == large {
			return some
		}
	}
	return nil
}

// useless reports whether a segment has no documents, and kills none of others.
func (g *seg) useless(v *view) bool {
	for id := range g.Kills {
		if id != g.ID && v.hasSegment(id) {
			return false
		}
	}
	return g.Docs == 0
}

func (s *Texts) mergeOnce(ctx context.Context, id segment.ID, large bool) (bool, error) {
	v, err := s.current(ctx)
	if err != nil {
		return false, err
	}
	inputs := v.inputs(large)
	if len(inputs) == 0 {
		return false, nil
	}
	m := &merging{s: s, start: v, inputs: inputs, out: &pageWriter{s: s, ctx: ctx, id: id}}
	if m.hasSegment(v.Last) {
		if err := s.cleanLast(ctx, v); err != nil {
			return false, err
		}
	}
	if err := m.build(ctx); err != nil {
		return false, err
	}
	return true, m.swap(ctx)
}

// cleanLast deletes the pending rows that the last flush took: after the merge, nobody knows that they
// were taken.
func (s *Texts) cleanLast(ctx context.Context, v *view) error {
	s.mu.Lock()
	cleaned := s.cleaned == v.Last
	s.mu.Unlock()
	if cleaned {
		return nil
	}
	return s.clean(ctx, v.segmentOf(v.Last).Taken)
}

// merging is a merge of some segments.
type merging struct {
	s       *Texts
	start   *view // from which the inputs were read
	inputs  []*seg
	out     *pageWriter
	built   *segment.Built
	numbers [][]uint32 // the new numbers of the documents of each input
}

func (m *merging) hasSegment(id segment.ID) bool {
	return slices.ContainsFunc(m.inputs, func(g *seg) bool { return g.ID == id })
}

func (m *merging) build(ctx context.Context) (err error) {
	inputs := make([]segment.Input, len(m.inputs))
	for i, g := range m.inputs {
		ahead := map[segment.Section]*pagesAhead{}
		inputs[i] = segment.Input{Header: g.Header, Gone: g.dead.Has,
			Page: func(section segment.Section, n int) ([]byte, error) {
				if ahead[section] == nil {
					ahead[section] = &pagesAhead{}
				}
				return ahead[section].page(ctx, m.s, pageRef{g.ID, section, n})
			}}
	}
	m.built, m.numbers, err = segment.Merge(m.out.id, inputs, m.out.putPage)
	return err
}

// pagesAhead has the pages of one partition, which a merge reads together.
type pagesAhead struct {
	from  pageRef
	pages [][]byte
}

func (a *pagesAhead) page(ctx context.Context, s *Texts, ref pageRef) ([]byte, error) {
	from := ref
	from.n -= ref.n % pagesTogether
	if a.pages == nil || a.from != from {
		for _, eventual := range []bool{true, false} {
			rows, err := s.Table.Query(ctx, table.Range{Partition: from.key().Partition, Eventual: eventual})
			if err != nil {
				return nil, err
			}
			a.from, a.pages = from, make([][]byte, pagesTogether)
			for _, item := range rows {
				a.pages[item.Sort[0]%pagesTogether] = item.Body
			}
			if a.pages[ref.n%pagesTogether] != nil {
				break
			}
		}
	}
	page := a.pages[ref.n%pagesTogether]
	if page == nil {
		a.pages = nil // the eventual read missed it, though not the first of them
		raw, err := s.getPages(ctx, []pageRef{ref})
		if err != nil {
			return nil, err
		}
		page = raw[0]
	}
	return openPage(ref, page)
}

// swap puts the new segment in the place of the inputs.
func (m *merging) swap(ctx context.Context) error {
	for range swapTries {
		now, err := m.s.current(ctx)
		if err != nil || now.hasSegment(m.built.ID) {
			return err
		}
		for _, g := range m.inputs {
			if !now.hasSegment(g.ID) {
				return errOvertaken
			}
		}
		if slices.Contains(now.Void, m.built.ID) || m.hasSegment(now.Last) && now.Last != m.start.Last {
			return errOvertaken
		}
		m.built.Kills = m.kills(now)
		pages, err := m.built.Finish()
		if err == nil {
			err = m.out.flush()
		}
		if err != nil {
			return err
		}
		next, old := m.nextRoot(now, pages)
		garbage := table.Item{Key: garbageKey(m.s.Clock(), m.built.ID), Body: db.MustMarshal(old)}
		if done, err := m.s.swap(ctx, now.root, next, garbage); done ||
			err != nil && !errors.Is(err, table.ErrUnavailable) {
			return err
		}
	}
	return ErrMerging
}

// kills returns the kills of the new segment: those of the inputs in other segments, and in itself
// the documents that other segments killed in the inputs since the merge began.
func (m *merging) kills(now *view) map[segment.ID][]uint32 {
	kills := map[segment.ID][]uint32{}
	for i, g := range m.inputs {
		for id, numbers := range g.Kills {
			if now.hasSegment(id) && !m.hasSegment(id) {
				kills[id] = append(kills[id], numbers...)
			}
		}
		dead := now.segmentOf(g.ID).dead
		for n, number := range m.numbers[i] {
			if number != segment.Gone && dead.Has(n) {
				kills[m.built.ID] = append(kills[m.built.ID], number)
			}
		}
	}
	sortKills(kills)
	return kills
}

// sortKills sorts the numbers of the documents in each segment, and drops repeated ones.
func sortKills(kills map[segment.ID][]uint32) {
	for id, numbers := range kills {
		sort.Slice(numbers, func(i, j int) bool { return numbers[i] < numbers[j] }) // see segment.Header.encode
		kills[id] = slices.Compact(numbers)
	}
}

// nextRoot returns the root with the new segment, and the segments that it lacks.
func (m *merging) nextRoot(now *view, pages int) (next root, old []live) {
	next = *now.root
	next.Segments = nil
	left := []*segment.Header{&m.built.Header}
	for i, l := range now.Segments {
		if m.hasSegment(l.ID) {
			old = append(old, l)
			continue
		}
		next.Segments, left = append(next.Segments, l), append(left, now.segs[i].Header)
	}
	if m.built.Docs > 0 || len(m.built.Kills) > 0 {
		next.Segments = append(next.Segments, liveOf(m.built, pages))
	} else {
		old = append(old, liveOf(m.built, pages))
	}
	if m.hasSegment(next.Last) {
		next.Last = 0
	}
	next.Dropped = slices.DeleteFunc(slices.Clone(next.Dropped), func(name string) bool {
		return !slices.ContainsFunc(left, func(h *segment.Header) bool { return len(h.Of(name+"#")) > 0 })
	})
	return next, old
}
