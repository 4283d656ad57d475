package fulltext

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/fulltext/segment"
)

// forgetPrepared forgets which segments are prepared.
func (r *searching) forgetPrepared() {
	r.plans, r.left, r.prefix, r.missing = map[segment.ID][]*plan{}, maxPages, maxPrefixPages, false
}

// plan is what a search reads of a segment for a group.
type plan struct {
	*group
	ranges  []searched // sorted
	terms   [][]lookup // the lists of each term
	filters [][]lookup // the lists of each filter
	unsure  []int      // in each of filters, which list is that of unsure entries; -1: none
}

// searched is a space of a segment with the space of its entries.
type searched struct {
	segment.Space
	entries string
}

// lookup is an entry of the dictionary that may match.
type lookup struct {
	segment.Entry
	stem string
	own  bool // it has the stem of the query's term
}

// prepareSegments reads the pages of segments that the search needs: those of the dictionary, then those of
// the lists. It skips segments that are prepared.
func (r *searching) prepareSegments(ctx context.Context, segs []*seg) error {
	var open []*seg
	for _, g := range segs {
		if _, ok := r.plans[g.ID]; ok {
			continue
		}
		r.plans[g.ID] = nil
		for _, group := range r.groups {
			p := &plan{group: group}
			for texts, entries := range group.spaces {
				if space, ok := g.In(texts); ok {
					p.ranges = append(p.ranges, searched{space, entries})
				}
			}
			if len(p.ranges) > 0 && len(group.terms) > 0 {
				cms.Sort(p.ranges, func(a, b searched) int { return a.First - b.First })
				r.plans[g.ID] = append(r.plans[g.ID], p)
			}
		}
		if len(r.plans[g.ID]) > 0 {
			open = append(open, g)
		}
	}
	if len(open) == 0 {
		return nil
	}
	if err := r.readWords(ctx, open); err != nil {
		return err
	}
	return r.readLists(ctx, open)
}

// readLists reads the pages of the lists. Of prefixes, it leaves out the longest lists if there are
// too many pages.
func (r *searching) readLists(ctx context.Context, open []*seg) error {
	var wanted []pageRef
	type optional struct {
		g    *seg
		into *[]lookup
		lookup
	}
	var rest []optional
	for _, g := range open {
		for _, p := range r.plans[g.ID] {
			for i := range p.terms {
				var own []lookup
				for _, l := range p.terms[i] {
					if l.own || l.Inline != nil {
						own = append(own, l)
						wanted = r.listPages(wanted, g, l)
					} else {
						rest = append(rest, optional{g, &p.terms[i], l})
					}
				}
				p.terms[i] = own
			}
			for _, lists := range p.filters {
				for _, l := range lists {
					wanted = r.listPages(wanted, g, l)
				}
			}
		}
	}
	if wanted = unique(wanted); len(wanted) > r.left {
		return errLongLists
	}
	r.left -= len(wanted)
	cms.Sort(rest, func(a, b optional) int { return a.Length - b.Length })
	for _, o := range rest {
		more := r.listPages(nil, o.g, o.lookup)
		if r.left < len(more) {
			r.missing = true
			break
		}
		r.left -= len(more)
		wanted, *o.into = append(wanted, more...), append(*o.into, o.lookup)
	}
	return r.pages.loadPages(ctx, wanted)
}

// unique returns the pages without those that come twice.
func unique(list []pageRef) []pageRef {
	seen := make(map[pageRef]bool, len(list))
	return slices.DeleteFunc(list, func(ref pageRef) bool {
		was := seen[ref]
		seen[ref] = true
		return was
	})
}

func (r *searching) listPages(list []pageRef, g *seg, l lookup) []pageRef {
	if l.Inline != nil {
		return list
	}
	from, to := g.ListPages(l.Entry)
	return refs(list, g.Header, segment.Lists, from, to)
}
