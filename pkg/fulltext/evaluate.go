package fulltext

import (
	"context"
	"slices"
	"strings"

	"headless/pkg/fulltext/analysis"
	"headless/pkg/fulltext/segment"
	"headless/pkg/index"
)

// code is how well a document matches a term: the byte of its weight, and prefixCode if only the
// beginning of a word matches. 0: it does not.
type code uint16

const prefixCode code = 256

func (c code) weight() float64 {
	w := weights()[c&(prefixCode-1)]
	if c >= prefixCode {
		w *= analysis.PrefixFactor
	}
	return w
}

// part is the documents of a segment that have all terms, for a group.
type part struct {
	seg     *seg
	plan    *plan
	numbers []uint32
	codes   [][]code // of each term, for each of numbers
	scores  []float64
}

// pendingHit is an entry that matches by its pending row.
type pendingHit struct {
	index.Hit
	group *group
	codes []code
}

// evaluate finds the matching documents, one segment after the other, so that the lists of only one
// are in memory.
func (r *searching) evaluate(ctx context.Context, v *view, rows []*row,
	hidden map[segment.ID]segment.Bitmap) (*Found, error) {
	f := &Found{pages: r.pages, Estimate: r.missing}
	stats := map[string]*searchStats{}
	for _, g := range r.groups {
		if stats[g.locale] == nil {
			stats[g.locale] = &searchStats{df: make([]map[string]int64, len(g.terms))}
			for i := range stats[g.locale].df {
				stats[g.locale].df[i] = map[string]int64{}
			}
		}
	}
	for _, g := range v.segs {
		dead := g.dead
		if hidden[g.ID] != nil {
			dead = hidden[g.ID]
		}
		for _, p := range r.plans[g.ID] {
			e := &evaluation{r: r, g: g, p: p, dead: dead, stats: stats[p.locale]}
			found, err := e.evaluate(ctx)
			if err != nil {
				return nil, err
			}
			f.Unsure = f.Unsure || e.unsure
			if len(found.numbers) > 0 {
				f.parts = append(f.parts, found)
				f.Total += len(found.numbers)
			}
		}
	}
	var pending []pendingHit
	for _, p := range rows {
		for i := range p.Texts {
			for _, g := range r.groups {
				if entries, ok := g.spaces[p.Texts[i].Space]; ok {
					if h, ok := r.matchPending(f, p, &p.Texts[i], g, stats[g.locale]); ok {
						h.ID, h.Version, h.Space = p.id, int64(p.Version), entries
						pending = append(pending, h)
					}
				}
			}
		}
	}
	f.Total += len(pending)
	f.score(r.q.Weights, stats, pending)
	return f, nil
}

// matchPending matches the text of a pending row as its segment would after a flush.
func (r *searching) matchPending(f *Found, p *row, text *IndexedText, g *group,
	stats *searchStats) (h pendingHit, ok bool) {
	stats.total++
	h = pendingHit{group: g, codes: make([]code, len(g.terms))}
	ok = len(g.terms) > 0
	for i, t := range g.terms {
		best := code(0)
		look := func(term segment.Term) {
			c := code(term.Weight)
			if term.Stem != t.Stem {
				if t.Factor(term.Stem, strings.Fields(term.Words)) == 0 {
					return
				}
				c |= prefixCode
			}
			stats.df[i][term.Stem]++
			if best == 0 || c.weight() > best.weight() {
				best = c
			}
		}
		if t.Prefix {
			for _, term := range text.Terms {
				look(term)
			}
		} else if term, found := text.term(t.Stem); found {
			look(term)
		}
		h.codes[i] = best
		ok = ok && best > 0
	}
	unsure := false
	for _, filter := range r.q.Filters {
		has := func(v string) bool { return slices.Contains(p.Filters, v) }
		if !slices.ContainsFunc(filter.Values, has) {
			ok, unsure = ok && has(filter.Unsure), true
		}
	}
	f.Unsure = f.Unsure || ok && unsure
	return h, ok
}

// evaluation matches the documents of one segment.
type evaluation struct {
	r      *searching
	g      *seg
	p      *plan
	dead   segment.Bitmap
	stats  *searchStats
	unsure bool // some documents match a filter only perhaps
	best   []code
}

func (e *evaluation) evaluate(ctx context.Context) (*part, error) {
	for _, space := range e.p.ranges {
		e.stats.total += int64(space.Count)
		e.stats.total -= int64(e.dead.Count(space.First, space.First+space.Count))
	}
	f := &part{seg: e.g, plan: e.p}
	for i := range e.p.group.terms {
		m, err := e.term(ctx, i)
		if err != nil {
			return nil, err
		}
		for stem, n := range m.df {
			e.stats.df[i][stem] += n
		}
		f.keepWith(m, i == 0)
	}
	for i := range e.p.filters {
		if len(f.numbers) == 0 {
			break
		}
		if err := e.filter(ctx, f, i); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// matching is the documents of a segment that have a term, in the searched spaces. It does not change.
type matching struct {
	numbers []uint32
	codes   []code
	df      map[string]int64 // documents with each stem
}

// termKey names a matching.
type termKey struct {
	seg    segment.ID
	kills  int // more of a segment's documents die, but none comes back
	spaces string
	term   analysis.QueryTerm
}

// term finds the documents that have the i-th term. It keeps what it found for the next search, unless
// pending rows hide documents or lists were left out.
func (e *evaluation) term(ctx context.Context, i int) (*matching, error) {
	spaces := e.p.dictionary
	for _, space := range e.p.ranges {
		spaces += "\n" + space.Name
	}
	key := termKey{e.g.ID, e.dead.Count(0, e.g.Docs), spaces, e.p.group.terms[i]}
	whole := key.kills == e.g.kills && !e.r.missing
	if m, ok := e.r.s.terms.Get(key); ok && whole {
		return m, nil
	}
	m := &matching{df: map[string]int64{}}
	if e.best == nil {
		e.best = make([]code, e.g.Docs)
	}
	clear(e.best)
	for _, l := range e.p.terms[i] {
		if err := e.list(ctx, l, key.term, m.df); err != nil {
			return nil, err
		}
	}
	for _, space := range e.p.ranges {
		for n, c := range e.best[space.First : space.First+space.Count] {
			if c != 0 {
				m.numbers, m.codes = append(m.numbers, uint32(space.First+n)), append(m.codes, c)
			}
		}
	}
	if whole {
		e.r.s.terms.Put(key, m, 6*len(m.numbers)+100)
	}
	return m, nil
}

// list adds the postings of a list that are searched to the best ones.
func (e *evaluation) list(ctx context.Context, at lookup, t analysis.QueryTerm, df map[string]int64) error {
	l, err := e.decodeList(ctx, at)
	if err != nil {
		return err
	}
	mark := code(0)
	var matches []bool
	if !at.own {
		mark, matches = prefixCode, make([]bool, len(l.Table))
		for i, words := range l.Table {
			matches[i] = t.Factor(at.stem, strings.Fields(words)) > 0
		}
	}
	count := int64(0)
	ranges := e.p.ranges
	for i, n := range l.Numbers {
		for len(ranges) > 0 && int(n) >= ranges[0].First+ranges[0].Count {
			ranges = ranges[1:]
		}
		if len(ranges) == 0 {
			break
		}
		if int(n) < ranges[0].First || e.dead.Has(int(n)) {
			continue
		}
		if matches != nil {
			form := 0
			if l.Forms != nil {
				form = int(l.Forms[i])
			}
			if !matches[form] {
				continue
			}
		}
		count++
		c := mark
		if l.Weights != nil {
			c |= code(l.Weights[i])
		}
		if was := e.best[n]; was == 0 || was^c < prefixCode && c > was || was^c >= prefixCode && c.weight() > was.weight() {
			e.best[n] = c
		}
	}
	if count > 0 {
		df[at.stem] += count
	}
	return nil
}

func (e *evaluation) decodeList(ctx context.Context, at lookup) (segment.List, error) {
	return e.g.List(at.Entry, func(n int) ([]byte, error) {
		return e.r.pages.page(ctx, e.g.Header, segment.Lists, n)
	})
}

// keepWith leaves the documents that also have a further term.
func (p *part) keepWith(m *matching, first bool) {
	if first {
		p.numbers, p.codes = m.numbers, [][]code{m.codes}
		return
	}
	var codes []code
	at := 0
	p.keepOnly(func(n uint32) bool {
		for at < len(m.numbers) && m.numbers[at] < n {
			at++
		}
		if at == len(m.numbers) || m.numbers[at] != n {
			return false
		}
		codes = append(codes, m.codes[at])
		return true
	})
	p.codes = append(p.codes, codes)
}

// keepOnly leaves some documents. It does not change the lists, which the matching of a term may share.
func (p *part) keepOnly(stays func(n uint32) bool) {
	numbers, codes := []uint32(nil), make([][]code, len(p.codes))
	for at, n := range p.numbers {
		if stays(n) {
			numbers = append(numbers, n)
			for i := range codes {
				codes[i] = append(codes[i], p.codes[i][at])
			}
		}
	}
	p.numbers, p.codes = numbers, codes
}

// filter leaves the documents that match the i-th filter.
func (e *evaluation) filter(ctx context.Context, f *part, i int) error {
	sure, perhaps := segment.NewBitmap(e.g.Docs), segment.NewBitmap(e.g.Docs)
	for at, lookup := range e.p.filters[i] {
		l, err := e.decodeList(ctx, lookup)
		if err != nil {
			return err
		}
		into := sure
		if at == e.p.unsure[i] {
			into = perhaps
		}
		for _, n := range l.Numbers {
			into.Set(int(n))
		}
	}
	f.keepOnly(func(n uint32) bool {
		if sure.Has(int(n)) {
			return true
		}
		e.unsure = e.unsure || perhaps.Has(int(n))
		return perhaps.Has(int(n))
	})
	return nil
}

// searchStats holds the frequencies of a query's terms among all texts of a locale.
type searchStats struct {
	total int64              // entries
	df    []map[string]int64 // by term: entries with each of its stems
}

// frequency returns how many entries have the most frequent stem of a term.
func (s searchStats) frequency(term int) int64 {
	most := int64(0)
	for _, n := range s.df[term] {
		most = max(most, n)
	}
	return most
}
