package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/search"
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
	Weights  TermWeights
}

// TermWeights are how much the terms of a query tell, by locale. What a search finds there it uses, and it adds what is missing. So the pages of one search
// can be ranked alike: each entry that is published or deleted changes what a fresh search makes of every score.
type TermWeights map[string][]float64

// Search finds the entries of a model that match a text, each once, in no order. estimate tells that there may be more.
func (s *Store) Search(ctx context.Context, m *Model, q TextQuery) (hits []Hit, estimate bool, err error) {
	found, estimate, err := s.SearchAll(ctx, []*Model{m}, q)
	if err != nil {
		return nil, false, err
	}
	return found[0], estimate, nil
}

// SearchAll finds the entries of several models as Search does; the result has one list for each. How much a word tells is judged over all of
// them together, so that scores compare.
func (s *Store) SearchAll(ctx context.Context, models []*Model, q TextQuery) (hits [][]Hit, estimate bool, err error) {
	found := make([][]spacePostings, len(models))
	hits = make([][]Hit, len(models))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	for i, m := range models {
		g.Go(func() (err error) {
			_, err = currently(s, m, func(m *Model) (_ struct{}, err error) {
				found[i], hits[i], err = s.searchModel(gctx, m, q)
				return struct{}{}, err
			})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, false, err
	}
	weights := weightsOf(found, q.Weights)
	for i := range found {
		now := []Hit{}
		for j := range found[i] {
			now = append(now, found[i][j].hits(weights[found[i][j].locale])...)
			estimate = estimate || found[i][j].truncated()
		}
		hits[i] = onceEach(hits[i], now)
	}
	return hits, estimate, nil
}

// searchTries is how often a search is made when merges keep changing the lists under it.
const searchTries = 6

var errMerging = &cms.Error{Code: cms.CodeUnavailable, RetryAfter: time.Second, Message: "Many texts are being indexed. Try again."}

// searchModel reads what matches in one model: the postings of the current generation, and the hits in earlier ones.
//
// A merge that began before the pending changes were read touches the lists of those only. One that begins later may change lists between their
// being read: then all is read again.
func (s *Store) searchModel(ctx context.Context, m *Model, q TextQuery) (found []spacePostings, moving []Hit, err error) {
	now, old := m.spaces(q.Locales, q.Statuses)
	if len(now) == 0 {
		return nil, nil, nil
	}
	var places []textPlace
	for _, space := range now {
		places = append(places, textPlace{space, space})
		if m.keepsText() {
			for _, earlier := range earlierSpaces(m.Old, space) {
				places = append(places, textPlace{earlier, space})
			}
		}
	}
	if len(old) > 0 && !m.keepsText() {
		if moving, err = s.searchOld(ctx, m, now, old, q); err != nil {
			return nil, nil, err
		}
	}
	for range searchTries {
		pending, err := s.pendingChanges(ctx, m.ID)
		if err != nil {
			return nil, nil, err
		}
		found = make([]spacePostings, len(places))
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(8)
		for i, at := range places {
			g.Go(func() (err error) { found[i], err = s.searchSpace(gctx, m, at, q, pending); return err })
		}
		if err := g.Wait(); err != nil {
			return nil, nil, err
		}
		if merges, err := s.merges(ctx, m.ID); err != nil || merges == pending.merges {
			return found, moving, err
		}
	}
	return nil, nil, errMerging
}

// textPlace is where texts are searched and where their entries are listed, which differs for entries of earlier generations of the index.
type textPlace struct{ texts, entries string }

// keepsText tells whether the postings of earlier generations are as good as those of the current one.
func (m *Model) keepsText() bool {
	return !slices.ContainsFunc(m.Old, func(e Earlier) bool { return !e.Text })
}

// searchSpace reads what the terms of a query stand for in one space.
func (s *Store) searchSpace(ctx context.Context, m *Model, at textPlace, q TextQuery, pending pendingChanges) (spacePostings, error) {
	locale := m.localeOf(at.entries, q)
	query := search.ParseQuery(q.Text, locale)
	if len(query.Terms) > maxQueryTerms {
		return spacePostings{}, errManyWords
	}
	textSpace := at.texts
	if q.Public && m.hidesText() {
		textSpace += publicText
	}
	found := spacePostings{space: at.entries, locale: locale, terms: make([]termHits, len(query.Terms))}
	var total []int
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) { total, err = s.counts(gctx, []string{at.texts}, counterTotal); return err })
	for i, t := range query.Terms {
		g.Go(func() (err error) { found.terms[i], err = s.termHits(gctx, textSpace, t, pending); return err })
	}
	if err := g.Wait(); err != nil {
		return spacePostings{}, err
	}
	found.total = int64(total[0])
	return found, nil
}

// onceEach joins hits among the entries of earlier generations and of the current one; an entry may have been moved in between.
func onceEach(old, now []Hit) []Hit {
	if len(old) == 0 {
		return now
	}
	seen := map[uuid.UUID]bool{}
	for _, h := range now {
		seen[h.ID] = true
	}
	for _, h := range old {
		if !seen[h.ID] {
			now = append(now, h)
		}
	}
	return now
}

// localeOf is whose rules the texts of a space follow.
func (m *Model) localeOf(space string, q TextQuery) string {
	place := strings.Split(space, "#")[1]
	if place == sharedPlace {
		return q.Default
	}
	return place
}

// searchOld looks at every entry of earlier generations.
func (s *Store) searchOld(ctx context.Context, m *Model, now, old []string, q TextQuery) ([]Hit, error) {
	l := &lister{s: s, c: m.entries(), spaces: now, old: old}
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
