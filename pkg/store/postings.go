package store

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/search"
	"headless/pkg/table"
)

// spacePostings is what was read of one space for a query.
type spacePostings struct {
	space  string // of the entries
	locale string // whose rules the query was read by
	total  int64  // entries in the space
	terms  []termPostings
}

// termPostings are the postings of the stems that one term of the query stands for.
type termPostings struct {
	term      search.QueryTerm
	stems     []string
	rows      [][]table.Item // by stem
	truncated bool
	counted   *termHits // made once from rows that are committed
}

func (p *spacePostings) truncated() bool {
	return slices.ContainsFunc(p.terms, func(t termPostings) bool { return t.truncated })
}

func (s *Store) searchSpace(ctx context.Context, m *Model, space string, q TextQuery) (spacePostings, error) {
	locale := m.localeOf(space, q)
	query := search.ParseQuery(q.Text, locale)
	if len(query.Terms) > maxQueryTerms {
		return spacePostings{}, errManyWords
	}
	textSpace := space
	if q.Public && m.hidesText() {
		textSpace += publicText
	}
	found := spacePostings{space: space, locale: locale, terms: make([]termPostings, len(query.Terms))}
	var total []int
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { total, err = s.counts(gctx, []string{space}, counterTotal); return err })
	for i, t := range query.Terms {
		g.Go(func() (err error) { found.terms[i], err = s.postings(gctx, textSpace, t); return err })
	}
	if err := g.Wait(); err != nil {
		return spacePostings{}, err
	}
	found.total = int64(total[0])
	return found, nil
}

// Limits of what one term of a query may read. Past them the total is an estimate.
const (
	maxPostings   = 60_000 // postings of all stems
	stemsTogether = 50     // stems read in one round trip
)

// postings reads the postings of a term, and for a prefix those of all stems it may stand for.
func (s *Store) postings(ctx context.Context, space string, t search.QueryTerm) (termPostings, error) {
	found := termPostings{term: t, stems: []string{t.Stem}}
	if t.Prefix {
		more, truncated, err := s.stemsOf(ctx, space, t.Word)
		if err != nil {
			return found, err
		}
		found.truncated = truncated
		found.stems = append(found.stems, slices.DeleteFunc(more, func(stem string) bool { return stem == t.Stem })...)
	}
	found.rows = make([][]table.Item, len(found.stems))
	read := 0
	for from := 0; from < len(found.stems); from += stemsTogether {
		if read > maxPostings {
			found.truncated = true
			break
		}
		to := min(from+stemsTogether, len(found.stems))
		g, gctx := errgroup.WithContext(ctx)
		for i := from; i < to; i++ {
			g.Go(func() (err error) {
				prefix := postingPrefix(space, found.stems[i])
				found.rows[i], err = s.table.Query(gctx, table.Range{Partition: prefix.Partition, Prefix: prefix.Sort, Limit: maxCollect + 1})
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return found, err
		}
		for _, rows := range found.rows[from:to] {
			read += len(rows)
			found.truncated = found.truncated || len(rows) > maxCollect
		}
	}
	return found, nil
}

// searchStats tells how much the terms of a query tell among all texts of a locale.
type searchStats struct {
	total int64              // entries
	df    []map[string]int64 // by term: entries with each of its stems
}

// frequency is how many entries have the most frequent stem of a term.
func (s searchStats) frequency(term int) int64 {
	most := int64(0)
	for _, n := range s.df[term] {
		most = max(most, n)
	}
	return most
}

// statsOf adds up what was read, by locale.
func statsOf(found [][]spacePostings) map[string]searchStats {
	stats := map[string]searchStats{}
	for _, spaces := range found {
		for i := range spaces {
			p := &spaces[i]
			sum := stats[p.locale]
			sum.total += p.total
			if sum.df == nil {
				sum.df = make([]map[string]int64, len(p.terms))
				for j := range sum.df {
					sum.df[j] = map[string]int64{}
				}
			}
			for j := range p.terms {
				for stem, n := range p.terms[j].hits().df {
					sum.df[j][stem] += n
				}
			}
			stats[p.locale] = sum
		}
	}
	return stats
}

// hits keeps the entries that every term has, with their scores.
func (p *spacePostings) hits(stats searchStats) []Hit {
	if len(p.terms) == 0 {
		return nil
	}
	terms := make([]termHits, len(p.terms))
	idf := make([]float64, len(p.terms))
	rarest := 0
	for i := range p.terms {
		terms[i] = p.terms[i].hits()
		if stats.df != nil {
			idf[i] = search.IDF(stats.total, stats.frequency(i))
		}
		if len(terms[i].weights) < len(terms[rarest].weights) {
			rarest = i
		}
	}
	hits := make([]Hit, 0, len(terms[rarest].weights))
next:
	for id := range terms[rarest].weights {
		score := 0.0
		for i, t := range terms {
			w, ok := t.weights[id]
			if !ok {
				continue next
			}
			score += idf[i] * w
		}
		hits = append(hits, Hit{ID: id, Space: p.space, Score: score})
	}
	return hits
}

// termHits are the entries with one term of the query.
type termHits struct {
	weights map[uuid.UUID]float64 // factor × weight of the best stem
	df      map[string]int64      // entries with each stem
}

// hits sums up the postings. They must not change any more.
func (p *termPostings) hits() termHits {
	if p.counted != nil {
		return *p.counted
	}
	h := termHits{weights: make(map[uuid.UUID]float64, len(p.rows[0])), df: map[string]int64{}}
	for i, stem := range p.stems {
		n := int64(0)
		for _, row := range p.rows[i] {
			factor := 1.0
			if stem != p.term.Stem {
				if factor = p.term.Factor(stem, strings.Fields(string(row.Body))); factor == 0 {
					continue
				}
			}
			id, weight := parsePosting(row.Sort)
			n++
			h.weights[id] = max(h.weights[id], factor*weight)
		}
		if n > 0 {
			h.df[stem] = n
		}
	}
	p.counted = &h
	return h
}

// parsePosting reads id and weight from the end of a posting's sort key.
func parsePosting(sort string) (id uuid.UUID, weight float64) {
	tail := sort[len(sort)-postingTail:]
	copy(id[:], tail[2:])
	return id, float64(^binary.BigEndian.Uint16([]byte(tail[:2]))) / weightScale
}
