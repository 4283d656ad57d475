package fulltext

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/index/totals"
)

// maxQueryTerms is how many words a query may have.
const maxQueryTerms = 40

var errManyWords = cms.Errorf(cms.CodeBadRequest, "q has more than %d words.", maxQueryTerms)

// TermWeights holds the weights of a query's terms, by locale. A search uses the weights that it is
// given and adds those that are missing. A cursor carries them to the next page, so that all pages
// of a search are ranked alike: computed anew, every weight changes with each published or deleted
// entry.
type TermWeights map[string][]float64

// searchTries is how many times a search is attempted if merges change the lists while it reads
// them.
const searchTries = 6

// ErrMerging says that too many changes are pending or that merges do not let a search finish.
var ErrMerging = &cms.Error{Code: cms.CodeUnavailable, RetryAfter: time.Second,
	Message: "Many texts are being indexed. Try again in a moment."}

// TextSpace names the space of the texts to search and the space that lists their entries. The two
// differ for public text.
type TextSpace struct{ Texts, Entries, Locale string }

// Search reads the postings of a query in some spaces of a model, as far as the budget allows.
//
// A merge that began before the pending changes were read changes lists only for these entries,
// whose postings are ignored. A merge that begins later may change a list between two reads; then
// everything is read again.
func (s *Texts) Search(ctx context.Context, modelID string, spaces []TextSpace,
	text string, b *Budget) ([]SpacePostings, error) {
	for range searchTries {
		a := &attempt{budget: b}
		pending, err := s.pendingChanges(ctx, modelID)
		if err != nil {
			return nil, err
		}
		found := make([]SpacePostings, len(spaces))
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(8)
		for i, space := range spaces {
			g.Go(func() (err error) { found[i], err = s.searchSpace(gctx, space, text, pending, a); return err })
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		if merges, err := s.merges(ctx, modelID); err != nil || merges == pending.merges {
			return found, err
		}
		a.undo()
	}
	return nil, ErrMerging
}

// searchSpace reads the postings of a query's terms in one space.
func (s *Texts) searchSpace(ctx context.Context, space TextSpace, text string,
	pending pendingChanges, a *attempt) (SpacePostings, error) {
	query := analysis.ParseQuery(text, space.Locale)
	if len(query.Terms) > maxQueryTerms {
		return SpacePostings{}, errManyWords
	}
	found := SpacePostings{space: space.Entries, Locale: space.Locale, terms: make([]termHits, len(query.Terms))}
	var total []int
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		total, err = totals.Of(gctx, s.DB, []string{space.Entries}, totals.All)
		return err
	})
	for i, t := range query.Terms {
		g.Go(func() (err error) { found.terms[i], err = s.termHits(gctx, space.Texts, t, pending, a); return err })
	}
	if err := g.Wait(); err != nil {
		return SpacePostings{}, err
	}
	found.total = int64(total[0])
	if found.hopeless() && !a.budget.few {
		return found, nil // the weights then lack how often words with the prefix occur here
	}
	g, gctx = errgroup.WithContext(ctx)
	for i, t := range query.Terms {
		g.Go(func() error { return s.prefixHits(gctx, &found.terms[i], space.Texts, t, pending, a) })
	}
	if err := g.Wait(); err != nil {
		return SpacePostings{}, err
	}
	return found, s.readOn(ctx, &found, query.Terms, pending, a)
}
