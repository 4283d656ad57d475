package assets

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/index/totals"
	"headless/pkg/must"
	"headless/pkg/table"
)

// TestMediaListCost finds a page to cost the same among 40 files and among 600.
func TestMediaListCost(t *testing.T) {
	queries := map[string]index.ListQuery{
		"default": {}, "by name": {Sort: []query.SortField{{Path: "name"}}},
		"pattern": {Filters: []query.Filter{{Path: "mime", Op: query.OpEq, Values: []string{"image/*"}}}},
		"folder":  {Filters: []query.Filter{{Path: "folder", Op: query.OpEq, Values: []string{"F"}}}},
		"tag":     {Filters: []query.Filter{{Path: "tag", Op: query.OpEq, Values: []string{"T"}}}},
	}
	few, many := mediaCost(t, 40, queries), mediaCost(t, 600, queries)
	for name := range queries {
		// the state names more changes
		if many[name].RoundTrips > few[name].RoundTrips || many[name].ReadUnits > few[name].ReadUnits+1 {
			t.Errorf("%s: %+v among 40, %+v among 600", name, few[name], many[name])
		}
	}
}

// mediaCost measures queries for pages of ten among n files, of which each filter meets half.
func mediaCost(t *testing.T, n int, queries map[string]index.ListQuery) map[string]table.Usage {
	t.Helper()
	w := newMediaWorld(t)
	w.fill(t, n)
	if _, err := totals.Merge(t.Context(), db.New(w.table, time.Now), MediaSpace); err != nil {
		t.Fatal(err)
	}
	counting := table.NewCounting(table.NewFaulty(w.table, table.Latency(3*time.Millisecond)))
	s := &Media{Store: Open(db.New(counting, w.clock.Now))}
	used := map[string]table.Usage{}
	if _, err := s.List(t.Context(), index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 1},
		Filters: queries["folder"].Filters}); err != nil { // the process knows of the merge then, and how to seal cursors
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) { // with a clock that no other load slows down
		for name, q := range queries {
			q.Paging = db.Paging{Page: 1, PerPage: 10}
			counting.Reset()
			page, err := s.List(t.Context(), q)
			want := n
			if len(q.Filters) > 0 {
				want = n / 2
			}
			if err != nil || page.Total != want || len(page.Items) != 10 {
				t.Fatalf("%s: %d of %d, %v", name, len(page.Items), page.Total, err)
			}
			used[name] = counting.Snapshot()
		}
	})
	return used
}

// fill stores n records: half of them pictures, half of them in the folder F and with the tag T.
func (w *mediaWorld) fill(t *testing.T, n int) {
	t.Helper()
	s := w.start(nil)
	folder, err := s.CreateFolder(t.Context(), mediaActor, map[string]any{"name": "F"})
	must.Do(t, err)
	var g errgroup.Group
	g.SetLimit(32)
	for i := range n {
		g.Go(func() error {
			tx := s.Store.Begin()
			m := Asset{
				ID: uuid.NewString(), Name: fmt.Sprint(i),
				Mime: []string{"image/png", "text/plain"}[i%2], Size: int64(i),
				CreatedAt: cms.At(w.clock.Now().Add(time.Duration(i) * time.Second)),
			}
			if i%4 < 2 {
				m.FolderID, m.Tags = folder.ID, []string{"T"}
			}
			PutMedia(tx, m, true)
			return s.Store.Commit(t.Context(), tx)
		})
	}
	must.Do(t, g.Wait())
}
