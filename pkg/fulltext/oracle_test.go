package fulltext

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/fulltext/analysis"
	"headless/pkg/fulltext/segment"
	"headless/pkg/index"
	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

// The oracle test keeps the texts of all entries in a map, and compares each search with a look at
// all of them: while entries are saved, flushed and merged by several processes, which crash.

var seeds = flag.Int("seeds", 300, "how many histories the oracle test runs")

var (
	oracleNames   = []string{"a.1", "b.2"}
	oracleLocales = []string{"en", "de"}
	oracleVocab   = strings.Fields("happy happily happiness run running runner alpha alps beta betas gamma " +
		"delta deltas 日本語 straße")
	oracleQueries = []string{"happy", "run", "al", "alpha beta", "happi", "gamma delta runs", "b", "\"delta\"",
		"日", "missing", "alpha missing", "strasse ru"}
)

// world is the truth beside the table.
type world struct {
	t       *testing.T
	r       *rand.Rand
	table   table.Table
	clock   time.Time
	ids     []uuid.UUID
	entries map[uuid.UUID]*entry // without those that do not exist
	texts   map[string]IndexedText
	old     *Texts // a process that reads seldom, so that its root is old
	step    sync.Mutex

	searches, crashes, inside int
}

type entry struct {
	name string
	Change
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, r: rand.New(rand.NewPCG(seed, 1)), table: sim.New(sim.Options{}),
		clock: time.Unix(1_000_000, 0), entries: map[uuid.UUID]*entry{}, texts: map[string]IndexedText{}}
	for range 4 + w.r.IntN(40) {
		var id uuid.UUID
		for i := range id {
			id[i] = byte(w.r.IntN(256))
		}
		if w.r.IntN(2) == 0 {
			clear(id[:8]) // ids that begin alike
		}
		w.ids = append(w.ids, id)
	}
	w.old = w.process(w.table)
	return w
}

func (w *world) process(t table.Table) *Texts {
	return NewTexts(db.New(t, func() time.Time { return w.clock }))
}

func one[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// save creates, changes or deletes a random entry. A conflict leaves it as it was.
func (w *world) save() {
	w.t.Helper()
	id := one(w.r, w.ids)
	was := w.entries[id]
	now := &entry{name: one(w.r, oracleNames)}
	if was != nil {
		now.name = was.name
	}
	remove := was != nil && w.r.IntN(3) == 0
	if !remove {
		now.Change = w.change(now.name)
	}
	tx := w.old.Begin()
	Put(tx, now.name, id, now.Change, was == nil && w.r.IntN(4) > 0)
	err := w.table.Write(w.t.Context(), tx.Ops)
	if cond := (*table.ConditionError)(nil); errors.As(err, &cond) {
		return // there is still a pending row
	}
	must.Do(w.t, err)
	if remove {
		delete(w.entries, id)
	} else {
		w.entries[id] = now
	}
}

func (w *world) change(name string) (c Change) {
	locale := one(w.r, oracleLocales)
	space := name + "#" + locale + "#" + one(w.r, []string{"draft", "published"})
	words := ""
	c.Version = w.r.Uint32()
	for range w.r.IntN(6) {
		words += " " + one(w.r, oracleVocab)
	}
	x := w.analyzed(words, locale)
	c.Texts = append(c.Texts, IndexedText{space, x.Terms})
	if w.r.IntN(2) == 0 {
		c.Texts = append(c.Texts, IndexedText{space + PublicText, x.Terms[:len(x.Terms)/2]})
	}
	for _, v := range []string{"v=0", "v=1", "over"} {
		if w.r.IntN(3) == 0 {
			c.Filters = append(c.Filters, v)
		}
	}
	return c
}

func (w *world) analyzed(words, locale string) IndexedText {
	key := locale + words
	x, ok := w.texts[key]
	if !ok {
		x = IndexedText{Terms: Terms(analysis.Analyze(analysis.Text{Title: words}, locale))}
		w.texts[key] = x
	}
	return x
}

// query returns a random query.
func (w *world) query() Query {
	q := Query{Text: one(w.r, oracleQueries)}
	names := oracleNames
	if w.r.IntN(3) == 0 {
		names = []string{one(w.r, oracleNames)}
		for range w.r.IntN(3) {
			q.Filters = append(q.Filters, Filter{Values: []string{one(w.r, []string{"v=0", "v=1", "v=9"})},
				Unsure: one(w.r, []string{"", "over"})})
		}
	}
	public := one(w.r, []string{"", PublicText})
	for _, name := range names {
		for _, locale := range oracleLocales[:1+w.r.IntN(2)] {
			for _, status := range []string{"draft", "published"} {
				if space := name + "#" + locale + "#" + status; w.r.IntN(4) > 0 {
					q.Spaces = append(q.Spaces, TextSpace{space + public, space, locale})
				}
			}
		}
	}
	return q
}

// expected returns the hits of a query, best first, by looking at all entries.
func (w *world) expected(q Query) (hits []index.Hit) {
	totals, df := map[string]int64{}, map[string]map[string]int64{}
	each := func(visit func(id uuid.UUID, e *entry, x *IndexedText, space TextSpace, terms []analysis.QueryTerm)) {
		for id, e := range w.entries {
			for i := range e.Texts {
				for _, space := range q.Spaces {
					if space.Texts == e.Texts[i].Space {
						visit(id, e, &e.Texts[i], space, analysis.ParseQuery(q.Text, space.Locale).Terms)
					}
				}
			}
		}
	}
	factor := func(t analysis.QueryTerm, term segment.Term) float64 {
		return t.Factor(term.Stem, strings.Fields(term.Words))
	}
	each(func(_ uuid.UUID, _ *entry, x *IndexedText, space TextSpace, terms []analysis.QueryTerm) {
		totals[space.Locale]++
		for i, t := range terms {
			for _, term := range x.Terms {
				if factor(t, term) > 0 {
					key := fmt.Sprint(space.Locale, i)
					if df[key] == nil {
						df[key] = map[string]int64{}
					}
					df[key][term.Stem]++
				}
			}
		}
	})
	each(func(id uuid.UUID, e *entry, x *IndexedText, space TextSpace, terms []analysis.QueryTerm) {
		h := index.Hit{ID: id, Version: int64(e.Version), Space: space.Entries}
		for i, t := range terms {
			best, most := 0.0, int64(0)
			for _, term := range x.Terms {
				best = max(best, weights()[term.Weight]*factor(t, term))
			}
			for _, n := range df[fmt.Sprint(space.Locale, i)] {
				most = max(most, n)
			}
			if best == 0 {
				return
			}
			h.Score += analysis.IDF(totals[space.Locale], most) * best
		}
		for _, f := range q.Filters {
			if !slices.ContainsFunc(e.Filters, func(v string) bool { return slices.Contains(f.allValues(), v) }) {
				return
			}
		}
		if len(terms) > 0 {
			hits = append(hits, h)
		}
	})
	slices.SortFunc(hits, func(a, b index.Hit) int { return index.ByScore(&a, &b) })
	return hits
}

// check compares searches of a process with the truth.
func (w *world) check(s *Texts) {
	w.t.Helper()
	w.searches++
	q := w.query()
	if len(q.Spaces) == 0 {
		return
	}
	want := w.expected(q)
	var used *Found
	var first []index.Hit
	q.Use = func(ctx context.Context, f *Found) (err error) {
		used = f
		first, err = f.Best(ctx, 3, nil)
		return err
	}
	found, err := s.Search(w.t.Context(), q)
	if errors.Is(err, table.ErrCrashed) {
		return
	}
	if err != nil {
		w.t.Fatalf("%q: %v", q.Text, err)
	}
	if found.Total != len(want) || found.Estimate {
		all, _ := found.All(w.t.Context())
		w.t.Fatalf("%q in %v, filters %v: total %d, want %d\n%v\n%v\n%s", q.Text, q.Spaces, q.Filters, found.Total,
			len(want), all, want, w.dump())
	}
	if part := want[:min(3, len(want))]; used != found || !slices.Equal(first, part) && len(first)+len(part) > 0 {
		w.t.Fatalf("%q: %v are used, want %v", q.Text, first, part)
	}
	var after *index.Hit
	n := 1 + w.r.IntN(5)
	for at := 0; at <= len(want); at += n {
		best, err := found.Best(w.t.Context(), n, after)
		if errors.Is(err, table.ErrCrashed) {
			return
		}
		must.Do(w.t, err)
		if part := want[at:min(at+n, len(want))]; !slices.Equal(best, part) && len(best)+len(part) > 0 {
			w.t.Fatalf("%q after %v: %v, want %v", q.Text, after, best, part)
		}
		if len(best) < n {
			break
		}
		after = &best[n-1]
	}
	all, err := found.All(w.t.Context())
	slices.SortFunc(all, func(a, b index.Hit) int { return index.ByScore(&a, &b) })
	if err == nil && !slices.Equal(all, want) && len(all)+len(want) > 0 {
		w.t.Fatalf("%q: all hits %v, want %v", q.Text, all, want)
	}
}

// dump describes the root, for a failed test.
func (w *world) dump() string {
	v, err := w.process(w.table).current(context.Background())
	if err != nil {
		return err.Error()
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "last %x, flushed %d, void %x\n", uint64(v.Last), v.Flushed, v.Void)
	for _, g := range v.segs {
		fmt.Fprintf(&b, "%x: %d documents, %d dead, kills %v, %d taken\n", uint64(g.ID), g.Docs, g.kills, g.Kills,
			len(g.Taken))
	}
	return b.String()
}

// work flushes or merges, with the lease or without it.
func (w *world) work(s *Texts) (err error) {
	ctx := context.Background()
	switch id := segment.ID(w.r.Uint64()); w.r.IntN(6) {
	case 0:
		_, err = s.Flush(ctx)
	case 1, 2:
		_, _, err = s.flushOnce(ctx, id, 1+w.r.IntN(8), 1<<20)
	case 3, 4:
		_, err = s.mergeOnce(ctx, id, false)
	default:
		w.clock = w.clock.Add(time.Duration(w.r.IntN(5)) * time.Minute)
		_, _, err = s.flush(ctx, 1+w.r.IntN(8), 1<<20)
	}
	if errors.Is(err, errOvertaken) || errors.Is(err, errGone) || errors.Is(err, table.ErrCrashed) ||
		errors.Is(err, ErrMerging) || errors.Is(err, table.ErrUnavailable) {
		return nil
	}
	return err
}

// disturbed is a process between whose calls others work.
func (w *world) disturbed(reader bool) *Texts {
	crash := w.r.IntN(40)
	kind := one(w.r, []table.FaultKind{table.CrashBefore, table.CrashAfter, table.AnswerLost})
	return w.process(table.NewFaulty(w.table, func(c table.Call) table.Fault {
		fault := table.Fault{Before: func() {
			w.step.Lock() // a process makes calls in parallel
			defer w.step.Unlock()
			if w.t.Failed() {
				return
			}
			if w.r.IntN(4) == 0 {
				w.inside++
				if err := w.work(w.process(w.table)); err != nil {
					w.t.Error(err)
				}
			}
			if reader {
				return
			}
			if w.r.IntN(4) == 0 {
				w.save()
			}
			if c.Method == "Write" || c.Method == "BatchWrite" {
				w.check(w.process(w.table))
				w.check(w.old)
			}
		}}
		if !reader && c.N == crash {
			fault.Kind = kind
			w.crashes++
		}
		return fault
	}))
}

func TestOracle(t *testing.T) {
	t.Parallel()
	searches, crashes, inside := 0, 0, 0
	for seed := range uint64(*seeds) {
		w := newWorld(t, seed)
		for range 25 {
			for range w.r.IntN(8) {
				w.save()
			}
			switch w.r.IntN(4) {
			case 0:
				w.check(w.process(w.table))
				w.check(w.old)
			case 1:
				w.check(w.disturbed(true))
			default:
				must.Do(t, w.work(w.disturbed(false)))
			}
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
		searches, crashes, inside = searches+w.searches, crashes+w.crashes, inside+w.inside
	}
	t.Logf("%d searches, %d crashes, %d steps of others inside", searches, crashes, inside)
	if searches == 0 || crashes == 0 || inside == 0 {
		t.Error("the histories are too tame")
	}
}
