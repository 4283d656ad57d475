package logs

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/table/bolt"
)

// logStore is a store whose clock stands still, in March.
func logStore(t *testing.T) (*db.DB, time.Time) {
	t.Helper()
	now := time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	tab, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(), bolt.WithClock(clock))
	must.Do(t, err)
	t.Cleanup(func() { _ = tab.Close() })
	return db.New(tab, clock), now
}

// TestLogs pages through a log over several months, with and without filters, by page and by
// cursor.
func TestLogs(t *testing.T) {
	s, now := logStore(t)
	const lines = 3000 // one every ten minutes: since the middle of February
	var batch []db.RequestLine
	for i := range lines {
		line := db.RequestLine{Time: cms.At(now.Add(-time.Duration(i) * 10 * time.Minute)),
			Method: "GET", Path: fmt.Sprint("/", i), Status: 200, Key: "site"}
		if i%500 == 499 {
			line.Status = 500
		}
		batch = append(batch, line)
	}
	must.Do(t, s.LogRequests(t.Context(), batch...))
	list := func(q Query) db.Page[db.RequestLine] {
		t.Helper()
		page, err := Requests(t.Context(), s, q)
		must.Do(t, err)
		return page
	}
	// By page and by cursor, all lines come in their order.
	cursor := ""
	for n := 1; n <= lines/100; n++ {
		byPage, byCursor := list(Query{Paging: db.Paging{Page: n, PerPage: 100}}),
			list(Query{Paging: db.Paging{Page: 1, PerPage: 100}, Cursor: cursor})
		for i := range 100 {
			if want := fmt.Sprint("/", (n-1)*100+i); byPage.Items[i].Path != want ||
				byCursor.Items[i].Path != want {
				t.Fatalf("line %s is %s by page, %s by cursor", want, byPage.Items[i].Path,
					byCursor.Items[i].Path)
			}
		}
		cursor = byCursor.Next
	}
	if cursor != "" {
		t.Error("there is a cursor behind the last line")
	}
	if page := list(Query{Paging: db.Paging{Page: 25, PerPage: 100}}); page.Total != lines || page.Estimate {
		t.Errorf("total %d, estimate %v", page.Total, page.Estimate)
	}
	// Totals are exact up to 10,000 lines, whatever the page; what needs no total does not count.
	for _, filters := range []map[string]string{nil, {"method": "GET"}} {
		q := Query{Paging: db.Paging{Page: 1, PerPage: 2}, Filters: filters}
		if page := list(q); page.Total != lines || page.Estimate {
			t.Errorf("filters %v: total %d, estimate %v", filters, page.Total, page.Estimate)
		}
		q.Uncounted = true
		if page := list(q); len(page.Items) != 2 || page.Total >= lines || !page.Estimate {
			t.Errorf("uncounted, filters %v: total %d, estimate %v", filters, page.Total, page.Estimate)
		}
	}
	failed := map[string]string{"status": "500", "key": "site"}
	page := list(Query{Paging: db.Paging{Page: 1, PerPage: 25}, Filters: failed})
	if len(page.Items) != 6 || page.Total != 6 || page.Estimate || page.Next != "" ||
		page.Items[5].Path != "/2999" {
		t.Errorf("filtered %+v", page)
	}
	if page = list(Query{Paging: db.Paging{Page: 2, PerPage: 2}, Filters: failed}); len(page.Items) != 2 ||
		page.Items[0].Path != "/1499" || page.Next == "" {
		t.Errorf("second page of the filtered %+v", page)
	}
	if page = list(Query{Paging: db.Paging{Page: 1, PerPage: 2}, Filters: failed,
		Cursor: page.Next}); len(page.Items) != 2 ||
		page.Items[1].Path != "/2999" || page.Next != "" {
		t.Errorf("behind the cursor %+v", page)
	}
	if _, err := Requests(t.Context(), s, Query{Paging: db.Paging{Page: 1, PerPage: 2}, Cursor: "nonsense"}); err == nil {
		t.Error("a made-up cursor is taken")
	}
}

// TestLogScan: a filter looks at so many lines, and the cursor leads on.
func TestLogScan(t *testing.T) {
	s, now := logStore(t)
	batch := make([]db.RequestLine, 2*maxScan)
	for i := range batch {
		batch[i] = db.RequestLine{Time: cms.At(now.Add(-time.Duration(i) * time.Second)),
			Method: "GET", Status: 200}
	}
	batch[len(batch)-1].Method = "PUT"
	must.Do(t, s.LogRequests(t.Context(), batch...))
	q := Query{Paging: db.Paging{Page: 1, PerPage: 25}, Filters: map[string]string{"method": "PUT"}}
	for steps := 1; ; steps++ {
		page, err := Requests(t.Context(), s, q)
		must.Do(t, err)
		if len(page.Items) == 1 && steps > 1 {
			return
		}
		if page.Next == "" || page.Next == q.Cursor || len(page.Items) > 0 || !page.Estimate || steps > 3 {
			t.Fatalf("step %d: %+v", steps, page)
		}
		q.Cursor = page.Next
	}
}

// TestLogBetween lists the lines of a span of time.
func TestLogBetween(t *testing.T) {
	s, now := logStore(t)
	var batch []db.RequestLine
	for i := range 60 { // one a day
		batch = append(batch, db.RequestLine{Time: cms.At(now.AddDate(0, 0, -i)), Path: fmt.Sprint("/", i)})
	}
	must.Do(t, s.LogRequests(t.Context(), batch...))
	day := func(i int) cms.Time { return cms.At(now.AddDate(0, 0, -i)) }
	for name, c := range map[string]struct {
		from, until cms.Time
		first, n    int
	}{
		"from":           {day(3), cms.Time{}, 0, 4},
		"until":          {cms.Time{}, day(20), 21, 9}, // requests are kept for 30 days
		"both":           {day(25), day(20), 21, 5},
		"nothing":        {day(20), day(20), 0, 0},
		"the other way":  {day(20), day(25), 0, 0},
		"days to come":   {cms.At(now.AddDate(1, 0, 0)), cms.Time{}, 0, 0},
		"until tomorrow": {day(1), cms.At(now.AddDate(0, 0, 1)), 0, 2},
	} {
		seen, cursor := []string{}, ""
		for range 10 {
			page, err := Requests(t.Context(), s, Query{Paging: db.Paging{Page: 1, PerPage: 3}, From: c.from,
				Until: c.until, Cursor: cursor})
			must.Do(t, err)
			for _, line := range page.Items {
				seen = append(seen, line.Path)
			}
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		if len(seen) != c.n || c.n > 0 && seen[0] != fmt.Sprint("/", c.first) {
			t.Errorf("%s: %v", name, seen)
		}
	}
}
