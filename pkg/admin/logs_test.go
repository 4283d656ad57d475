package admin_test

import (
	"context"
	"net/url"
	"testing"

	"headless/pkg/store"
)

func TestLogFilters(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/keys", `{"name":"Site"}`)
	for _, line := range []store.RequestLine{{Method: "GET", Path: "/api/v1/ping", Status: 200, Key: "Site"}, {Method: "POST", Path: "/api/v1/posts", Status: 422, Key: "Import"}} {
		if line.Time = s.store.Now(); s.store.LogRequests(context.Background(), line) != nil {
			t.Fatal("a line is not logged")
		}
	}
	for path, want := range map[string]float64{
		"/activity?filter[event]=key.created": 1, "/activity?filter[actor]=" + adminEmail + "&filter[source]=admin&filter[event]=locale.created": 1, "/activity?filter[subject]=key Site": 1,
		"/activity?filter[actor]=anonymous": 2, "/activity?filter[source]=api": 0, "/activity?filter[event]=": 6,
		"/requests?filter[status]=422": 1, "/requests?filter[key]=Site&filter[method]=GET&filter[path]=/api/v1/ping": 1, "/requests?filter[method]=PUT": 0,
	} {
		u, err := url.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		path = u.Path + "?" + u.Query().Encode()
		if a := c.must(t, 200, "GET", path, nil); a.Meta["total"] != want || a.Meta["next_cursor"] != nil {
			t.Errorf("%s: %v, want %v", path, a.Meta, want)
		}
		if a := b.get(t, path); a.Code != 200 || contains(a, "Nothing found.") != (want == 0) {
			t.Errorf("page of %s: %d", path, a.Code)
		}
	}
	for _, query := range []string{"filter%5Bstatus%5D=many", "filter%5Bstatus%5D%5Bgte%5D=400", "cursor=nope"} {
		c.must(t, 400, "GET", "/requests?"+query, nil)
	}
	a := c.must(t, 200, "GET", "/activity?per_page=2", nil)
	next, _ := a.Meta["next_cursor"].(string)
	if rest := c.must(t, 200, "GET", "/activity?cursor="+url.QueryEscape(next), nil); len(rest.Data.([]any)) != 4 {
		t.Errorf("behind the cursor %s: %s", next, rest.Body)
	}
}
