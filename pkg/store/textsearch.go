package store

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/search"
	"headless/pkg/table"
)

// maxQueryTerms is how many words a query may have.
const maxQueryTerms = 40

var errManyWords = cms.Errorf(cms.CodeBadRequest, "q has more than %d words.", maxQueryTerms)

// TextQuery is a full-text search in one model.
type TextQuery struct {
	Text     string
	Locales  []string
	Statuses []cms.Status
	Public   bool   // search only what keys without an admin role may see
	Default  string // the default locale, whose rules hold for models that are not localized
}

// Search finds the entries of a model that match a text, in no order. estimate tells that there may be more.
func (s *Store) Search(ctx context.Context, m *Model, q TextQuery) (hits []Hit, estimate bool, err error) {
	now, old := m.spaces(q.Locales, q.Statuses)
	if len(now) == 0 {
		return []Hit{}, false, nil
	}
	pending, err := s.pendingEntries(ctx, m)
	if err != nil {
		return nil, false, err
	}
	found := make([]spaceHits, len(now))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for i, space := range now {
		g.Go(func() (err error) { found[i], err = s.searchSpace(gctx, m, space, q, pending); return err })
	}
	if err := g.Wait(); err != nil {
		return nil, false, err
	}
	hits = []Hit{}
	for _, f := range found {
		hits = append(hits, f.hits...)
		estimate = estimate || f.estimate
	}
	if len(old) > 0 {
		more, err := s.searchOld(ctx, m, old, q)
		if err != nil {
			return nil, false, err
		}
		hits = append(hits, more...)
	}
	return hits, estimate, nil
}

type spaceHits struct {
	hits     []Hit
	estimate bool
}

// localeOf is whose rules the texts of a space follow.
func (m *Model) localeOf(space string, q TextQuery) string {
	place := strings.Split(space, "#")[1]
	if place == sharedPlace {
		return q.Default
	}
	return place
}

// termHits are the entries with one term of the query.
type termHits struct {
	weights   map[uuid.UUID]float64 // factor × weight of the best stem
	df        int64
	truncated bool
}

func (s *Store) searchSpace(ctx context.Context, m *Model, space string, q TextQuery, pending map[uuid.UUID]bool) (spaceHits, error) {
	query := search.ParseQuery(q.Text, m.localeOf(space, q))
	if len(query.Terms) > maxQueryTerms {
		return spaceHits{}, errManyWords
	}
	if len(query.Terms) == 0 {
		return spaceHits{}, nil
	}
	textSpace := space
	if q.Public && m.hidesText() {
		textSpace += publicText
	}
	terms := make([]termHits, len(query.Terms))
	var total []int
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { total, err = s.counts(gctx, []string{space}, counterTotal); return err })
	for i, t := range query.Terms {
		g.Go(func() (err error) { terms[i], err = s.termHits(gctx, textSpace, t); return err })
	}
	if err := g.Wait(); err != nil {
		return spaceHits{}, err
	}
	result := intersect(space, terms, int64(total[0]))
	var err error
	result.hits, err = s.confirm(ctx, m, textSpace, query, result.hits, pending)
	return result, err
}

// intersect keeps the entries that every term has, with their scores.
func intersect(space string, terms []termHits, total int64) spaceHits {
	order := slices.Clone(terms)
	slices.SortFunc(order, func(a, b termHits) int { return len(a.weights) - len(b.weights) })
	result := spaceHits{hits: make([]Hit, 0, len(order[0].weights))}
	for _, t := range terms {
		result.estimate = result.estimate || t.truncated
	}
next:
	for id := range order[0].weights {
		score := 0.0
		for _, t := range terms {
			w, ok := t.weights[id]
			if !ok {
				continue next
			}
			score += search.IDF(total, t.df) * w
		}
		result.hits = append(result.hits, Hit{ID: id, Space: space, Score: score})
	}
	return result
}

// termHits reads the postings of a term, and for a prefix those of all stems it may stand for.
func (s *Store) termHits(ctx context.Context, space string, t search.QueryTerm) (termHits, error) {
	stems := []string{t.Stem}
	if t.Prefix {
		more, err := s.stemsOf(ctx, space, t.Word)
		if err != nil {
			return termHits{}, err
		}
		for _, stem := range more {
			if stem != t.Stem {
				stems = append(stems, stem)
			}
		}
	}
	lists := make([][]table.Item, len(stems))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	for i, stem := range stems {
		g.Go(func() (err error) {
			prefix := postingPrefix(space, stem)
			lists[i], err = s.table.Query(gctx, table.Range{Partition: prefix.Partition, Prefix: prefix.Sort, Limit: maxCollect + 1})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return termHits{}, err
	}
	result := termHits{weights: make(map[uuid.UUID]float64, len(lists[0]))}
	for i, stem := range stems {
		result.add(stem, lists[i], t)
	}
	return result, nil
}

func (h *termHits) add(stem string, rows []table.Item, t search.QueryTerm) {
	n := int64(0)
	for _, row := range rows {
		factor := 1.0
		if stem != t.Stem {
			if factor = t.Factor(stem, strings.Fields(string(row.Body))); factor == 0 {
				continue
			}
		}
		id, weight := parsePosting(row.Sort)
		n++
		h.weights[id] = max(h.weights[id], factor*weight)
	}
	h.df = max(h.df, n)
	h.truncated = h.truncated || len(rows) > maxCollect
}

// parsePosting reads id and weight from the end of a posting's sort key.
func parsePosting(sort string) (id uuid.UUID, weight float64) {
	tail := sort[len(sort)-postingTail:]
	copy(id[:], tail[2:])
	return id, float64(^binary.BigEndian.Uint16([]byte(tail[:2]))) / weightScale
}

// pendingEntries lists the entries of a model whose postings are, or may be, between two states.
func (s *Store) pendingEntries(ctx context.Context, m *Model) (map[uuid.UUID]bool, error) {
	rows, err := s.table.Query(ctx, table.Range{Partition: pendingPartition(m.ID)})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	ids := map[uuid.UUID]bool{}
	for _, row := range rows {
		var id uuid.UUID
		copy(id[:], row.Sort)
		ids[id] = true
	}
	return ids, nil
}

// confirm drops hits of pending entries that what is committed does not hold.
func (s *Store) confirm(ctx context.Context, m *Model, space string, query search.Query, hits []Hit, pending map[uuid.UUID]bool) ([]Hit, error) {
	if len(pending) == 0 {
		return hits, nil
	}
	kept := hits[:0]
	for _, h := range hits {
		if pending[h.ID] {
			rec, err := s.EntryForChange(ctx, m, h.ID.String())
			if err == ErrNotFound {
				continue
			}
			if err != nil {
				return nil, err
			}
			if !rec.manifest.matches(space, query) {
				continue
			}
		}
		kept = append(kept, h)
	}
	return kept, nil
}

func (x *manifest) matches(space string, query search.Query) bool {
	for _, text := range x.Texts {
		if text.Space != space {
			continue
		}
		for _, t := range query.Terms {
			found := false
			for stem, p := range text.Terms {
				found = found || t.Factor(stem, strings.Fields(p.Words)) > 0
			}
			if !found {
				return false
			}
		}
		return true
	}
	return false
}

// searchOld looks at every entry of earlier generations.
func (s *Store) searchOld(ctx context.Context, m *Model, old []string, q TextQuery) ([]Hit, error) {
	l := &lister{s: s, c: m.entries(), old: old}
	records, err := l.scanOld(ctx)
	if err != nil {
		return nil, err
	}
	model := &m.Model
	if q.Public {
		model = m.Visible()
	}
	var hits []Hit
	for _, r := range records {
		if err := l.c.decoded(r); err != nil {
			return nil, err
		}
		e := r.doc.(*cms.Entry)
		query := search.ParseQuery(q.Text, e.Locale)
		doc := search.Analyze(e.Title, SearchableTexts(model, e.Data), e.Locale)
		if score, ok := query.Matches(doc, int64(len(records)), func(search.QueryTerm) int64 { return 1 }); ok {
			hits = append(hits, Hit{ID: r.id, Space: r.space, Score: score})
		}
	}
	return hits, nil
}
