package fulltext

import (
	"context"
	"slices"
	"strings"

	"headless/pkg/fulltext/analysis"
	"headless/pkg/fulltext/segment"
)

// rangeOfKey returns the range that has one key of the dictionary.
func rangeOfKey(key string) (lo, hi string) { return key, key + "\x00" }

// readWords finds the entries of the dictionaries that may match.
func (r *searching) readWords(ctx context.Context, open []*seg) error {
	var wanted []pageRef
	for _, g := range open {
		for _, p := range r.plans[g.ID] {
			for _, t := range p.group.terms {
				from, to := g.DictPages(rangeOfKey(segment.StemKey(p.dictionary, t.Stem)))
				wanted = refs(wanted, g.Header, segment.Dict, from, to)
				if t.Prefix {
					from, to = r.prefixPages(g, p, t)
					wanted = refs(wanted, g.Header, segment.Dict, from, to)
				}
			}
			for _, key := range r.filterKeys() {
				from, to := g.DictPages(rangeOfKey(key))
				wanted = refs(wanted, g.Header, segment.Dict, from, to)
			}
		}
	}
	if err := r.pages.loadPages(ctx, wanted); err != nil {
		return err
	}
	r.prefix = maxPrefixPages // the same pages again
	var later []func() error
	wanted = nil
	for _, g := range open {
		for _, p := range r.plans[g.ID] {
			for i, t := range p.group.terms {
				p.terms = append(p.terms, nil)
				if err := r.term(ctx, g, p, t, func(stems []string) {
					for _, stem := range stems {
						key := segment.StemKey(p.dictionary, stem)
						from, to := g.DictPages(rangeOfKey(key))
						wanted = refs(wanted, g.Header, segment.Dict, from, to)
						later = append(later, func() error { return r.exact(ctx, g, key, &p.terms[i], stem, false) })
					}
				}); err != nil {
					return err
				}
			}
			if err := r.filterLists(ctx, g, p); err != nil {
				return err
			}
		}
	}
	if wanted = unique(wanted); len(wanted) > r.left/2 { // more words than lists could be read of
		wanted, later, r.missing = nil, nil, true
	}
	if err := r.pages.loadPages(ctx, wanted); err != nil {
		return err
	}
	for _, look := range later {
		if err := look(); err != nil {
			return err
		}
	}
	return nil
}

// prefixPages returns the pages with the words of a prefix, as many as may be read.
func (r *searching) prefixPages(g *seg, p *plan, t analysis.QueryTerm) (from, to int) {
	lo := segment.StemKey(p.dictionary, t.Word)
	from, to = g.DictPages(lo, lo+"\xff")
	if to-from > r.prefix {
		to, r.missing = from+r.prefix, true
	}
	r.prefix -= to - from
	return from, to
}

// exact adds the list of a key, if the segment has one.
func (r *searching) exact(ctx context.Context, g *seg, key string, into *[]lookup, stem string, own bool) error {
	from, to := g.DictPages(rangeOfKey(key))
	return r.scan(ctx, g, from, to, func(e segment.Entry) bool {
		if e.Key == key && e.Stem == "" {
			*into = append(*into, lookup{e, stem, own})
		}
		return e.Key <= key
	})
}

func (r *searching) scan(ctx context.Context, g *seg, from, to int, visit func(segment.Entry) bool) error {
	for n := from; n < to; n++ {
		page, err := r.pages.page(ctx, g.Header, segment.Dict, n)
		if err != nil {
			return err
		}
		if err := g.Scan(page, visit); err != nil {
			return err
		}
	}
	return nil
}

// term adds the lists of a query's term to the last of p.terms. more gets the stems of words with a
// prefix whose entries are elsewhere.
func (r *searching) term(ctx context.Context, g *seg, p *plan, t analysis.QueryTerm,
	more func(stems []string)) error {
	into := &p.terms[len(p.terms)-1]
	if err := r.exact(ctx, g, segment.StemKey(p.dictionary, t.Stem), into, t.Stem, true); err != nil || !t.Prefix {
		return err
	}
	prefix := segment.StemKey(p.dictionary, t.Word)
	from, to := r.prefixPages(g, p, t)
	lists, stems := map[string]segment.Entry{}, map[string]bool{}
	err := r.scan(ctx, g, from, to, func(e segment.Entry) bool {
		if !strings.HasPrefix(e.Key, prefix) {
			return e.Key < prefix
		}
		stem := e.Stem
		if stem == "" {
			stem = e.Key[len(p.dictionary)+1:]
			lists[stem] = e
		}
		if stem != t.Stem && (e.Stem != "" || e.Self) {
			stems[stem] = true
		}
		return true
	})
	if err != nil {
		return err
	}
	var elsewhere []string
	for stem := range stems {
		if e, ok := lists[stem]; ok {
			*into = append(*into, lookup{e, stem, false})
		} else {
			elsewhere = append(elsewhere, stem)
		}
	}
	slices.Sort(elsewhere)
	more(elsewhere)
	return nil
}

func (r *searching) filterKeys() (keys []string) {
	for _, f := range r.q.Filters {
		for _, v := range f.allValues() {
			keys = append(keys, segment.FilterKey(r.names[0], v))
		}
	}
	return keys
}

func (r *searching) filterLists(ctx context.Context, g *seg, p *plan) error {
	for _, f := range r.q.Filters {
		var lists []lookup
		unsure := -1
		for i, value := range f.allValues() {
			if i == len(f.Values) {
				unsure = len(lists)
			}
			key := segment.FilterKey(r.names[0], value)
			if err := r.exact(ctx, g, key, &lists, "", true); err != nil {
				return err
			}
		}
		p.filters, p.unsure = append(p.filters, lists), append(p.unsure, unsure)
	}
	return nil
}
