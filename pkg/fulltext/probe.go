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
const probeParallel = 16

// listRest is the part of a list that was not read.
type listRest struct {
	ListName
	oldest string    // the sort key of the oldest block that was read; empty if none was
	before uuid.UUID // the postings with ids less than this were not read
}

// readOn reads more of the lists until they are read completely, or until it costs less to look up
// in their rests the entries that the other words have. When the budget is used, it looks up the
// newest of these entries, and the hits are truncated.
func (s *Texts) readOn(ctx context.Context, p *SpacePostings, terms []analysis.QueryTerm,
	pending pendingChanges, a *attempt) error {
	for blocks := growth * a.budget.first; ; blocks *= growth {
		if !p.hasRests() {
			return nil
		}
		wanted, ok := p.wanted()
		if ok && int64(wanted) <= a.budget.left.Load() {
			return s.probe(ctx, p, terms, pending, a)
		}
		before := a.used.Load()
		for i := range p.terms {
			h := &p.terms[i]
			var err error
			if h.rests, err = s.extend(ctx, h, terms[i], h.rests, pending, a, blocks); err != nil {
				return err
			}
			h.sortUnique()
		}
		if a.used.Load() == before {
			return s.probe(ctx, p, terms, pending, a)
		}
	}
}

// wanted returns how many entries would have to be looked up in the rests of the lists; ok is false
// if no list was read completely, so that this is not known.
func (p *SpacePostings) wanted() (n int, ok bool) {
	ids, ok := p.common()
	for _, h := range p.terms {
		for _, rest := range h.rests {
			end, _ := slices.BinarySearchFunc(ids, rest.before, idOrder)
			n += end
		}
	}
	return n, ok
}

func (p *SpacePostings) hasRests() bool {
	return slices.ContainsFunc(p.terms, func(h termHits) bool { return len(h.rests) > 0 })
}

// probe looks up, in the unread parts of a query's long lists, the entries that all completely read
// lists have in common, as many as the budget allows.
func (s *Texts) probe(ctx context.Context, p *SpacePostings, terms []analysis.QueryTerm,
	pending pendingChanges, a *attempt) error {
	for i := range p.terms {
		h := &p.terms[i]
		if len(h.rests) == 0 {
			continue
		}
		ids, ok := p.common()
		if !ok {
			return nil
		}
		for _, rest := range h.rests {
			end, _ := slices.BinarySearchFunc(ids, rest.before, idOrder)
			older := slices.DeleteFunc(slices.Clone(ids[:end]),
				func(id uuid.UUID) bool { return pending.entries[id] != nil })
			allowed := a.takeProbes(len(older))
			h.truncated = h.truncated || allowed < len(older)
			found, err := s.lookUp(ctx, list{ListName: rest.ListName}, older[len(older)-allowed:])
			if err != nil {
				return err
			}
			h.add(terms[i], rest.Stem, found...)
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
