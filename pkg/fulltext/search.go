package fulltext

import (
	"context"
	"errors"
	"slices"
	"strings"

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

// forgetPrepared forgets which segments are prepared.
func (r *searching) forgetPrepared() {
	r.plans, r.left, r.prefix, r.missing = map[segment.ID][]*plan{}, maxPages, maxPrefixPages, false
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
