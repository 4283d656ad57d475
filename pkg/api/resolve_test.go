package api_test

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/rooms"
	"headless/pkg/table"
)

// TestResolveRoundTrips counts what a warm process waits for, one after the other, and what it reads: an
// entry, former addresses and unknown paths.
func TestResolveRoundTrips(t *testing.T) {
	c := newContent(t)
	c.model(`{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}"}`)
	c.model(`{"slug": "posts", "name": "Posts", "localized": true, "url": "/{locale?}/posts/{slug}"}`)
	firm := c.create("pages", `{"title": "Firm", "status": "published"}`)
	jobs := c.create("pages", `{"title": "Jobs", "status": "published", "parent": "`+firm.ID+`"}`)
	c.create("pages", `{"title": "Dev", "status": "published", "parent": "`+jobs.ID+`"}`)
	team := c.create("pages", `{"title": "Team", "status": "published", "parent": "`+firm.ID+`"}`)
	c.call(c.admin, "PUT", "/pages/"+jobs.ID, `{"slug": "careers"}`).want(200, "")
	c.call(c.admin, "PUT", "/pages/"+team.ID, `{"parent": "`+jobs.ID+`"}`).want(200, "")
	post := c.create("posts", `{"title": "One", "status": "published"}`)
	c.call(c.admin, "PUT", "/posts/"+post.ID, `{"slug": "two"}`).want(200, "")
	for _, tt := range []struct {
		path, code, to string
		status, trips  int
	}{
		{"/firm/careers/dev", "", "", 200, 3}, {"/posts/two", "", "", 200, 3},
		{"/firm/jobs", "", "/firm/careers", 200, 3}, {"/firm/jobs/dev", "", "/firm/careers/dev", 200, 3},
		{"/firm/team", "", "/firm/careers/team", 200, 3}, {"/posts/one", "", "/posts/two", 200, 3},
		{"/nothing", string(cms.CodeNotFound), "", 404, 2}, {"/firm/nothing", string(cms.CodeNotFound), "", 404, 2},
		{"/careers/dev", string(cms.CodeNotFound), "", 404, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			counting := table.NewCounting(table.NewFaulty(c.table, table.Latency(10*time.Millisecond)))
			stores := rooms.New(counting, time.Now)
			w := &contentWorld{t: t,
				Handler: pipeline.New(pipeline.Config{Keys: stores.Keys, Log: slog.New(slog.DiscardHandler)},
					api.ContentRoutes(&editing.Entries{Store: stores.Content}))}
			var answer result
			for range 2 { // the first one is cold
				counting.Reset()
				answer = w.call(c.public, "GET", "/resolve?path="+tt.path, "")
			}
			if answer.want(tt.status, tt.code); !strings.Contains(answer.Body.String(), `"to":"`+tt.to) && tt.to != "" {
				t.Errorf("%s does not lead to %s: %s", tt.path, tt.to, answer.Body)
			}
			if u := counting.Snapshot(); u.RoundTrips > tt.trips || u.ReadUnits > 21 {
				t.Errorf("%s takes %d round trips and %v units", tt.path, u.RoundTrips, u.ReadUnits)
			}
		})
	}
}
