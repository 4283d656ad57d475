package content

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/site"
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
			_, err := New(scattered{faulty, r}, time.Now).FlushTexts(ctx)
			if done = faulty.Calls() < n; done && err != nil {
				t.Fatal(err)
			}
			checkSearch(ctx, t, s, m, all)
			writeRandom(t, s, m, r, all)
			checkRandom(ctx, t, s, m, r, all)
			if _, err := New(tb, later).FlushTexts(ctx); err != nil {
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
		found, err := slow.Search(ctx, []*site.Model{m}, TextQuery{Text: text, Locales: []string{"en"},
			Statuses: cms.Statuses, Default: "en"})
		if err != nil {
			t.Error(err)
			return nil
		}
		hits, err := found.All(ctx)
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
			if _, err := s.FlushTexts(ctx); err != nil {
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
	if _, err := s.FlushTexts(ctx); err != nil {
		t.Fatal(err)
	}
	all := map[string]*cms.Entry{}
	for _, e := range last {
		all[e.ID] = e
	}
	audit(t, tb, m, all, true)
}
