package fulltext

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/fulltext/analysis"
	"headless/pkg/index"
)

// SpacePostings holds the postings of one space for a query.
type SpacePostings struct {
	space  string // of the entries
	Locale string // the locale by whose rules the query was parsed
	total  int64  // entries in the space
	terms  []termHits
}

// termHits holds the entries that have one term of the query.
type termHits struct {
	hits      []termHit        // sorted by id, each entry once
	df        map[string]int64 // how many entries have each stem that the term matches
	truncated bool             // there may be more
	stems     []string         // stems of a prefix whose lists were not read
	rests     []listRest       // the unread parts of long lists
}

// termHit is an entry with a term.
type termHit struct {
	id     uuid.UUID
	weight float64 // factor × weight of the best stem
}

// Truncated reports whether there may be hits that were not read.
func (p *SpacePostings) Truncated() bool {
	return !p.hopeless() &&
		slices.ContainsFunc(p.terms, func(t termHits) bool { return !t.complete() })
}

// hopeless reports whether no entry has one of the terms, so that none has all of them.
func (p *SpacePostings) hopeless() bool {
	return slices.ContainsFunc(p.terms, func(t termHits) bool { return t.complete() && len(t.hits) == 0 })
}

func (h *termHits) complete() bool {
	return !h.truncated && len(h.stems) == 0 && len(h.rests) == 0
}

// stemsTogether is how many lists of a prefix are read in one round trip.
const stemsTogether = 50

// termHits reads the entries that have the stem of a query's term, the newest first. For a prefix,
// it finds the stems of all words with that prefix.
func (s *Texts) termHits(ctx context.Context, space string, t analysis.QueryTerm,
	pending pendingChanges, a *attempt) (found termHits, err error) {
	found.df = map[string]int64{}
	g, ctx := errgroup.WithContext(ctx)
	if t.Prefix {
		g.Go(func() (err error) {
			found.stems, found.truncated, err = s.stemsOf(ctx, space, t.Word)
			found.stems = slices.DeleteFunc(found.stems, func(stem string) bool { return stem == t.Stem })
			return err
		})
	}
	for id, text := range pending.entries {
		text.match(space, t,
			func(term IndexedTerm) { found.add(t, term.Stem, Posting{id, term.Weight, term.Words}) })
	}
	lists := []listRest{{ListName: ListName{space, t.Stem}, before: uuid.Max}}
	rests, err := s.extend(ctx, &found, t, lists, pending, a, a.budget.first)
	if err := errors.Join(err, g.Wait()); err != nil {
		return found, err
	}
	found.rests = rests
	found.sortUnique()
	return found, nil
}

// prefixHits adds the entries that have one of the stems of a prefix.
func (s *Texts) prefixHits(ctx context.Context, h *termHits, space string, t analysis.QueryTerm,
	pending pendingChanges, a *attempt) error {
	for together := range slices.Chunk(h.stems, stemsTogether) {
		var lists []listRest
		for _, stem := range together {
			lists = append(lists, listRest{ListName: ListName{space, stem}, before: uuid.Max})
		}
		rests, err := s.extend(ctx, h, t, lists, pending, a, a.budget.first)
		if err != nil {
			return err
		}
		h.rests = append(h.rests, rests...)
	}
	h.stems = nil
	h.sortUnique()
	return nil
}

// extend reads more of some lists of a term, up to a number of blocks of each, and adds their
// entries to the hits. It returns the rests of the lists that have more.
func (s *Texts) extend(ctx context.Context, h *termHits, t analysis.QueryTerm, lists []listRest,
	pending pendingChanges, a *attempt, blocks int) (rests []listRest, err error) {
	parts, limits := make([][]Posting, len(lists)), make([]int, len(lists))
	oldest := make([]string, len(lists))
	g, ctx := errgroup.WithContext(ctx)
	for i, l := range lists {
		own := l.Stem == t.Stem && l.oldest == ""
		if limits[i] = a.takeBlocks(blocks, own); limits[i] == 0 {
			continue
		}
		g.Go(func() error {
			list, from, read, err := s.Postings(ctx, l.ListName, l.oldest, limits[i])
			parts[i], oldest[i] = list, from
			a.putBack(limits[i], read)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i, l := range lists {
		if limits[i] > 0 && oldest[i] == "" {
			h.add(t, l.Stem, pending.without(parts[i])...)
			continue
		}
		if len(parts[i]) > 0 {
			l.before, l.oldest = parts[i][0].ID, oldest[i]
			h.add(t, l.Stem, pending.without(parts[i])...)
		}
		rests = append(rests, l)
	}
	return rests, nil
}

// add adds those postings of a stem that the term of the query matches by the stem or by one of the
// words.
func (h *termHits) add(t analysis.QueryTerm, stem string, postings ...Posting) {
	before := len(h.hits)
	h.hits = slices.Grow(h.hits, len(postings))
	for i := range postings {
		p, factor := &postings[i], 1.0
		if stem != t.Stem {
			if factor = t.Factor(stem, strings.Fields(p.Words)); factor == 0 {
				continue
			}
		}
		h.hits = append(h.hits, termHit{p.ID, factor * float64(p.Weight) / weightScale})
	}
	h.df[stem] += int64(len(h.hits) - before)
}

// sortUnique sorts the hits by id and keeps the best one of each entry.
func (h *termHits) sortUnique() {
	sorted := true
	for i := 1; i < len(h.hits) && sorted; i++ {
		sorted = bytes.Compare(h.hits[i-1].id[:], h.hits[i].id[:]) < 0
	}
	if sorted {
		return
	}
	// A generic sort of this type would add 13 KB of code to every binary that searches.
	sort.Slice(h.hits, func(i, j int) bool {
		if c := bytes.Compare(h.hits[i].id[:], h.hits[j].id[:]); c != 0 {
			return c < 0
		}
		return h.hits[i].weight > h.hits[j].weight
	})
	h.hits = slices.CompactFunc(h.hits, func(a, b termHit) bool { return a.id == b.id })
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

// statsOf adds up the frequencies in all spaces, by locale.
func statsOf(found [][]SpacePostings) map[string]searchStats {
	stats := map[string]searchStats{}
	for _, spaces := range found {
		for i := range spaces {
			p := &spaces[i]
			sum := stats[p.Locale]
			sum.total += p.total
			if sum.df == nil {
				sum.df = make([]map[string]int64, len(p.terms))
				for j := range sum.df {
					sum.df[j] = map[string]int64{}
				}
			}
			for j := range p.terms {
				for stem, n := range p.terms[j].df {
					sum.df[j][stem] += n
				}
			}
			stats[p.Locale] = sum
		}
	}
	return stats
}

// WeightsOf returns known with the weights of the locales that it lacks, computed from found.
func WeightsOf(found [][]SpacePostings, known TermWeights) TermWeights {
	if known == nil {
		known = TermWeights{}
	}
	for locale, stats := range statsOf(found) {
		if len(known[locale]) == len(stats.df) {
			continue
		}
		known[locale] = make([]float64, len(stats.df))
		for i := range stats.df {
			known[locale][i] = analysis.IDF(stats.total, stats.frequency(i))
		}
	}
	return known
}

// Hits returns the entries that have every term, with their scores. weights holds the weight of
// each term.
func (p *SpacePostings) Hits(weights []float64) []index.Hit {
	if len(p.terms) == 0 {
		return nil
	}
	rarest := 0
	for i := range p.terms {
		if len(p.terms[i].hits) < len(p.terms[rarest].hits) {
			rarest = i
		}
	}
	hits := make([]index.Hit, len(p.terms[rarest].hits))
	for i, h := range p.terms[rarest].hits {
		hits[i] = index.Hit{ID: h.id, Space: p.space}
	}
	for i, t := range p.terms {
		hits = t.join(hits, weights[i])
	}
	return hits
}

// join returns the hits that also have this term, and adds its weight to their scores. Both are
// sorted by id.
func (h *termHits) join(hits []index.Hit, weight float64) []index.Hit {
	kept, rest := hits[:0], h.hits
	for _, hit := range hits {
		if rest = from(rest, hit.ID); len(rest) == 0 {
			break
		}
		if rest[0].id == hit.ID {
			hit.Score += weight * rest[0].weight
			kept = append(kept, hit)
		}
	}
	return kept
}

// from returns the hits from an id on.
func from(hits []termHit, id uuid.UUID) []termHit {
	for len(hits) > 0 && bytes.Compare(hits[0].id[:], id[:]) < 0 {
		hits = hits[1:]
	}
	return hits
}
