package content

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/recheck"
	"headless/pkg/site"
	"headless/pkg/table"
)

// TestNothingLeft changes a model again and again, deletes its entries for good and then the model:
// nothing of any generation of its index stays.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(21, 22))
	tb := recorded(testStore(t).Table)
	s := opened(tb)
	m := siteWithModel(t, s, oracleModel())
	all := map[string]*cms.Entry{}
	for i, d := range definitions[:4] {
		for range 15 {
			writeRandom(t, s, m, r, all)
		}
		m = commitModel(t, s, m.ID, d.edit)
		moveSome(t, s, m.ID, 5)
		if i%2 == 0 { // else the next change comes before the index is built
			if _, err := s.Reindex(ctx, m.ID); err != nil {
				t.Fatal(err)
			}
			m = currentModel(t, s, m.ID)
		}
	}
	for id := range all {
		deleteForGood(t, s, m, id)
	}
	trash, err := s.ExpiredTrash(ctx, later(), 1000)
	must.Do(t, err)
	for _, id := range trash {
		purge(t, s, m, id)
	}
	siteNow, err := s.Site(ctx)
	must.Do(t, err)
	tx := s.Begin()
	site.DeleteModel(tx, siteNow, m.Slug)
	must.Do(t, s.Commit(ctx, tx))
	drop(t, tb)
	clearChecks(t, s)
	kept := []string{"OUT", "FEED", "L", "PURGE", "CONFIG", "D", "FORMER",
		"HAD"} // of the changes themselves, for as long as they say
	left := map[string]int{}
	for key := range tb.items(t, "") {
		prefix, _, _ := strings.Cut(key.Partition, "#")
		if strings.Contains(key.Partition+key.Sort, m.ID) && !slices.Contains(kept, prefix) {
			left[prefix]++
		}
	}
	if len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// clearChecks removes the timers of package health, which handles them on a whole service.
func clearChecks(t *testing.T, s *Store) {
	t.Helper()
	due, err := s.Timers(t.Context(), s.Now().Add(time.Minute), 10_000)
	must.Do(t, err)
	due = slices.DeleteFunc(due, func(timer db.Timer) bool { return timer.Kind != recheck.Kind })
	must.Do(t, s.MoveTimers(t.Context(), due, nil))
}

// TestDropIndexesAtOnce removes a replaced generation in several processes at the same time, as
// overlapping runs of the sweeper do: none fails, and in the end nothing is left.
func TestDropIndexesAtOnce(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := rand.New(rand.NewPCG(23, 24))
	tb := recorded(testStore(t).Table)
	s := opened(tb)
	m := siteWithModel(t, s, oracleModel())
	all := map[string]*cms.Entry{}
	for range 15 {
		writeRandom(t, s, m, r, all)
	}
	m = commitModel(t, s, m.ID, definitions[0].edit)
	if _, err := s.Reindex(ctx, m.ID); err != nil {
		t.Fatal(err)
	}
	m = currentModel(t, s, m.ID)
	nextHour := func() time.Time { return time.Now().Add(time.Hour) }
	slow := table.NewFaulty(tb, func(table.Call) table.Fault { return table.Fault{Delay: time.Millisecond} })
	var runs sync.WaitGroup
	for range 4 {
		runs.Go(func() {
			if err := New(slow, nextHour).DropIndexes(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	drop(t, tb)
	left, err := tb.Query(ctx, table.Range{Partition: site.GonePartition})
	if err != nil || len(left) > 0 {
		t.Errorf("%d generations are left, %v", len(left), err)
	}
	audit(t, tb, m, all, true)
}

// deleteForGood moves an entry to the trash and removes it from there.
func deleteForGood(t *testing.T, s *Store, m *site.Model, id string) {
	t.Helper()
	ctx := t.Context()
	was, err := s.EntryForChange(ctx, m, id)
	must.Do(t, err)
	e := *was.Entry
	e.Version++
	tx := s.Begin()
	TrashEntry(tx, m, was, &e, cms.Actor{}, "entry.deleted")
	must.Do(t, s.Commit(ctx, tx))
	purge(t, s, m, id)
}

func purge(t *testing.T, s *Store, m *site.Model, id string) {
	t.Helper()
	ctx := t.Context()
	rec, err := s.FromTrash(ctx, &site.Site{}, id)
	must.Do(t, err)
	tx := s.Begin()
	PurgeEntry(tx, rec)
	must.Do(t, errors.Join(s.Commit(ctx, tx), s.DeleteRevisions(ctx, m.ID, id)))
}
