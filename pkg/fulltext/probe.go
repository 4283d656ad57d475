package fulltext

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/fulltext/analysis"
)

// A search reads only the newest part of a very long list. Older entries that have the other words
// of the query are then looked up in the rest of the list, block by block. So all words of a query
// must match at any size.
const (
	maxProbes     = 4_000 // entries looked up in one list
	probeParallel = 16
)

// listRest is the part of a list that was not read: the postings with ids less than before.
type listRest struct {
	list   list
	before uuid.UUID
}

// probe looks up, in the unread parts of a query's long lists, the entries that all completely read
// lists have in common.
func (s *Texts) probe(ctx context.Context, p *SpacePostings, terms []analysis.QueryTerm,
	pending pendingChanges) error {
	if !slices.ContainsFunc(p.terms, func(h termHits) bool { return len(h.rests) > 0 }) {
		return nil
	}
	ids, ok := p.common()
	if !ok {
		return nil
	}
	for i := range p.terms {
		h := &p.terms[i]
		if len(h.rests) == 0 || len(ids)*len(h.rests) > maxProbes {
			continue
		}
		for _, rest := range h.rests {
			end, _ := slices.BinarySearchFunc(ids, rest.before, idOrder)
			older := slices.DeleteFunc(slices.Clone(ids[:end]),
				func(id uuid.UUID) bool { return pending.entries[id] != nil })
			found, err := s.lookUp(ctx, rest.list, older)
			if err != nil {
				return err
			}
			h.add(terms[i], rest.list.Stem, found...)
		}
		h.sortUnique()
		h.rests = nil
	}
	return nil
}

func idOrder(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// common returns the ids that all completely read lists have, sorted; ok is false if no list was
// read completely.
func (p *SpacePostings) common() (ids []uuid.UUID, ok bool) {
	for _, h := range p.terms {
		if !h.complete() {
			continue
		}
		if !ok {
			for _, hit := range h.hits {
				ids = append(ids, hit.id)
			}
			ok = true
			continue
		}
		rest := h.hits
		ids = slices.DeleteFunc(ids, func(id uuid.UUID) bool {
			rest = from(rest, id)
			return len(rest) == 0 || rest[0].id != id
		})
	}
	return ids, ok
}

// lookUp finds the postings of some ids in a list. The ids are sorted.
func (s *Texts) lookUp(ctx context.Context, l list, ids []uuid.UUID) (found []Posting, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(probeParallel)
	for part := range slices.Chunk(ids, (len(ids)+probeParallel-1)/probeParallel) {
		g.Go(func() error {
			var block []Posting
			for _, id := range part {
				if len(block) == 0 || bytes.Compare(block[len(block)-1].ID[:], id[:]) < 0 {
					item, err := s.blockOf(ctx, l, id)
					if err != nil {
						return err
					}
					if block = nil; item == nil {
						continue
					}
					if block, err = appendBlock(nil, item.Body, l.Stem); err != nil {
						return err
					}
				}
				if at, ok := slices.BinarySearchFunc(block, Posting{ID: id}, PostingOrder); ok {
					mu.Lock()
					found = append(found, block[at])
					mu.Unlock()
				}
			}
			return nil
		})
	}
	return found, g.Wait()
}
