package admin_test

import (
	"context"
	"encoding/csv"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
)

func TestLogFilters(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/keys", `{"name":"Site"}`)
	for _, line := range []db.RequestLine{{Method: "GET", Path: "/api/v1/ping", Status: 200,
		Key: "Site"}, {Method: "POST", Path: "/api/v1/posts", Status: 422, Key: "Import"}} {
		if line.Time = s.store.Now(); s.store.LogRequests(context.Background(), line) != nil {
			t.Fatal("a line is not logged")
		}
	}
	for path, want := range map[string]float64{
		"/activity?filter[event]=key.created": 1, "/activity?filter[actor]=" + adminEmail +
			"&filter[source]=admin&filter[event]=locale.created": 1, "/activity?filter[subject]=key Site": 1,
		"/activity?filter[actor]=anonymous": 2, "/activity?filter[source]=api": 0,
		"/activity?filter[event]=":               6,
		"/activity?filter[time][gte]=2099-01-01": 0, "/activity?filter[address]=203.0.113.9": 0,
		"/activity?filter[event]=key.created&filter[address]=192.0.2.1":           1,
		"/requests?filter[status]=422":                                            1,
		"/requests?filter[key]=Site&filter[method]=GET&filter[path]=/api/v1/ping": 1,
		"/requests?filter[method]=PUT":                                            0,
	} {
		u, err := url.Parse(path)
		must.Do(t, err)
		path = u.Path + "?" + u.Query().Encode()
		if a := c.must(t, 200, "GET", path, nil); a.Meta["total"] != want || a.Meta["next_cursor"] != nil {
			t.Errorf("%s: %v, want %v", path, a.Meta, want)
		}
		if a := b.get(t, path); a.Code != 200 || contains(a, "Nothing found.") != (want == 0) {
			t.Errorf("page of %s: %d", path, a.Code)
		}
	}
	for _, query := range []string{"filter%5Bstatus%5D=many", "filter%5Bstatus%5D%5Bgte%5D=400",
		"filter%5Btime%5D%5Bgte%5D=soon", "filter%5Btime%5D=2026-01-01", "cursor=nope"} {
		c.must(t, 400, "GET", "/requests?"+query, nil)
	}
	a := c.must(t, 200, "GET", "/activity?per_page=2", nil)
	next, _ := a.Meta["next_cursor"].(string)
	if rest := c.must(t, 200, "GET", "/activity?cursor="+url.QueryEscape(next), nil); len(rest.Data.([]any)) != 4 {
		t.Errorf("behind the cursor %s: %s", next, rest.Body)
	}
}

// TestActivityCSV pages through the log as files and finds no formula in them.
func TestActivityCSV(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	const lines = 6000
	for n := range lines / 50 {
		tx := s.store.Begin()
		for i := range 50 {
			tx.Audit(cms.Actor{Name: "=cmd()", Source: cms.SourceAPI}, "entry.updated",
				"line "+strconv.Itoa(50*n+i), "", nil, map[string]any{"a": 1})
		}
		must.Do(t, s.store.Commit(t.Context(), tx))
	}
	seen, files := map[string]bool{}, 0
	for at := "/activity.csv?filter%5Bevent%5D=entry.updated"; at != ""; files++ {
		a := c.must(t, 200, "GET", at, nil)
		rows, err := csv.NewReader(a.Body).ReadAll()
		if err != nil || len(rows[0]) != 10 {
			t.Fatalf("%v: %v", rows[0], err)
		}
		for _, row := range rows[1:] {
			if row[1] != "'=cmd()" || row[9] != `{"a":1}` || seen[row[4]] {
				t.Fatalf("row %q", row)
			}
			seen[row[4]] = true
		}
		link, _, _ := strings.Cut(strings.TrimPrefix(a.Header().Get("Link"), "</admin"), ">")
		at = link
	}
	if len(seen) != lines || files != 2 {
		t.Errorf("%d lines in %d files", len(seen), files)
	}
	if a := c.must(t, 200, "GET", "/activity?filter[event]=export.made", nil); len(a.Data.([]any)) != files {
		t.Errorf("exports: %s", a.Body)
	}
	if page := s.browse(t).get(t, "/activity?filter%5Bevent%5D=entry.updated"); !contains(page,
		"/admin/activity.csv?filter%5Bevent%5D=entry.updated") {
		t.Error("the page has no link to the file")
	}
}

// TestActivityNames shows entries, models and forms in the activity log by their names, with links, to who may read
// them. What is gone, and what the user may not read, has its stored text; JSON and the file do not change.
func TestActivityNames(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Our posts","localized":true}`)
	c.must(t, 201, "POST", "/forms", `{"slug":"contact","name":"Write to us","fields":[{"name":"a","type":"text"}]}`)
	entry := func(body string) string {
		return c.must(t, 201, "POST", "/models/posts/entries", body).text(t, "id")
	}
	lamp, gone := entry(`{"title":"A lamp","slug":"lamp"}`), entry(`{"title":"Gone","slug":"gone"}`)
	german := entry(`{"title":"Geheim","slug":"secret","locale":"de"}`)
	c.must(t, 200, "PUT", "/models/posts/entries/"+lamp, `{"title":"Oil lamp"}`)
	c.must(t, 204, "DELETE", "/models/posts/entries/"+gone, nil)
	c.must(t, 201, "POST", "/roles", `{"slug":"english","name":"English","rules":[{"models":["posts"],"locales":["en"]}]}`)
	c.must(t, 201, "POST", "/users", user("english@example.com", "english"))
	at := func(id string) string { return `<a href="/admin/models/posts/entries/` + id + `">` }
	page := s.browse(t).get(t, "/activity").Body.String()
	for _, want := range []string{at(lamp) + "Oil lamp (Our posts, English)", at(german) + "Geheim (Our posts, German)",
		"<span>posts/gone (en)", `<a href="/admin/models/posts">Our posts`,
		`<a href="/admin/forms/contact">Write to us`, "<span>Language de"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	page = s.browseAs(t, "english@example.com").get(t, "/activity").Body.String()
	if !strings.Contains(page, "Oil lamp (Our posts") || strings.Contains(page, "Geheim") ||
		strings.Contains(page, german) {
		t.Errorf("for a reader of English posts: %s", page)
	}
	if a := c.must(t, 200, "GET", "/activity?filter[subject]=posts/lamp%20(en)", nil); !contains(a, "posts/lamp (en)") {
		t.Errorf("as JSON: %s", a.Body)
	}
}
