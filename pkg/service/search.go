package service

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/search"
	"headless/pkg/store"
)

// SearchQuery asks for a page of GET /search (decisions §4).
type SearchQuery struct {
	store.Paging
	Cursor   string
	Q        string
	Models   []string // slugs; nil: all active ones
	Locales  []string
	Statuses []cms.Status
	Sort     []cms.SortField // score, title, published_at; nil: the best first
	Public   bool

	weights store.TermWeights // of the page before
}

// SearchResult is one result of GET /search.
type SearchResult struct {
	ID          string   `json:"id"`
	Model       string   `json:"model"`
	Slug        string   `json:"slug"`
	Title       string   `json:"title"`
	Locale      string   `json:"locale"`
	PublishedAt cms.Time `json:"published_at"`
	Score       float64  `json:"score"`
	Excerpt     string   `json:"excerpt"`
}

// modelHit is a hit with its model.
type modelHit struct {
	store.Hit
	m *store.Model
	e *cms.Entry
}

// maxSortedHits is how many results can be sorted by something other than their score.
const maxSortedHits = 2000

// Search finds entries of all models by their text. BAD_REQUEST for an empty or overlong q and an unknown model.
func (s *Entries) Search(ctx context.Context, site *store.Site, q SearchQuery) (store.Page[SearchResult], error) {
	page := store.Page[SearchResult]{Paging: q.Paging, Items: []SearchResult{}}
	if blank(q.Q) {
		return page, cms.Errorf(cms.CodeBadRequest, "q is required.")
	}
	if len(q.Q) > maxQ {
		return page, errLongQ
	}
	cursor, weights, err := cutWeights(q.Cursor)
	if err != nil {
		return page, err
	}
	q.Cursor, q.weights = cursor, weights
	models, err := searched(site, q.Models)
	if err != nil {
		return page, err
	}
	hits, estimate, err := s.hitsOf(ctx, site, models, q)
	if err != nil {
		return page, err
	}
	page.Total, page.Estimate = len(hits), estimate
	if err := s.sortHits(ctx, hits, q.Sort); err != nil {
		return page, err
	}
	from := q.Offset()
	if q.Cursor != "" {
		if from, err = q.after(hits); err != nil {
			return page, err
		}
	}
	from = min(from, len(hits))
	to := min(from+q.PerPage, len(hits))
	if to < len(hits) && to > from {
		if page.Next, err = withWeights(q.cursorAt(&hits[to-1]), q.weights); err != nil {
			return page, err
		}
	}
	page.Items, err = s.results(ctx, q, hits[from:to])
	return page, err
}

// searched are the models to search.
func searched(site *store.Site, slugs []string) ([]*store.Model, error) {
	var models []*store.Model
	for _, slug := range slugs {
		m, err := Model(site, slug)
		if err != nil {
			return nil, cms.Errorf(cms.CodeBadRequest, "There is no model %q to search.", shorten(slug))
		}
		if !slices.Contains(models, m) {
			models = append(models, m)
		}
	}
	if slugs == nil {
		for _, m := range site.Models {
			if m.IsActive {
				models = append(models, m)
			}
		}
	}
	return models, nil
}

func (s *Entries) hitsOf(ctx context.Context, site *store.Site, models []*store.Model, q SearchQuery) ([]modelHit, bool, error) {
	if !slices.Contains(q.Locales, site.Default) {
		// The entries of models that are not localized are in the default locale.
		models = slices.DeleteFunc(slices.Clone(models), func(m *store.Model) bool { return !m.Localized })
	}
	found, estimate, err := s.Store.SearchAll(ctx, models, store.TextQuery{
		Text: q.Q, Locales: q.Locales, Statuses: q.Statuses, Public: q.Public, Default: site.Default, Weights: q.weights,
	})
	if err != nil {
		return nil, false, err
	}
	var hits []modelHit
	for i, list := range found {
		for _, h := range list {
			hits = append(hits, modelHit{Hit: h, m: models[i]})
		}
	}
	return hits, estimate, nil
}

// sortHits brings the hits into the order of their keys.
func (s *Entries) sortHits(ctx context.Context, hits []modelHit, sort []cms.SortField) error {
	if slices.ContainsFunc(sort, func(f cms.SortField) bool { return f.Path != "score" }) {
		if len(hits) > maxSortedHits {
			return cms.Errorf(cms.CodeQueryNotIndexed, "More than %d entries match: sort by score, or search for more words.", maxSortedHits)
		}
		if err := s.loadHits(ctx, hits); err != nil {
			return err
		}
	}
	if len(sort) == 0 { // very many may match
		slices.SortFunc(hits, func(a, b modelHit) int {
			if c := cmp.Compare(b.Score, a.Score); c != 0 {
				return c
			}
			return bytes.Compare(a.ID[:], b.ID[:])
		})
		return nil
	}
	keys := make(map[uuid.UUID]string, len(hits))
	for i := range hits {
		keys[hits[i].ID] = hits[i].key(sort)
	}
	slices.SortFunc(hits, func(a, b modelHit) int { return strings.Compare(keys[a.ID], keys[b.ID]) })
	return nil
}

// key is the place of a hit in an order, from which a cursor continues. Ties go by score, then by id.
func (h *modelHit) key(sort []cms.SortField) string {
	key := ""
	for _, f := range append(slices.Clone(sort), cms.SortField{Path: "score", Desc: true}) {
		switch {
		case f.Path == "score" && f.Desc:
			key += string(binary.BigEndian.AppendUint64(nil, ^math.Float64bits(h.Score)))
		case f.Path == "score":
			key += string(binary.BigEndian.AppendUint64(nil, math.Float64bits(h.Score)))
		case h.e == nil: // deleted meanwhile
			key += store.SortKey(cms.Value{}, f.Desc)
		default:
			key += store.SortKey(h.m.SortValue(h.e, f.Path), f.Desc)
		}
	}
	return key + h.ID.String()
}

// check sums up a search, so that a cursor of another one is known.
func (q *SearchQuery) check() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q %v %t", q.Q, q.Models, q.Locales, q.Statuses, q.Sort, q.Public)
	return string(h.Sum(nil)[:8])
}

func (q *SearchQuery) cursorAt(h *modelHit) string {
	return hex.EncodeToString([]byte(q.check() + h.key(q.Sort)))
}

// after finds where the page after the cursor starts, also when the hit that it names is gone.
func (q *SearchQuery) after(hits []modelHit) (int, error) {
	raw, err := hex.DecodeString(q.Cursor)
	key, ok := strings.CutPrefix(string(raw), q.check())
	if err != nil || !ok {
		return 0, errSearchCursor
	}
	i, found := slices.BinarySearchFunc(hits, key, func(h modelHit, key string) int { return strings.Compare(h.key(q.Sort), key) })
	if found {
		i++
	}
	return i, nil
}

func (s *Entries) loadHits(ctx context.Context, hits []modelHit) error {
	refs := make([]store.Reference, len(hits))
	for i, h := range hits {
		refs[i] = store.Reference{Model: h.m, ID: h.ID.String()}
	}
	entries, err := s.Store.EntriesByID(ctx, refs)
	for i := range entries {
		hits[i].e = entries[i]
	}
	return err
}

// results completes the hits of a page.
func (s *Entries) results(ctx context.Context, q SearchQuery, hits []modelHit) ([]SearchResult, error) {
	if err := s.loadHits(ctx, hits); err != nil {
		return nil, err
	}
	list := []SearchResult{}
	for _, h := range hits {
		if h.e == nil || !slices.Contains(q.Statuses, h.e.Status) {
			continue // deleted or unpublished since the index was read
		}
		model := visibleModel(h.m, !q.Public)
		query := search.ParseQuery(q.Q, h.e.Locale)
		text := strings.Join(store.SearchableTexts(model, h.e.Data), "\n")
		list = append(list, SearchResult{
			ID: h.e.ID, Model: h.m.Slug, Slug: h.e.Slug, Title: h.e.Title, Locale: h.e.Locale, PublishedAt: h.e.PublishedAt,
			Score: math.Round(h.Score*1e6) / 1e6, Excerpt: search.Excerpt(text, h.e.Locale, query),
		})
	}
	return list, nil
}
