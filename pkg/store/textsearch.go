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
//
// Postings are read before the pending rows: a change puts its pending row first and removes it last, so whatever was read of a change
// that is not complete is known to be doubtful, and is compared with what is committed.
func (s *Store) Search(ctx context.Context, m *Model, q TextQuery) (hits []Hit, estimate bool, err error) {
	now, old := m.spaces(q.Locales, q.Statuses)
	hits = []Hit{}
	if len(now) == 0 {
		return hits, false, nil
	}
	if len(old) > 0 {
		if hits, err = s.searchOld(ctx, m, now, old, q); err != nil {
			return nil, false, err
		}
	}
	found := make([]spacePostings, len(now))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	for i, space := range now {
		g.Go(func() (err error) { found[i], err = s.searchSpace(gctx, m, space, q); return err })
	}
	if err := g.Wait(); err != nil {
		return nil, false, err
	}
	more, err := s.confirmed(ctx, m, found)
	if err != nil {
		return nil, false, err
	}
	for _, f := range found {
		estimate = estimate || f.truncated()
	}
	return onceEach(hits, more), estimate, nil
}

// onceEach joins, never to nil, hits among the entries of earlier generations and of the current one; an entry may have been moved in between.
func onceEach(old, now []Hit) []Hit {
	if now == nil {
		now = []Hit{}
	}
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

// confirmed gives the hits after dropping postings that are not, or no longer, committed.
func (s *Store) confirmed(ctx context.Context, m *Model, found []spacePostings) ([]Hit, error) {
	doubtful, err := s.pendingEntries(ctx, m)
	if err != nil {
		return nil, err
	}
	if err := s.dropUncommitted(ctx, m, found, doubtful); err != nil {
		return nil, err
	}
	hits, twice := joined(found)
	if len(twice) == 0 {
		return hits, nil
	}
	// An entry moved from one space to another while they were read.
	if err := s.dropUncommitted(ctx, m, found, twice); err != nil {
		return nil, err
	}
	hits, _ = joined(found)
	return hits, nil
}

// joined puts the hits of all spaces together and tells which entries came more than once.
func joined(found []spacePostings) (hits []Hit, twice map[uuid.UUID]bool) {
	if len(found) == 1 {
		return found[0].hits(), nil
	}
	seen := map[uuid.UUID]bool{}
	twice = map[uuid.UUID]bool{}
	for i := range found {
		for _, h := range found[i].hits() {
			if seen[h.ID] {
				twice[h.ID] = true
				continue
			}
			seen[h.ID] = true
			hits = append(hits, h)
		}
	}
	return hits, twice
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
