package api_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/editing"
	"headless/pkg/rooms"
	"headless/pkg/table"
)

// TestColdRoundTrips counts what a process that knows nothing yet waits for, one after the other:
// before its first request, then for reads with a key that it has not seen. The second read of each
// kind is a warm one.
func TestColdRoundTrips(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	e := c.create("things", `{"title": "One", "status": "published"}`)
	for path, want := range map[string][2]int{
		"/things/" + e.ID: {2, 1},
		"/things/one":     {3, 1}, // the slug leads to the id, which a warm process knows
		"/things":         {3, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			counting := table.NewCounting(table.NewFaulty(c.table, table.Latency(10*time.Millisecond)))
			cold := rooms.New(counting, time.Now)
			if _, err := cold.Site.Site(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := counting.Snapshot(); got.RoundTrips != 2 || got.Calls != 2 {
				t.Errorf("the site: %d round trips, %d calls; want 2 and 2", got.RoundTrips, got.Calls)
			}
			first := &contentWorld{t: t,
				Handler: pipeline.New(pipeline.Config{Keys: cold.Keys, Log: slog.New(slog.DiscardHandler)},
					api.ContentRoutes(&editing.Entries{Store: cold.Content}))}
			for i, trips := range want {
				counting.Reset()
				first.call(c.public, "GET", path, "").want(200, "")
				if got := counting.Snapshot().RoundTrips; got != trips {
					t.Errorf("%s, read %d: %d round trips, want %d", path, i+1, got, trips)
				}
			}
		})
	}
}
