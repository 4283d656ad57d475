package content

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/fulltext"
	"headless/pkg/index"
	"headless/pkg/table"
)

// TestJump finds that a page in the middle costs the same however far behind it is, over one space
// and over several, with texts pending and without.
func TestJump(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	counting := table.NewCounting(testStore(t).Table)
	s, m := New(counting, time.Now), oracleModel()
	s.texts.BinSize = 10
	const size = 600
	for i := range size {
		e := &cms.Entry{ID: uuid.NewString(), Title: fmt.Sprintf("title %03d", i), Locale: "en",
			Status: cms.Statuses[i*i%3], Version: 1,
			Slug: fmt.Sprintf("s-%d", i), CreatedAt: cms.At(time.Unix(int64(-i), 0))}
		tx := s.Begin()
		SaveEntry(tx, m, nil, e, cms.Actor{}, "entry.created")
		if err := s.Commit(ctx, tx); err != nil {
			t.Fatal(err)
		}
		if i%100 == 70 {
			if _, err := s.MergeText(ctx, m); err != nil {
				t.Fatal(err)
			}
		}
	}
	all := []string{}
	for q := (index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 100}}); ; {
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
		page, err := s.Entries(ctx, m, []string{"en"}, cms.Statuses,
			index.ListQuery{Paging: db.Paging{Page: n, PerPage: 5}})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(titles(t, page)), fmt.Sprint(all[5*n-5:5*n]); got != want ||
			page.Total != size {
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
	ranked := func() fulltext.Ranked {
		return fulltext.Ranked{Space: fmt.Sprintf("m.1#l%d#draft", r.IntN(150)),
			Key: fmt.Sprintf("key %d", r.IntN(1000))}
	}
	for range 40 {
		var changes []fulltext.MergedChange
		var rows []table.Item
		want := map[string]int{}
		for range r.IntN(300) {
			c := fulltext.MergedChange{Row: table.Item{Key: fulltext.PendingKey("m", uuid.New()),
				Version: 1}, PendingChange: &fulltext.PendingChange{Ranked: ranked()}}
			if want[c.Ranked.Space]++; r.IntN(3) > 0 {
				c.Counted = ranked()
				want[c.Counted.Space]--
			}
			changes, rows = append(changes, c), append(rows, c.Row)
		}
		if err := s.Table.BatchWrite(ctx, rows, nil); err != nil {
			t.Fatal(err)
		}
		spaces, err := s.texts.Settle(ctx, changes)
		if err != nil {
			t.Fatal(err)
		}
		_, all, err := s.texts.Ranks(ctx, slices.Sorted(maps.Keys(spaces)))
		if err != nil {
			t.Fatal(err)
		}
		var undo []table.Key
		for space := range spaces {
			if n := all[space][0].N; n != want[space] {
				t.Errorf("%q counts %d, want %d", space, n, want[space])
			}
			undo = append(undo, fulltext.RankKey(space))
		}
		left, err := s.Table.Query(ctx, table.Range{Partition: fulltext.PendingPartition("m")})
		if err != nil || len(left) > 0 {
			t.Errorf("%d changes are left, %v", len(left), err)
		}
		if err := s.Table.BatchWrite(ctx, nil, undo); err != nil {
			t.Fatal(err)
		}
	}
}

// settling is a table on which a merge runs right before the unmerged changes of a model are read
// for the first time since it was armed.
type settling struct {
	table.Table
	armed atomic.Bool
	merge func()
}

func (s *settling) Query(ctx context.Context, r table.Range) ([]table.Item, error) {
	if strings.HasPrefix(r.Partition, "Q#") && s.armed.CompareAndSwap(true, false) {
		s.merge()
	}
	return s.Table.Query(ctx, r)
}

// TestJumpWhileMergeSettles reads a page far behind while a merge counts pending changes: the
// ranks that were read before do not count it, and the pending changes no longer hold it.
func TestJumpWhileMergeSettles(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	below := &settling{Table: testStore(t).Table}
	s, m := New(below, time.Now), oracleModel()
	s.texts.BinSize = 10
	const size, perPage = 700, 5
	for i := range size {
		e := &cms.Entry{ID: uuid.NewString(), Title: fmt.Sprintf("title %03d", i), Locale: "en",
			Status: cms.StatusPublished, Version: 1,
			Slug: fmt.Sprintf("s-%d", i), CreatedAt: cms.At(time.Unix(int64(i), 0))}
		tx := s.Begin()
		SaveEntry(tx, m, nil, e, cms.Actor{}, "entry.created")
		if err := s.Commit(ctx, tx); err != nil {
			t.Fatal(err)
		}
		if i == size/2 {
			if _, err := s.MergeText(ctx, m); err != nil {
				t.Fatal(err)
			}
		}
	}
	below.merge = func() {
		if _, err := New(below.Table, time.Now).MergeText(ctx, m); err != nil {
			t.Error(err)
		}
	}
	below.armed.Store(true)
	last := db.Paging{Page: size / perPage, PerPage: perPage} // beyond the walked rows
	page, err := s.Entries(ctx, m, []string{"en"}, cms.Statuses, index.ListQuery{Paging: last})
	if err != nil {
		t.Fatal(err)
	}
	if below.armed.Load() {
		t.Fatal("the page was read without the pending changes")
	}
	want := []string{"title 004", "title 003", "title 002", "title 001", "title 000"}
	if got := titles(t, page); !slices.Equal(got, want) || page.Total != size {
		t.Errorf("page %d of %d: %v, want %v", last.Page, page.Total, got, want)
	}
}
