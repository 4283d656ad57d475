package fulltext

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/index"
)

// maxQueryTerms is how many words a query may have.
const maxQueryTerms = 40

var errManyWords = cms.Errorf(cms.CodeBadRequest, "q has more than %d words.", maxQueryTerms)

// TermWeights are how much the terms of a query tell, by locale. What a search finds there it uses,
// and it adds what is missing. So the pages of one search can be ranked alike: each entry that is
// published or deleted changes what a fresh search makes of every score.
type TermWeights map[string][]float64

// searchTries is how often a search is made when merges keep changing the lists under it.
const searchTries = 6

var ErrMerging = &cms.Error{Code: cms.CodeUnavailable, RetryAfter: time.Second,
	Message: "Many texts are being indexed. Try again."}

// TextSpace is where texts are searched and where their entries are listed, which differs for the
// public.
type TextSpace struct{ Texts, Entries, Locale string }

// Search reads the postings of a query in some spaces of a model.
//
// A merge that began before the pending changes were read touches the lists of those only. One that
// begins later may change lists between their being read: then all is read again.
func (s *Texts) Search(ctx context.Context, modelID string, spaces []TextSpace,
	text string) ([]SpacePostings, error) {
	for range searchTries {
		pending, err := s.pendingChanges(ctx, modelID)
		if err != nil {
			return nil, err
		}
		found := make([]SpacePostings, len(spaces))
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(8)
		for i, at := range spaces {
			g.Go(func() (err error) { found[i], err = s.searchSpace(gctx, at, text, pending); return err })
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		if merges, err := s.merges(ctx, modelID); err != nil || merges == pending.merges {
			return found, err
		}
	}
	return nil, ErrMerging
}

// searchSpace reads what the terms of a query stand for in one space.
func (s *Texts) searchSpace(ctx context.Context, at TextSpace, text string,
	pending pendingChanges) (SpacePostings, error) {
	query := analysis.ParseQuery(text, at.Locale)
	if len(query.Terms) > maxQueryTerms {
		return SpacePostings{}, errManyWords
	}
	found := SpacePostings{space: at.Entries, Locale: at.Locale, terms: make([]termHits, len(query.Terms))}
	var total []int
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		total, err = index.Counts(gctx, s.DB, []string{at.Entries}, index.CounterTotal)
		return err
	})
	for i, t := range query.Terms {
		g.Go(func() (err error) { found.terms[i], err = s.termHits(gctx, at.Texts, t, pending); return err })
	}
	if err := g.Wait(); err != nil {
		return SpacePostings{}, err
	}
	found.total = int64(total[0])
	return found, s.probe(ctx, &found, query.Terms, pending)
}
