package store

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// TestJump finds that a page in the middle costs the same however far behind it is, over one space and over several, with texts pending and without.
func TestJump(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	counting := table.NewCounting(testStore(t).table)
	s, m := New(counting, time.Now), oracleModel()
	s.binSize = 10
	const size = 600
	for i := range size {
		e := &cms.Entry{ID: uuid.NewString(), Title: fmt.Sprintf("title %03d", i), Locale: "en", Status: cms.Statuses[i*i%3], Version: 1,
			Slug: fmt.Sprintf("s-%d", i), CreatedAt: cms.At(time.Unix(int64(-i), 0))}
		tx := s.Begin()
		tx.SaveEntry(m, nil, e, cms.Actor{}, "entry.created")
		if err := s.Commit(ctx, tx); err != nil {
			t.Fatal(err)
		}
		if i%100 == 70 {
			if _, err := s.MergeText(ctx, m.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	all := []string{}
	for q := (ListQuery{Paging: Paging{Page: 1, PerPage: 100}}); ; {
		page, err := s.Entries(ctx, m, []string{"en"}, cms.Statuses, q)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, titles(t, page)...)
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	for n := 1; n <= size/5; n++ {
		counting.Reset()
		page, err := s.Entries(ctx, m, []string{"en"}, cms.Statuses, ListQuery{Paging: Paging{Page: n, PerPage: 5}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(titles(t, page)), fmt.Sprint(all[5*n-5:5*n]); got != want || page.Total != size {
			t.Fatalf("page %d of %d: %s, want %s", n, page.Total, got, want)
		}
		if used := counting.Snapshot(); used.ReadUnits > 35 {
			t.Errorf("page %d takes %.0f read units", n, used.ReadUnits)
		}
	}
}

// TestSettleManySpaces settles changes between more spaces than a transaction holds.
func TestSettleManySpaces(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := rand.New(rand.NewPCG(31, 32))
	s := testStore(t)
	place := func() ranked {
		return ranked{fmt.Sprintf("m.1#l%d#draft", r.IntN(150)), fmt.Sprintf("key %d", r.IntN(1000))}
	}
	for range 40 {
		var changes []mergedChange
		var rows []table.Item
		want := map[string]int{}
		for range r.IntN(300) {
			c := mergedChange{table.Item{Key: pendingKey("m", uuid.New()), Version: 1}, &pendingChange{Place: place()}}
			if want[c.Place.space]++; r.IntN(3) > 0 {
				c.Counted = place()
				want[c.Counted.space]--
			}
			changes, rows = append(changes, c), append(rows, c.row)
		}
		if err := s.table.BatchWrite(ctx, rows, nil); err != nil {
			t.Fatal(err)
		}
		spaces, err := s.settle(ctx, changes)
		if err != nil {
			t.Fatal(err)
		}
		_, all, err := s.ranks(ctx, slices.Sorted(maps.Keys(spaces)))
		if err != nil {
			t.Fatal(err)
		}
		var undo []table.Key
		for space := range spaces {
			if n := all[space][0].n; n != want[space] {
				t.Errorf("%q counts %d, want %d", space, n, want[space])
			}
			undo = append(undo, rankKey(space))
		}
		left, err := s.table.Query(ctx, table.Range{Partition: pendingPartition("m")})
		if err != nil || len(left) > 0 {
			t.Errorf("%d changes are left, %v", len(left), err)
		}
		if err := s.table.BatchWrite(ctx, nil, undo); err != nil {
			t.Fatal(err)
		}
	}
}
