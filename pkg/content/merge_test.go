package content

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/fulltext"
	"headless/pkg/table"
)

// scattered stores the items of a batch one by one in any order, as DynamoDB may, so that a crash
// can come between.
type scattered struct {
	table.Table
	r *rand.Rand
}

func (s scattered) BatchWrite(ctx context.Context, puts []table.Item, deletes []table.Key) error {
	for _, i := range s.r.Perm(len(puts) + len(deletes)) {
		var err error
		if i < len(puts) {
			err = s.Table.BatchWrite(ctx, puts[i:i+1], nil)
		} else {
			err = s.Table.BatchWrite(ctx, nil, deletes[i-len(puts):][:1])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestLists changes lists that grow over many blocks, crashes between any two writes, and finds
// each list whole when the change was repeated.
func TestLists(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(11, 12))
	base := testStore(t).Table
	const space = "m.1#en#published"
	ids := make([]uuid.UUID, 400)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	stems := make([]string, 40) // the later the more frequent
	for i := range stems {
		stems[i] = fmt.Sprintf("stem%02d", i)
	}
	want := map[uuid.UUID]map[string]fulltext.Posting{}
	known := 0 // ids in use
	for round := range 80 {
		texts := map[uuid.UUID]*fulltext.PendingChange{}
		for range 1 + r.IntN(40) {
			at := r.IntN(known + 1)
			if r.IntN(2) == 0 || known == 0 {
				at, known = known, min(known+1, len(ids)-1)
			}
			texts[ids[at]] = randomText(r, space, stems, want[ids[at]])
		}
		for n := 1 + r.IntN(60); ; n += 1 + r.IntN(100) {
			faulty := table.NewFaulty(base,
				table.FaultAt(n, pick(r, []table.FaultKind{table.CrashBefore, table.CrashAfter})))
			err := New(scattered{faulty, r}, time.Now).texts.MergeTexts(ctx, texts)
			if err == nil {
				break
			}
			if !errors.Is(err, table.ErrCrashed) {
				t.Fatal(err)
			}
			if r.IntN(3) == 0 { // the next merge may take other texts along
				id := ids[r.IntN(known+1)]
				next := randomText(r, space, stems, want[id])
				if had := texts[id]; had != nil {
					next.Stale = append(next.Stale, had.Held()...)
				}
				texts[id] = next
			}
		}
		for id, text := range texts {
			want[id] = map[string]fulltext.Posting{}
			for _, term := range text.Texts[0].Terms {
				want[id][term.Stem] = fulltext.Posting{ID: id, Weight: term.Weight, Words: term.Words}
			}
		}
		for _, stem := range stems {
			checkListOf(t, New(base, time.Now), space, stem, want)
		}
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	blocks, err := base.Query(ctx, table.Range{Partition: fulltext.BlockPrefix(space, "stem").Partition})
	if err != nil || len(blocks) < 3*len(stems) {
		t.Errorf("only %d blocks, %v", len(blocks), err)
	}
}

// randomText replaces the words of an entry in the lists.
func randomText(r *rand.Rand, space string, stems []string,
	was map[string]fulltext.Posting) *fulltext.PendingChange {
	x := fulltext.IndexedText{Space: space}
	for i, stem := range stems {
		if r.IntN(len(stems)) <= i {
			x.Terms = append(x.Terms,
				fulltext.IndexedTerm{Stem: stem, Weight: uint16(r.IntN(60_000)),
					Words: strings.Repeat(stem+" ", r.IntN(4)) + stem})
		}
	}
	p := &fulltext.PendingChange{Texts: []fulltext.IndexedText{x}}
	for stem := range was {
		p.Stale = append(p.Stale, fulltext.HeldText{Space: space, Stems: stem})
	}
	return p
}

func checkListOf(t *testing.T, s *Store, space, stem string, want map[uuid.UUID]map[string]fulltext.Posting) {
	t.Helper()
	list, _, _, err := s.texts.Postings(context.Background(), fulltext.ListName{Space: space, Stem: stem}, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(list, fulltext.PostingOrder) {
		t.Errorf("the list of %q is not sorted", stem)
	}
	found := 0
	for _, p := range list {
		if w, ok := want[p.ID][stem]; !ok || w != p {
			t.Errorf("%q has %v, want %v", stem, p, w)
		}
	}
	for _, terms := range want {
		if _, ok := terms[stem]; ok {
			found++
		}
	}
	if found != len(list) {
		t.Errorf("%q has %d postings, want %d", stem, len(list), found)
	}
}

// TestMergeCrashes crashes a merge before and after each of its calls: searches are right then, and
// right when another process has merged.
func TestMergeCrashes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	t.Parallel()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(13, 14))
	base, m := testStore(t), oracleModel()
	tb := recorded(base.Table)
	all := map[string]*cms.Entry{}
	for _, fault := range []table.FaultKind{table.CrashBefore, table.CrashAfter, table.AnswerLost} {
		for n, done := 1, false; !done; n++ {
			s := opened(tb)
			for range 3 {
				writeRandom(t, s, m, r, all)
			}
			faulty := table.NewFaulty(tb, table.FaultAt(n, fault))
			_, err := opened(scattered{faulty, r}).MergeText(ctx, m)
			if done = faulty.Calls() < n; done && err != nil {
				t.Fatal(err)
			}
			checkSearch(ctx, t, s, m, all)
			writeRandom(t, s, m, r, all)
			checkRandom(ctx, t, s, m, r, all)
			if _, err := New(tb, later).MergeText(ctx, m); err != nil {
				t.Fatal(err)
			}
			audit(t, tb, m, all, true)
			checkSearch(ctx, t, s, m, all)
			if t.Failed() {
				t.Fatalf("fault %d at call %d", fault, n)
			}
			if n > 40 { // a merge of a few texts makes fewer calls; the rest are the writes of its lists
				done = true
			}
		}
	}
}

// TestSearchWhileMerging searches while texts change and are merged: nothing is found that no entry
// ever was, and each change in the very next search.
func TestSearchWhileMerging(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	tb, m := recorded(testStore(t).Table), oracleModel()
	s := opened(tb)
	slow := New(table.NewFaulty(tb,
		func(table.Call) table.Fault { return table.Fault{Delay: time.Millisecond} }), time.Now)
	search := func(text string) []string {
		hits, _, err := slow.Search(ctx, m, TextQuery{Text: text, Locales: []string{"en"},
			Statuses: cms.Statuses, Default: "en"})
		if errors.Is(err, fulltext.ErrMerging) {
			return nil
		}
		if err != nil {
			t.Error(err)
		}
		ids := []string{}
		for _, h := range hits {
			ids = append(ids, h.ID.String())
		}
		return ids
	}
	var writers, others sync.WaitGroup
	stop := make(chan struct{})
	last := make([]*cms.Entry, 4)
	for w := range last {
		writers.Go(func() {
			id := uuid.NewString()
			for i := range 60 {
				e := &cms.Entry{ID: id, Slug: id, Locale: "en", Status: cms.Statuses[i%3],
					Version: int64(i + 1)}
				e.Title = []string{"alpha beta", "gamma delta"}[i%2] + fmt.Sprintf(" own%dx%d", w, i)
				err := slow.Retry(ctx, func() error {
					var rec *EntryRecord
					if i > 0 {
						var err error
						if rec, err = s.EntryForChange(ctx, m, id); err != nil {
							return err
						}
					}
					tx := slow.Begin()
					SaveEntry(tx, m, rec, e, cms.Actor{}, "entry.updated")
					return slow.Commit(ctx, tx)
				})
				if err != nil {
					t.Error(err)
					return
				}
				last[w] = e
				if i%6 > 1 { // the next change comes at once
					continue
				}
				if found := search(fmt.Sprintf("own%dx%d beta", w, i)); i%2 == 0 && found != nil &&
					!slices.Equal(found, []string{id}) {
					t.Errorf("writer %d, change %d: found %v", w, i, found)
				}
				if found := search(fmt.Sprintf("own%dx%d", w, i-1)); i%10 > 0 && len(found) > 0 {
					t.Errorf("writer %d, change %d: the text before is still found", w, i)
				}
			}
		})
	}
	others.Go(func() {
		for stopped := false; !stopped; {
			select {
			case <-stop:
				stopped = true
			default:
			}
			if _, err := s.MergeText(ctx, m); err != nil {
				t.Error(err)
			}
		}
	})
	others.Go(func() {
		for stopped := false; !stopped; {
			select {
			case <-stop:
				stopped = true
			default:
			}
			if found := search("alpha delta"); len(found) > 0 {
				t.Errorf("found %v by words that it never had together", found)
			}
		}
	})
	writers.Wait()
	close(stop)
	others.Wait()
	if _, err := s.MergeText(ctx, m); err != nil {
		t.Fatal(err)
	}
	all := map[string]*cms.Entry{}
	for _, e := range last {
		all[e.ID] = e
	}
	audit(t, tb, m, all, true)
}
