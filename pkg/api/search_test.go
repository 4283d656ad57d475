package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/must"
	"headless/pkg/table"
)

// found lists model/slug of the results of GET /search.
func (c *contentWorld) found(query string) (names []string, a result) {
	c.t.Helper()
	a = c.call(c.public, "GET", "/search?"+escaped(query), "")
	var items []struct{ Model, Slug string }
	if a.Code == 200 {
		if err := json.Unmarshal(a.Data, &items); err != nil {
			c.t.Errorf("%s: %v: %s", query, err, a.Data)
		}
	}
	names = []string{}
	for _, item := range items {
		names = append(names, item.Model+"/"+item.Slug)
	}
	return names, a
}

// TestSearchWalk walks through the results of a search in each order. A cursor is for its search only.
func TestSearchWalk(t *testing.T) {
	c := newContent(t)
	c.things()
	c.model(noteModel)
	c.model(`{"slug": "plain", "name": "Plain", "fields": [{"name": "text", "type": "text", "searchable": true}]}`)
	c.create("notes", `{"title": "Apple pie", "status": "published", "data": {"text": "with elephants"}}`)
	c.create("notes",
		`{"title": "Apfel und Häuser", "status": "published", "locale": "de", "data": {"text": "apple"}}`)
	c.create("plain", `{"title": "Pears", "status": "published", "data": {"text": "and an apple"}}`)
	for _, order := range []string{"", "&sort=score", "&sort=title", "&sort=-title,score",
		"&sort=published_at", "&sort=-published_at,-score"} {
		query := "q=apple&filter[locale]=any" + order
		whole, _ := c.found(query)
		var walked []string
		cursor := ""
		for range 10 {
			names, a := c.found(query + "&per_page=2&cursor=" + cursor)
			walked = append(walked, names...)
			if a.Meta.NextCursor == nil {
				break
			}
			cursor = *a.Meta.NextCursor
			if _, other := c.found("q=apples&filter[locale]=any" + order + "&cursor=" + cursor); other.Code != 400 {
				t.Errorf("the cursor of another search: %d", other.Code)
			}
		}
		if !slices.Equal(walked, whole) || len(whole) != 5 {
			t.Errorf("%s: by cursor %v, whole %v", query, walked, whole)
		}
	}
}

// TestPhrases looks for words in quotation marks in searches and lists, and for words that stand
// together.
func TestPhrases(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	c.create("notes",
		`{"title": "Scattered", "status": "published", "data": {"text": "a site that is static, a static thing; sites of the generator"}}`)
	c.create("notes",
		`{"title": "Together", "status": "published", "data": {"text": "long words before the static site generator and many words after it, so that it counts less"}}`)
	c.create("notes",
		`{"title": "Static site", "status": "draft", "data": {"text": "static site generator", "secret": "static secret"}}`)
	for query, want := range map[string]string{
		`"static site"`: "notes/together", `"STATIC site" words`: "notes/together",
		`"site static"`: "", `"static secret"`: "", `"static sit"`: "",
		`static site generator`: "notes/together notes/scattered", // the one that holds them together first
	} {
		query = "q=" + query
		if names, a := c.found(query); strings.Join(names, " ") != want {
			t.Errorf("%s finds %v, want %s: %s", query, names, want, a.Body)
		}
		a := c.call(c.public, "GET", "/notes?"+escaped(query), "")
		var items []struct{ Slug string }
		if err := json.Unmarshal(a.Data, &items); err != nil {
			t.Fatalf("%s: %v", a.Body, err)
		}
		var names []string
		for _, item := range items {
			names = append(names, "notes/"+item.Slug)
		}
		if strings.Join(names, " ") != want || a.Meta.Total != len(names) {
			t.Errorf("the list finds %v of %d, want %s: %s", names, a.Meta.Total, want, a.Body)
		}
	}
}

// TestManyWords finds everything behind a prefix that many words share.
func TestManyWords(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	for i := range 30 {
		c.create("notes",
			fmt.Sprintf(`{"title": "Entry %d", "status": "published", "data": {"text": "%s"}}`, i,
				prefixed(i)))
	}
	if _, a := c.list(c.public, "/notes", "q=con"); a.Meta.Total != 30 || a.Meta.TotalRelation != "" {
		t.Errorf("total %d %s, want 30", a.Meta.Total, a.Meta.TotalRelation)
	}
}

// prefixed are words that nobody else has.
func prefixed(n int) string {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "con%c%c%c ", 'a'+n%26, 'a'+(n/26), 'a'+i)
	}
	return b.String()
}

// TestSearchRoundTrips counts what a search of one model takes whose words this process has searched
// before: one round trip for the key, the configuration and what is pending, and one for the root of
// the text index and the entries, each of which is read once, for half a unit.
func TestSearchRoundTrips(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	for i := range 10 {
		c.create("notes", fmt.Sprintf(`{"title": "Note %d", "status": "published", "data": {"text": "red apple %d"}}`, i, i))
	}
	if _, err := c.store.Content.FlushTexts(t.Context()); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := c.processOn(table.NewFaulty(c.table, table.Latency(10*time.Millisecond)), time.Now)
		w.t = t
		for _, path := range []string{"/notes?q=apple", "/notes?q=red+apple+note", "/search?q=apple",
			"/search?q=red+apple&models=notes"} {
			for range 2 { // once to know the words
				w.Reset()
				w.call(c.public, "GET", path, "").want(200, "")
			}
			const other = 5 // the key, the configuration, two partitions of pending texts, the root
			if used := w.Snapshot(); used.RoundTrips != 2 || used.ReadUnits != other+10*0.5 {
				t.Errorf("%s: %d round trips, %v read units", path, used.RoundTrips, used.ReadUnits)
			}
		}
	})
}

// behind is a table whose eventual reads of an item always show it as it was when it was first read so.
type behind struct {
	table.Table
	seen *sync.Map
}

func (t behind) Get(ctx context.Context, how table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	items, err := t.Table.Get(ctx, how, keys...)
	for i := range items {
		if how == table.Eventual {
			was, _ := t.seen.LoadOrStore(keys[i], items[i])
			items[i] = was.(*table.Item)
		}
	}
	return items, err
}

// TestSearchShowsLastSave: a search shows what was saved before it, also if that changed no text and eventual reads
// are late, and before and after the change is in a segment.
func TestSearchShowsLastSave(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	first := c.create("notes", `{"title": "Red apple", "slug": "first", "status": "published"}`)
	w := c.processOn(behind{c.table, &sync.Map{}}, time.Now)
	steps := []func() error{
		func() error { return nil },
		func() error { _, err := c.store.Content.FlushTexts(t.Context()); return err },
	}
	for n, slug := range []string{"first", "second", "third"} {
		if n > 0 {
			body := `{"title": "Red apple", "status": "published", "slug": "` + slug + `"}`
			c.call(c.admin, "PUT", "/notes/"+first.ID, body).want(200, "")
		}
		for at, step := range steps {
			must.Do(t, step())
			for _, path := range []string{"/notes?q=apple", "/notes?q=red+apple", "/notes?q=apple&sort=title",
				"/search?q=apple", "/search?q=red+apple", "/search?q=apple&sort=title"} {
				if a := w.call(c.public, "GET", path, ""); !strings.Contains(a.Body.String(), `"slug":"`+slug+`"`) {
					t.Errorf("step %d: %s does not show %q: %s", at, path, slug, a.Body)
				}
			}
		}
	}
}
