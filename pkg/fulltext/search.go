package fulltext

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/fulltext/segment"
)

// maxQueryTerms is how many words a query may have.
const maxQueryTerms = 40

// What one search may read, in pages: half a read unit each.
const (
	maxPages       = 800
	maxPrefixPages = 300 // of these, pages of the dictionary with the words that begin with a prefix
)

var (
	errManyWords = cms.Errorf(cms.CodeBadRequest, "q has more than %d words.", maxQueryTerms)
	errLongLists = cms.Errorf(cms.CodeBadRequest,
		"q has too many words for so many entries. Search for fewer words, or in fewer models.")
)

// TextSpace names a space of texts to search and the space that lists their entries. The two differ
// for public text.
type TextSpace struct{ Texts, Entries, Locale string }

// Filter leaves only the entries that have one of some values in their Change. Entries that have the
// value Unsure may match too: then Found.Unsure is set, and the caller checks them.
type Filter struct {
	Values []string
	Unsure string
}

// allValues returns all values that entries may have.
func (f *Filter) allValues() []string {
	if f.Unsure == "" {
		return f.Values
	}
	return append(slices.Clone(f.Values), f.Unsure)
}

// Query is a search in some spaces. Filters are for spaces of one index.
type Query struct {
	Text    string
	Spaces  []TextSpace
	Filters []Filter
	Weights TermWeights // of the page before

	// Use, if not nil, is given what the search found, while the search makes sure that the index has
	// not changed. If it has, Use is called again with what Search returns. Its error ends the search.
	Use func(context.Context, *Found) error
}

// group is the searched spaces that share a locale and a part of the dictionary: their words are
// looked up together.
type group struct {
	dictionary, locale string
	terms              []analysis.QueryTerm
	spaces             map[string]string // Texts to Entries
}

// searching is a search at work.
type searching struct {
	s       *Texts
	q       *Query
	pages   *pageSet
	groups  []*group
	names   []string // of the searched indexes
	plans   map[segment.ID][]*plan
	left    int // pages that may be read
	prefix  int // of these, pages of the dictionary for prefixes
	missing bool
}

// Search finds the entries that match a text. Errors: BAD_REQUEST if the text has too many words,
// also for so many entries; ErrMerging.
func (s *Texts) Search(ctx context.Context, q Query) (*Found, error) {
	for range readTries {
		r := &searching{s: s, q: &q, pages: s.newPageSet()}
		if err := r.parse(); err != nil {
			return nil, err
		}
		f, err := r.runSearch(ctx)
		if !errors.Is(err, errGone) {
			return f, err
		}
	}
	return nil, ErrMerging
}

func (r *searching) parse() error {
	for _, space := range r.q.Spaces {
		dictionary := dictionaryOf(space.Texts)
		i := slices.IndexFunc(r.groups,
			func(g *group) bool { return g.dictionary == dictionary && g.locale == space.Locale })
		if i < 0 {
			i = len(r.groups)
			r.groups = append(r.groups, &group{dictionary, space.Locale,
				analysis.ParseQuery(r.q.Text, space.Locale).Terms, map[string]string{}})
			if len(r.groups[i].terms) > maxQueryTerms {
				return errManyWords
			}
		}
		r.groups[i].spaces[space.Texts] = space.Entries
		if name := indexOf(space.Texts); !slices.Contains(r.names, name) {
			r.names = append(r.names, name)
		}
	}
	return nil
}

// runSearch reads the pending rows and then the root, so a row that is missing was flushed before the root
// was read. It does not wait for the root to answer by the one that this process knows, which is
// mostly the same: it reads pages together with the rows, and evaluates them together with the root.
func (r *searching) runSearch(ctx context.Context) (*Found, error) {
	if len(r.groups) == 0 {
		nothing := newView(&root{}, nil)
		return r.answerFrom(ctx, nil, nothing, nothing)
	}
	before := r.s.newestView()
	var err error
	if before == nil {
		if before, err = r.s.current(ctx); err != nil {
			return nil, err
		}
	}
	var rows []*row
	reading, rctx := errgroup.WithContext(ctx)
	reading.Go(func() (err error) { rows, err = r.s.readRows(rctx, r.names); return err })
	r.forgetPrepared()
	failed := r.prepareSegments(ctx, before.segs)
	if err := reading.Wait(); err != nil {
		return nil, err
	}
	var now *root
	reading, rctx = errgroup.WithContext(ctx)
	reading.Go(func() (err error) { now, err = r.s.readRoot(rctx); return err })
	var f *Found
	if failed == nil {
		f, failed = r.answerFrom(ctx, rows, before, before)
	}
	if err := reading.Wait(); err != nil {
		return nil, err
	}
	if now.version() == before.version() {
		return f, failed
	}
	v, err := r.s.view(ctx, now)
	if err != nil {
		return nil, err
	}
	if failed != nil { // perhaps since a segment is gone
		r.forgetPrepared()
	}
	if err := r.prepareSegments(ctx, v.segs); err != nil {
		return nil, err
	}
	return r.answerFrom(ctx, rows, before, v)
}

// answerFrom evaluates the query by a view whose segments are prepared. before is the view that was known
// when the rows were read.
func (r *searching) answerFrom(ctx context.Context, rows []*row, before, now *view) (*Found, error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(p *row) bool { return now.takes(p) })
	hidden, err := r.hide(ctx, rows, before, now)
	if err != nil {
		return nil, err
	}
	f, err := r.evaluate(ctx, now, rows, hidden)
	if err == nil && r.q.Use != nil {
		err = r.q.Use(ctx, f)
	}
	return f, err
}

// hide finds the documents in the searched spaces that pending rows replace. A new entry has none,
// unless its row was flushed after it was read: then the root has changed.
func (r *searching) hide(ctx context.Context, rows []*row, before, now *view) (map[segment.ID]segment.Bitmap, error) {
	flushed := before.Flushed != now.Flushed || before.Last != now.Last
	var want []place
	for _, p := range rows {
		if p.isNew && !flushed {
			continue
		}
		for _, g := range now.segs {
			for _, space := range g.Of(p.name + "#") {
				if r.searches(space.Name) {
					want = append(want, place{g, space, p.id})
				}
			}
		}
	}
	found, err := r.pages.findDocuments(ctx, want)
	if err != nil {
		return nil, err
	}
	hidden := map[segment.ID]segment.Bitmap{}
	for i, at := range found {
		if g := want[i].seg; at.exact && !g.dead.Has(at.number) {
			if hidden[g.ID] == nil {
				hidden[g.ID] = slices.Clone(g.dead)
			}
			hidden[g.ID].Set(at.number)
		}
	}
	return hidden, nil
}

func (r *searching) searches(space string) bool {
	return slices.ContainsFunc(r.groups, func(g *group) bool { _, ok := g.spaces[space]; return ok })
}
