package fulltext

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sort"

	"github.com/google/uuid"

	"headless/pkg/fulltext/analysis"
	"headless/pkg/fulltext/segment"
	"headless/pkg/index"
)

// TermWeights holds the weights of a query's terms, by locale. A search uses the weights that it is
// given and adds those that are missing. A cursor carries them to the next page, so that all pages
// of a search are ranked alike: computed anew, every weight changes with each published or deleted
// entry.
type TermWeights map[string][]float64

// Found is the result of a search. The ids of the entries are read only for those that are asked for:
// a frequent word may have very many.
type Found struct {
	Total    int
	Estimate bool // there may be more
	Unsure   bool // some entries match a filter only perhaps
	Weights  TermWeights

	pages *pageSet
	parts []*part
	extra []index.Hit // with known ids
}

// Add adds hits that were found in another way.
func (f *Found) Add(hits ...index.Hit) {
	f.extra = append(f.extra, hits...)
	f.Total += len(hits)
}

func (f *Found) score(known TermWeights, stats map[string]*searchStats, pending []pendingHit) {
	f.Weights = TermWeights{}
	maps.Copy(f.Weights, known)
	for locale, s := range stats {
		if len(f.Weights[locale]) == len(s.df) {
			continue
		}
		f.Weights[locale] = make([]float64, len(s.df))
		for i := range s.df {
			f.Weights[locale][i] = analysis.IDF(s.total, s.frequency(i))
		}
	}
	for _, p := range f.parts {
		p.scores = make([]float64, len(p.numbers))
		for i, idf := range f.Weights[p.plan.locale] {
			var scores [2 * prefixCode]float64
			for c := range scores {
				scores[c] = idf * code(c).weight()
			}
			for at, c := range p.codes[i] {
				p.scores[at] += scores[c]
			}
		}
		p.codes = nil
	}
	for _, h := range pending {
		for i, idf := range f.Weights[h.group.locale] {
			h.Score += idf * h.codes[i].weight()
		}
		f.extra = append(f.extra, h.Hit)
	}
}

// candidate is a hit whose id may not be known yet.
type candidate struct {
	score  float64
	part   *part // nil: id is known
	space  searched
	number int
	hit    index.Hit
}

// All returns all hits, in no order.
func (f *Found) All(ctx context.Context) ([]index.Hit, error) {
	all := make([]candidate, 0, f.Total)
	for _, p := range f.parts {
		p.forEachSpace(func(space searched, from, to int) {
			for i := from; i < to; i++ {
				all = append(all, candidate{p.scores[i], p, space, int(p.numbers[i]), index.Hit{}})
			}
		})
	}
	hits, err := f.resolve(ctx, all)
	return append(hits, f.extra...), err
}

// forEachSpace calls visit for each space with the positions of its documents.
func (p *part) forEachSpace(visit func(space searched, from, to int)) {
	from := 0
	for _, space := range p.plan.ranges {
		to := from + sort.Search(len(p.numbers)-from,
			func(i int) bool { return int(p.numbers[from+i]) >= space.First+space.Count })
		if to > from {
			visit(space, from, to)
		}
		from = to
	}
}

// Best returns the n best hits, in order: by score, then by id. With after, it returns the best ones
// that follow this hit.
func (f *Found) Best(ctx context.Context, n int, after *index.Hit) ([]index.Hit, error) {
	if n <= 0 {
		return []index.Hit{}, nil
	}
	starts, err := f.ties(ctx, after)
	if err != nil {
		return nil, err
	}
	var best []candidate
	for _, p := range f.parts {
		p.forEachSpace(func(space searched, from, to int) {
			// Within a space, the order of the numbers is that of the ids.
			best = append(best, p.bestOf(space, from, to, n, after, starts)...)
		})
	}
	for _, h := range f.extra {
		if after == nil || index.ByScore(after, &h) < 0 {
			best = append(best, candidate{score: h.Score, hit: h})
		}
	}
	sort.Slice(best, func(i, j int) bool { return best[i].score > best[j].score })
	if len(best) > n {
		tie := best[n-1].score
		from, to := sort.Search(len(best), func(i int) bool { return best[i].score <= tie }),
			sort.Search(len(best), func(i int) bool { return best[i].score < tie })
		best = append(best[:from:from], smallest(best[from:to], n-from)...)
	}
	hits, err := f.resolve(ctx, best)
	if err != nil {
		return nil, err
	}
	sort.Slice(hits, func(i, j int) bool { return index.ByScore(&hits[i], &hits[j]) < 0 })
	return hits[:min(n, len(hits))], nil
}

// spaceOf identifies a space of a part.
type spaceOf struct {
	part  *part
	first int
}

// ties finds in each space from which number on the documents with the score of after follow it.
func (f *Found) ties(ctx context.Context, after *index.Hit) (map[spaceOf]int, error) {
	if after == nil {
		return nil, nil
	}
	var want []place
	var of []spaceOf
	for _, p := range f.parts {
		p.forEachSpace(func(space searched, from, to int) {
			if slices.Contains(p.scores[from:to], after.Score) {
				want, of = append(want, place{p.seg, space.Space, after.ID}), append(of, spaceOf{p, space.First})
			}
		})
	}
	found, err := f.pages.findDocuments(ctx, want)
	starts := map[spaceOf]int{}
	for i, at := range found {
		starts[of[i]] = at.number
		if at.exact {
			starts[of[i]]++
		}
	}
	return starts, err
}

// bestOf returns the n best documents of a space, by score and number.
func (p *part) bestOf(space searched, from, to, n int, after *index.Hit, starts map[spaceOf]int) []candidate {
	var heap []int // positions; the worst comes first
	worse := func(a, b int) bool {
		return p.scores[a] < p.scores[b] || p.scores[a] == p.scores[b] && a > b
	}
	start := starts[spaceOf{p, space.First}]
	for i := from; i < to; i++ {
		if after != nil && (p.scores[i] > after.Score || p.scores[i] == after.Score && int(p.numbers[i]) < start) {
			continue
		}
		if len(heap) == n {
			if !worse(heap[0], i) {
				continue
			}
			heap[0] = i
			sink(heap, worse)
			continue
		}
		heap = append(heap, i)
		for at := len(heap) - 1; at > 0 && worse(heap[at], heap[(at-1)/2]); at = (at - 1) / 2 {
			heap[at], heap[(at-1)/2] = heap[(at-1)/2], heap[at]
		}
	}
	list := make([]candidate, len(heap))
	for i, at := range heap {
		list[i] = candidate{p.scores[at], p, space, int(p.numbers[at]), index.Hit{}}
	}
	return list
}

// sink moves the first element of a heap to its place.
func sink(heap []int, worse func(a, b int) bool) {
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(heap); child++ {
			if worse(heap[child], heap[least]) {
				least = child
			}
		}
		if least == at {
			return
		}
		heap[at], heap[least] = heap[least], heap[at]
		at = least
	}
}

// smallest returns the candidates that may be among the n with the smallest ids. Headers have the ids
// at which pages begin, so most others are ruled out without reading their pages.
func smallest(list []candidate, n int) []candidate {
	highs := make([]uint64, len(list))
	lows := make([]uint64, len(list))
	for i, c := range list {
		if lows[i], highs[i] = prefixOf(c.hit.ID), prefixOf(c.hit.ID); c.part != nil {
			lows[i], highs[i] = c.part.seg.Bounds(c.space.Space, c.number)
		}
	}
	sorted := slices.Clone(highs)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i] < sorted[j] }) // see segment.Header.encode
	limit := sorted[min(n, len(sorted))-1]
	kept := list[:0:0]
	for i, c := range list {
		if lows[i] <= limit {
			kept = append(kept, c)
		}
	}
	return kept
}

func prefixOf(id uuid.UUID) (n uint64) {
	for _, b := range id[:8] {
		n = n<<8 | uint64(b)
	}
	return n
}

// resolve reads the ids and versions of candidates.
func (f *Found) resolve(ctx context.Context, list []candidate) ([]index.Hit, error) {
	var wanted []pageRef
	for _, c := range list {
		if c.part != nil {
			n := c.part.seg.IDPage(c.number)
			wanted = refs(wanted, c.part.seg.Header, segment.IDs, n, n+1)
		}
	}
	if len(wanted) > 0 {
		if err := f.pages.loadPages(ctx, wanted); errors.Is(err, errGone) {
			return nil, ErrMerging
		} else if err != nil {
			return nil, err
		}
	}
	hits := make([]index.Hit, len(list))
	for i, c := range list {
		if hits[i] = c.hit; c.part == nil {
			continue
		}
		id, version, err := f.pages.document(ctx, c.part.seg.Header, c.number)
		if err != nil {
			return nil, err
		}
		hits[i] = index.Hit{ID: id, Version: int64(version), Space: c.space.entries, Score: c.score}
	}
	return hits, nil
}
