package search

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/fulltext"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/index"
	"headless/pkg/site"
)

// ranking shows what a search found, the best first.
type ranking struct {
	s      *content.Store
	found  *fulltext.Found
	models []*site.Model
	q      string
	public bool
}

// ranked is a page of hits.
type ranked struct {
	shown    []modelHit
	total    int
	estimate bool
	more     bool // there are hits after the page
}

// withModels returns hits with their models.
func (r *ranking) withModels(hits []index.Hit) []modelHit {
	list := make([]modelHit, len(hits))
	for i, h := range hits {
		name, _, _ := strings.Cut(h.Space, "#")
		at := slices.IndexFunc(r.models, func(m *site.Model) bool { return m.IndexName() == name })
		list[i] = modelHit{Hit: h, m: r.models[at]}
	}
	return list
}

// page returns the page after a cursor, or the one that p asks for if after is "". The first hits are
// refined, which only raises their scores; so the others follow them.
func (r *ranking) page(ctx context.Context, p db.Paging, after string) (ranked, error) {
	page := ranked{total: r.found.Total}
	query := analysis.ParseQuery(r.q, "")
	first, want := hitsToCheck(query), p.PerPage+1
	var position *index.Hit
	if after != "" {
		var err error
		if position, err = hitOf(after); err != nil {
			return page, err
		}
	} else {
		want += p.Offset()
	}
	best := first
	if position == nil && len(query.Phrases) == 0 {
		best = max(first, want)
	}
	hits, err := r.found.Best(ctx, best, nil)
	if err != nil {
		return page, err
	}
	all := r.withModels(hits)
	top, rest := all[:min(first, len(all))], all[min(first, len(all)):]
	if position != nil && len(query.Phrases) == 0 {
		if rest, err = r.hitsFollowing(ctx, want, position, top); err != nil {
			return page, err
		}
	}
	top, more, err := r.refine(ctx, slices.Clone(top))
	if err != nil {
		return page, err
	}
	index.BestFirst(top, len(top), byScore)
	if len(query.Phrases) > 0 {
		page.total, page.estimate = len(top), more || r.found.Total > first
	}
	if position != nil {
		top = slices.DeleteFunc(top, func(h modelHit) bool { return index.ByScore(&h.Hit, position) <= 0 })
	}
	all = append(top, rest...)
	from := 0
	if position == nil {
		from = min(p.Offset(), len(all))
	}
	to := min(from+p.PerPage, len(all))
	page.shown, page.more = all[from:to], to < len(all) && to > from
	return page, nil
}

// hitsFollowing returns the hits after a position that are not among the top ones.
func (r *ranking) hitsFollowing(ctx context.Context, want int, position *index.Hit,
	top []modelHit) ([]modelHit, error) {
	hits, err := r.found.Best(ctx, want+len(top), position)
	return slices.DeleteFunc(r.withModels(hits), func(h modelHit) bool {
		return slices.ContainsFunc(top, func(t modelHit) bool { return t.ID == h.ID })
	}), err
}

// hitOf returns the hit that a cursor in the order of scores names; see modelHit.key.
func hitOf(key string) (*index.Hit, error) {
	if len(key) < 8 {
		return nil, errCursor
	}
	id, err := uuid.Parse(key[8:])
	if err != nil {
		return nil, errCursor
	}
	return &index.Hit{ID: id, Score: math.Float64frombits(^binary.BigEndian.Uint64([]byte(key[:8])))}, nil
}

var errCursor = cms.Errorf(cms.CodeBadRequest, "This cursor belongs to another query. "+
	"Use next_cursor of the page before, with the same sort and filters.")
