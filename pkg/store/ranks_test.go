package store

import (
	"context"
	"fmt"
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
