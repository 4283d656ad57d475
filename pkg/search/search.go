package search

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/fulltext"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/fulltext/searchable"
	"headless/pkg/index"
	"headless/pkg/index/sortkey"
	"headless/pkg/site"
)

// Query is a query for a page of GET /search (decisions §4).
type Query struct {
	db.Paging
	Cursor   string
	Q        string
	Models   []string // slugs; nil for all active models
	Locales  []string
	Statuses []cms.Status
	Sort     []query.SortField // by score, title, published_at; nil for the best first
	Public   bool

	weights fulltext.TermWeights // of the previous page
}

// Result is one result of GET /search.
type Result struct {
	ID          string   `json:"id"`
	Model       string   `json:"model"`
	Slug        string   `json:"slug"`
	Title       string   `json:"title"`
	Locale      string   `json:"locale"`
	PublishedAt cms.Time `json:"published_at"`
	Score       float64  `json:"score"`
	Excerpt     string   `json:"excerpt"`

	URL    *cms.EntryURL `json:"url,omitempty"` // set by those who show it
	Parent string        `json:"-"`             // see cms.Place
}

// Place returns the place of the entry.
func (r *Result) Place() cms.Place {
	return cms.Place{ID: r.ID, Locale: r.Locale, Slug: r.Slug, Day: r.PublishedAt.Day(), Parent: r.Parent}
}

// modelHit is a hit with its model.
type modelHit struct {
	index.Hit
	m *site.Model
	e *cms.Entry
}

// maxSortedHits is the maximum number of results that can be sorted by other values than the score.
const maxSortedHits = 2000

// Search finds entries of all models by their text. Errors: BAD_REQUEST for an empty or too long q,
// an unknown model or an invalid cursor; QUERY_NOT_INDEXED for sorting too many results by other
// values than the score.
func Search(ctx context.Context, s *content.Store, siteNow *site.Site, q Query) (db.Page[Result], error) {
	page := db.Page[Result]{Paging: q.Paging, Items: []Result{}}
	if blank(q.Q) {
		return page, cms.Errorf(cms.CodeBadRequest, "q is required.")
	}
	if utf8.RuneCountInString(q.Q) > maxQ {
		return page, errLongQ
	}
	var err error
	if q.Cursor, q.weights, err = decodeCursor(ctx, s.DB, q.cursorCheck(), q.Cursor); err != nil {
		return page, err
	}
	if slices.Equal(q.Sort, []query.SortField{{Path: "score", Desc: true}}) {
		q.Sort = nil
	}
	models, err := modelsToSearch(siteNow, q.Models)
	if err != nil {
		return page, err
	}
	if !slices.Contains(q.Locales, siteNow.Default) {
		// The entries of models that are not localized are in the default locale.
		models = slices.DeleteFunc(slices.Clone(models), func(m *site.Model) bool { return !m.Localized })
	}
	_, err = s.Search(ctx, models, content.TextQuery{
		Text: q.Q, Locales: q.Locales, Statuses: q.Statuses, Public: q.Public, Default: siteNow.Default, Weights: q.weights,
		Use: func(ctx context.Context, found *fulltext.Found) (err error) {
			r := &ranking{s: s, found: found, models: models, q: q.Q, public: q.Public}
			page, err = r.results(ctx, q)
			return err
		},
	})
	return page, err
}

// results returns the page that a query asks for.
func (r *ranking) results(ctx context.Context, q Query) (db.Page[Result], error) {
	page := db.Page[Result]{Paging: q.Paging, Items: []Result{}}
	shown, err := r.orderedPage(ctx, q)
	if err != nil {
		return page, err
	}
	page.Total, page.Estimate = shown.total, shown.estimate || r.found.Estimate
	if shown.more {
		key := shown.shown[len(shown.shown)-1].sortKey(q.Sort)
		if page.Next, err = encodeCursor(ctx, r.s.DB, q.cursorCheck(), key, r.found.Weights); err != nil {
			return page, err
		}
	}
	page.Items, err = results(ctx, r.s, q, shown.shown)
	return page, err
}

// modelsToSearch returns the models to search. Error: BAD_REQUEST for an unknown model.
func modelsToSearch(siteNow *site.Site, slugs []string) ([]*site.Model, error) {
	var models []*site.Model
	for _, slug := range slugs {
		m, err := siteNow.ActiveModel(slug)
		if err != nil {
			return nil, cms.Errorf(cms.CodeBadRequest, "There is no model %q to search.", cms.Shorten(slug))
		}
		if !slices.Contains(models, m) {
			models = append(models, m)
		}
	}
	if slugs == nil {
		for _, m := range siteNow.Models {
			if m.IsActive {
				models = append(models, m)
			}
		}
	}
	return models, nil
}

// orderedPage returns the page of the hits in the order that the query asks for.
func (r *ranking) orderedPage(ctx context.Context, q Query) (ranked, error) {
	if len(q.Sort) == 0 {
		return r.page(ctx, q.Paging, q.Cursor)
	}
	limit := maxSortedHits
	if q.Sort[0].Path == "score" {
		limit = index.MaxCollect
	}
	if r.found.Total > limit {
		return ranked{}, cms.Errorf(cms.CodeQueryNotIndexed,
			"More than %d entries match. Leave out sort, or search for more words.", limit)
	}
	found, err := r.found.All(ctx)
	if err != nil {
		return ranked{}, err
	}
	hits, more, err := r.refine(ctx, r.withModels(found))
	if err != nil {
		return ranked{}, err
	}
	if err := sortHits(ctx, r.s, hits, q.Sort); err != nil {
		return ranked{}, err
	}
	from := q.Offset()
	if q.Cursor != "" {
		from = q.indexAfter(hits)
	}
	from = min(from, len(hits))
	to := min(from+q.PerPage, len(hits))
	return ranked{hits[from:to], len(hits), more, to < len(hits) && to > from}, nil
}

// sortHits sorts the hits by an order.
func sortHits(ctx context.Context, s *content.Store, hits []modelHit, order []query.SortField) error {
	if slices.ContainsFunc(order, func(f query.SortField) bool { return f.Path != "score" }) {
		if err := loadHits(ctx, s, hits); err != nil {
			return err
		}
	}
	keys := make(map[uuid.UUID]string, len(hits))
	for i := range hits {
		keys[hits[i].ID] = hits[i].sortKey(order)
	}
	cms.Sort(hits, func(a, b modelHit) int { return strings.Compare(keys[a.ID], keys[b.ID]) })
	return nil
}

func byScore(a, b *modelHit) int { return index.ByScore(&a.Hit, &b.Hit) }

// sortKey returns the sort key of a hit, from which a cursor continues. Ties are sorted by score, then
// by id.
func (h *modelHit) sortKey(sort []query.SortField) string {
	key := ""
	for _, f := range append(slices.Clone(sort), query.SortField{Path: "score", Desc: true}) {
		switch {
		case f.Path == "score" && f.Desc:
			key += string(binary.BigEndian.AppendUint64(nil, ^math.Float64bits(h.Score)))
		case f.Path == "score":
			key += string(binary.BigEndian.AppendUint64(nil, math.Float64bits(h.Score)))
		case h.e == nil: // deleted meanwhile
			key += sortkey.Of(query.Value{}, f.Desc)
		default:
			key += sortkey.Of(query.SortValue(&h.m.Model, h.e, f.Path), f.Desc)
		}
	}
	return key + h.ID.String()
}

// cursorCheck returns a digest of a search, so that the cursor of another search is recognized.
func (q *Query) cursorCheck() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q %v %t", q.Q, q.Models, q.Locales, q.Statuses, q.Sort, q.Public)
	return string(h.Sum(nil))
}

// indexAfter returns the index of the first hit after the position q.Cursor. The hit that it names may
// be gone.
func (q *Query) indexAfter(hits []modelHit) int {
	i, found := slices.BinarySearchFunc(hits, q.Cursor,
		func(h modelHit, key string) int { return strings.Compare(h.sortKey(q.Sort), key) })
	if found {
		i++
	}
	return i
}

// loadHits reads the entries of hits that have none yet. A deleted entry stays nil.
func loadHits(ctx context.Context, s *content.Store, hits []modelHit) error {
	var refs []content.Reference
	var positions []int
	for i, h := range hits {
		if h.e == nil {
			refs = append(refs, content.Reference{Model: h.m, ID: h.ID.String(), Version: h.Version})
			positions = append(positions, i)
		}
	}
	entries, rows, err := s.EntriesWithRows(ctx, refs)
	for i := range entries {
		hits[positions[i]].e, hits[positions[i]].Item = entries[i], rows[i]
	}
	return err
}

// results returns the results for the hits of a page.
func results(ctx context.Context, s *content.Store, q Query, hits []modelHit) ([]Result, error) {
	if err := loadHits(ctx, s, hits); err != nil {
		return nil, err
	}
	list := []Result{}
	for _, h := range hits {
		if h.e == nil || !slices.Contains(q.Statuses, h.e.Status) {
			continue // deleted or unpublished since the index was read
		}
		model := h.m.VisibleTo(!q.Public)
		words := analysis.ParseQuery(q.Q, h.e.Locale)
		text := strings.Join(searchable.Text(model, h.e).Fields, "\n")
		list = append(list, Result{
			ID: h.e.ID, Model: h.m.Slug, Slug: h.e.Slug, Title: h.e.Title, Locale: h.e.Locale,
			PublishedAt: h.e.PublishedAt, Parent: h.e.ParentID(),
			Score: math.Round(h.Score*1e6) / 1e6, Excerpt: analysis.Excerpt(text, h.e.Locale, words),
		})
	}
	return list, nil
}
