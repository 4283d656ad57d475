package fulltext

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/fulltext/segment"
	"headless/pkg/must"
	"headless/pkg/table"
)

// The tests of this file are the faults that the first versions of the protocol had, each with the
// order of steps that shows it.

// steps is a world with entries that all have the word alpha.
type steps struct{ *world }

func newSteps(t *testing.T) steps {
	w := newWorld(t, 1)
	w.ids = nil
	for i := range 9 {
		w.ids = append(w.ids, uuid.UUID{15: byte(i)})
	}
	return steps{w}
}

// put saves an entry with some words, "" for none: then it is removed.
func (s steps) put(i int, words string, isNew bool) {
	s.t.Helper()
	var c Change
	if words != "" {
		c.Texts = []IndexedText{{"a.1#en#draft", s.analyzed(words, "en").Terms}}
	}
	tx := s.old.Begin()
	Put(tx, "a.1", s.ids[i], c, isNew)
	must.Do(s.t, s.table.Write(s.t.Context(), tx.Ops))
}

func (s steps) flush(p *Texts) error {
	_, _, err := p.flushOnce(s.t.Context(), segment.ID(s.r.Uint64()), 100, 1<<20)
	return err
}

// finds compares how many entries a search of a process finds.
func (s steps) finds(p *Texts, text string, want int) {
	s.t.Helper()
	found, err := p.Search(s.t.Context(), Query{Text: text, Spaces: []TextSpace{{"a.1#en#draft", "a.1#en#draft", "en"}}})
	if err != nil || found.Total != want {
		s.t.Errorf("%q finds %+v, want %d; %v\n%s", text, found, want, err, s.dump())
	}
}

// before is a process that does something before its first call of a method.
func (s steps) before(method string, do func()) *Texts {
	called := false
	return s.process(table.NewFaulty(s.table, func(c table.Call) table.Fault {
		if c.Method == method && !called {
			called = true
			return table.Fault{Before: do}
		}
		return table.Fault{}
	}))
}

// merge merges the segments that are due.
func (s steps) merge(p *Texts) error {
	_, err := p.mergeOnce(s.t.Context(), segment.ID(s.r.Uint64()), false)
	return err
}

// TestTwoFlushesTakeNoNumberTwice: segments were numbered by a counter. Two flushes took the same
// number, and the second wrote its pages over those of the first, which was live.
func TestTwoFlushesTakeNoNumberTwice(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	s.put(0, "alpha", true)
	slow := s.before("BatchWrite", func() { // before its pages are written
		must.Do(s.t, s.flush(s.process(s.table)))
		s.put(1, "alpha beta", true)
	})
	if err := s.flush(slow); !errors.Is(err, errOvertaken) {
		t.Errorf("the slow flush gives %v", err)
	}
	s.finds(s.process(s.table), "alpha", 2)
	s.finds(s.old, "\"beta\"", 1)
}

// TestMergeKeepsKills: a merge that left no document dropped the kills of its inputs, and deleted
// entries came back.
func TestMergeKeepsKills(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	p := s.process(s.table)
	for i := range 4 {
		s.put(i, fmt.Sprintf("alpha gamma%d", i), true)
	}
	must.Do(s.t, s.flush(p)) // a segment with four documents
	for i := range 3 {
		s.put(5+i, "beta", true)
		must.Do(s.t, s.flush(p))
	}
	must.Do(s.t, s.merge(p))
	for i := range 4 { // four segments without documents, which kill one each
		s.put(i, "", false)
		must.Do(s.t, s.flush(p))
		s.finds(s.process(s.table), "alpha", 3-i)
	}
	for range 8 {
		must.Do(s.t, s.merge(p))
		s.finds(s.process(s.table), "alpha", 0)
		s.finds(s.old, "beta", 3)
	}
}

// TestStaleFlushGivesUp: a flush that lost the swap tried again with rows that it had read before the
// other flush, and killed newer documents by older ones.
func TestStaleFlushGivesUp(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	s.put(0, "alpha", true)
	slow := s.before("BatchWrite", func() {
		must.Do(s.t, s.flush(s.process(s.table)))
		s.put(0, "beta", false)
		must.Do(s.t, s.flush(s.process(s.table)))
	})
	if err := s.flush(slow); !errors.Is(err, errOvertaken) {
		t.Errorf("the slow flush gives %v", err)
	}
	s.finds(s.process(s.table), "alpha", 0)
	s.finds(s.process(s.table), "beta", 1)
}

// TestFlushesAreCounted: another flush was recognized by the last segment, which a merge sets back to
// none: then a stale flush did not give up.
func TestFlushesAreCounted(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	p := s.process(s.table)
	for i := range 4 {
		s.put(1+i, "gamma", true)
		must.Do(s.t, s.flush(p))
	}
	must.Do(s.t, s.merge(p)) // the last segment is none
	s.put(0, "alpha", true)
	slow := s.before("BatchWrite", func() {
		must.Do(s.t, s.flush(p))
		s.put(0, "beta", false)
		for i := range 2 {
			must.Do(s.t, s.flush(p))
			s.put(5+i, "gamma", true)
		}
		must.Do(s.t, s.flush(p))
		for range 4 {
			must.Do(s.t, s.merge(p))
		}
		if v, err := p.current(t.Context()); err != nil || v.Last != 0 {
			t.Fatalf("the last segment is still known: %v", err)
		}
	})
	if err := s.flush(slow); !errors.Is(err, errOvertaken) {
		t.Errorf("the slow flush gives %v", err)
	}
	s.finds(s.process(s.table), "alpha", 0)
	s.finds(s.process(s.table), "beta", 1)
}

// TestRowReadBeforeItsFlush: a search read the pending row of a new entry, which was flushed and
// merged before the search read the root. Nothing said any more that it was taken, and the entry was
// counted twice.
func TestRowReadBeforeItsFlush(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	p := s.process(s.table)
	for i := range 3 {
		s.put(1+i, "gamma", true)
		must.Do(s.t, s.flush(p))
	}
	s.put(0, "alpha", true)
	reader := s.process(s.table)
	s.finds(reader, "gamma", 3)             // it knows the root from now on
	reader.Table = s.before("Get", func() { // the root, after the rows were read
		must.Do(s.t, s.flush(p))
		must.Do(s.t, s.merge(p))
		if v, err := p.current(t.Context()); err != nil || v.Last != 0 {
			t.Fatalf("the last segment is still known: %v", err)
		}
	}).Table
	s.finds(reader, "alpha", 1)
}

// TestAnswerBesideTheRoot: a search answers by the root that it knows while it reads the root, and
// answers again if that has changed.
func TestAnswerBesideTheRoot(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	s.put(0, "alpha beta", true)
	must.Do(s.t, s.flush(s.process(s.table)))
	reader := s.process(s.table)
	s.finds(reader, "alpha", 1) // it knows the root and the pages from now on
	s.put(1, "alpha", true)
	known := reader.Table
	for _, c := range []struct {
		name      string
		meanwhile func()
		totals    []int
	}{
		{"nothing happens", func() {}, []int{2}},
		{"the row is flushed", func() { must.Do(s.t, s.flush(s.process(s.table))) }, []int{2, 2}},
		{"an entry is deleted", func() { s.put(0, "", false); must.Do(s.t, s.flush(s.process(s.table))) }, []int{2, 1}},
	} {
		var totals []int
		answered := make(chan bool, 2)
		reader.Table = table.NewFaulty(known, func(call table.Call) table.Fault {
			if call.Method != "Get" || len(call.Keys) != 1 || call.Keys[0] != rootKey {
				return table.Fault{}
			}
			return table.Fault{Before: func() { // the root is read after the answer
				<-answered
				c.meanwhile()
			}}
		})
		_, err := reader.Search(t.Context(), Query{Text: "alpha", Spaces: []TextSpace{{"a.1#en#draft",
			"a.1#en#draft", "en"}}, Use: func(_ context.Context, f *Found) error {
			totals = append(totals, f.Total)
			answered <- true
			return nil
		}})
		if err != nil || !slices.Equal(totals, c.totals) {
			t.Errorf("%s: the answers have %v entries, want %v; %v", c.name, totals, c.totals, err)
		}
	}
	reader.Table = known
	s.finds(reader, "alpha", 1)
}

// TestLeaseIsTakenOver: a process was frozen with the pages of its flush written. Another one takes
// the lease over and deletes these pages: the frozen one must not make them live any more.
func TestLeaseIsTakenOver(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	s.put(0, "alpha", true)
	writes := 0
	frozen := s.process(table.NewFaulty(s.table, func(c table.Call) table.Fault {
		if c.Method != "Write" {
			return table.Fault{}
		}
		if writes++; writes != 2 { // the first takes the lease, the second swaps the root
			return table.Fault{}
		}
		return table.Fault{Before: func() {
			s.clock = s.clock.Add(flushTime)
			items, err := s.table.Get(t.Context(), table.Strong, flushLease)
			must.Do(s.t, err)
			dead := s.process(table.NewFaulty(s.table, table.FaultAt(9, table.CrashBefore)))
			if _, _, err := dead.flush(t.Context(), 1, 1); err == nil || items[0] == nil {
				t.Error("the other process did not take the lease over")
			}
		}}
	}))
	_, _, err := frozen.flush(t.Context(), 10, 1<<20)
	must.Do(s.t, err)
	s.finds(s.process(s.table), "alpha", 1)
	s.clock = s.clock.Add(flushTime)
	_, _, err = s.process(s.table).flush(t.Context(), 10, 1<<20)
	must.Do(s.t, err)
	s.finds(s.process(s.table), "alpha", 1)
	if rows, err := s.old.readRows(t.Context(), nil); err != nil || len(rows) > 0 {
		t.Errorf("%d rows are left; %v", len(rows), err)
	}
}
