package store

import (
	"context"
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
	stats := statsOf(found)
	for i := range found {
		now := []Hit{}
		for j := range found[i] {
			now = append(now, found[i][j].hits(stats[found[i][j].locale])...)
			estimate = estimate || found[i][j].truncated()
		}
		hits[i] = onceEach(hits[i], now)
	}
	return hits, estimate, nil
}

// searchModel reads what matches in one model: the committed postings of the current generation, and the hits in earlier ones.
//
// Postings are read before the pending rows: a change puts its pending row first and removes it last, so whatever was read of a change
// that is not complete is known to be doubtful, and is compared with what is committed.
func (s *Store) searchModel(ctx context.Context, m *Model, q TextQuery) (found []spacePostings, moving []Hit, err error) {
	now, old := m.spaces(q.Locales, q.Statuses)
	if len(now) == 0 {
		return nil, nil, nil
	}
	if len(old) > 0 {
		if moving, err = s.searchOld(ctx, m, now, old, q); err != nil {
			return nil, nil, err
		}
	}
	found = make([]spacePostings, len(now))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for i, space := range now {
		g.Go(func() (err error) { found[i], err = s.searchSpace(gctx, m, space, q); return err })
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	return found, moving, s.confirm(ctx, m, found)
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

// confirm drops postings that are not, or no longer, committed.
func (s *Store) confirm(ctx context.Context, m *Model, found []spacePostings) error {
	doubtful, err := s.pendingEntries(ctx, m)
	if err != nil {
		return err
	}
	if err := s.dropUncommitted(ctx, m, found, doubtful); err != nil || len(found) == 1 {
		return err
	}
	// An entry may have moved from one space to another while they were read.
	return s.dropUncommitted(ctx, m, found, twice(found))
}

// twice tells which entries were found in more than one space.
func twice(found []spacePostings) map[uuid.UUID]bool {
	first := map[uuid.UUID]string{}
	ids := map[uuid.UUID]bool{}
	for i := range found {
		for _, h := range found[i].hits(searchStats{}) {
			if space, ok := first[h.ID]; ok && space != h.Space {
				ids[h.ID] = true
			}
			first[h.ID] = h.Space
		}
	}
	return ids
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

// dropUncommitted removes the postings of doubtful entries that their manifests do not hold.
func (s *Store) dropUncommitted(ctx context.Context, m *Model, found []spacePostings, doubtful map[uuid.UUID]bool) error {
	if len(doubtful) == 0 {
		return nil
	}
	seen := map[uuid.UUID]bool{}
	var keys []table.Key
	eachPosting(found, func(row table.Item) bool {
		if id, _ := parsePosting(row.Sort); doubtful[id] && !seen[id] {
			seen[id] = true
			keys = append(keys, manifestKey(m.ID, id.String()))
		}
		return true
	})
	if len(keys) == 0 {
		return nil
	}
	items, err := s.table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return err
	}
	held := map[table.Key]bool{}
	for _, item := range items {
		if err := addHeld(held, item); err != nil {
			return err
		}
	}
	eachPosting(found, func(row table.Item) bool {
		id, _ := parsePosting(row.Sort)
		return !doubtful[id] || held[row.Key]
	})
	return nil
}

// eachPosting visits every posting and drops those for which keep is false.
func eachPosting(found []spacePostings, keep func(table.Item) bool) {
	for i := range found {
		for j := range found[i].terms {
			rows := found[i].terms[j].rows
			found[i].terms[j].counted = nil
			for k := range rows {
				rows[k] = slices.DeleteFunc(rows[k], func(row table.Item) bool { return !keep(row) })
			}
		}
	}
}

// addHeld notes the postings that a manifest, which may be absent, holds.
func addHeld(held map[table.Key]bool, item *table.Item) error {
	if item == nil {
		return nil
	}
	var x manifest
	if err := unmarshal(item.Body, &x); err != nil {
		return err
	}
	id, err := uuid.Parse(item.Partition[strings.LastIndexByte(item.Partition, '#')+1:])
	for _, key := range keysOf(x.Texts, id) {
		held[key] = true
	}
	return err
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
