package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/table"
)

// found lists model/slug of the results of GET /search.
func (c *contentWorld) found(k string, query string) (names []string, a result) {
	c.t.Helper()
	key := c.public
	if k == "admin" {
		key = c.admin
	}
	a = c.call(key, "GET", "/search?"+escaped(query), "")
	var items []struct{ Model, Slug, Excerpt string }
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

func TestSearch(t *testing.T) {
	c := newContent(t)
	c.things()
	c.model(noteModel)
	c.model(`{"slug": "plain", "name": "Plain", "fields": [{"name": "text", "type": "text", "searchable": true}]}`)
	c.create("notes",
		`{"title": "Apple pie", "status": "published", "data": {"text": "with elephants", "secret": "vault"}}`)
	c.create("notes", `{"title": "Draft about apples"}`)
	c.create("notes",
		`{"title": "Apfel und Häuser", "status": "published", "locale": "de", "data": {"text": "apple"}}`)
	c.create("plain", `{"title": "Pears", "status": "published", "data": {"text": "and an apple"}}`)
	sorted := func(names []string) string { slices.Sort(names); return strings.Join(names, " ") }
	for query, want := range map[string]string{
		"q=apple":                          "notes/apple-pie plain/pears things/t1 things/t2",
		"q=APPLES":                         "notes/apple-pie plain/pears things/t1 things/t2",
		"q=appl":                           "notes/apple-pie plain/pears things/t1 things/t2",
		"q=elephan pie":                    "",
		"q=apple pi":                       "notes/apple-pie",
		"q=elephan":                        "notes/apple-pie",
		"q=apple&models=notes":             "notes/apple-pie",
		"q=apple&models=notes,plain,notes": "notes/apple-pie plain/pears",
		"q=apple&filter[locale]=de":        "notes/apfel-und-haeuser",
		"q=apple&filter[locale]=any":       "notes/apfel-und-haeuser notes/apple-pie plain/pears things/t1 things/t2",
		"q=haus&filter[locale]=de":         "notes/apfel-und-haeuser",
		"q=apple&filter[status]=draft":     "",
		"q=vault":                          "",
		"q=nothing":                        "",
		"q=apple&filter[locale][in]=de,fr": "notes/apfel-und-haeuser",
		"q=apple&page=5":                   "",
		"q=apple&filter[locale][ne]=en":    "notes/apfel-und-haeuser",
	} {
		if names, a := c.found("public", query); sorted(names) != want {
			t.Errorf("%s finds %v, want %s: %s", query, names, want, a.Body)
		}
	}
	if names, _ := c.found("admin", "q=apple&filter[status]=draft"); !slices.Equal(names,
		[]string{"notes/draft-about-apples"}) {
		t.Errorf("drafts: %v", names)
	}
	if names, _ := c.found("public", "q=apple"); names[0] != "notes/apple-pie" {
		t.Errorf("a match in the title comes %v", names)
	}
	for query, says := range map[string]string{"q=apple&models=nope": "nope",
		"q=apple&sort=slug": "published_at", "q=apple&filter[title]=x": "locale",
		"q=apple&fields=data": "excerpt", "": "required", "q=" + words(41): "40",
		"q=apple&page=0": "page", "q=apple&cursor=zz": "cursor"} {
		if _, a := c.found("public", query); a.Code != 400 || !strings.Contains(a.Error.Message, says) {
			t.Errorf("%s: %d %s", query, a.Code, a.Body)
		}
	}
	if _, a := c.found("public", "q=elephants&fields=slug,excerpt"); !strings.Contains(string(a.Data),
		`"excerpt":"with elephants"}`) || strings.Contains(string(a.Data), "title") {
		t.Errorf("narrowed: %s", a.Data)
	}
	for _, order := range []string{"", "&sort=score", "&sort=title", "&sort=-title,score",
		"&sort=published_at", "&sort=-published_at,-score"} {
		query := "q=apple&filter[locale]=any" + order
		whole, _ := c.found("public", query)
		var walked []string
		cursor := ""
		for range 10 {
			names, a := c.found("public", query+"&per_page=2&cursor="+cursor)
			walked = append(walked, names...)
			if a.Meta.NextCursor == nil {
				break
			}
			cursor = *a.Meta.NextCursor
			if _, other := c.found("public", "q=apples&filter[locale]=any"+order+"&cursor="+cursor); other.Code != 400 {
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
		if names, a := c.found("public", query); strings.Join(names, " ") != want {
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

// TestSearchFollowsWrites asks right after each write.
func TestSearchFollowsWrites(t *testing.T) {
	c := newContent(t)
	c.model(noteModel)
	finds := func(text string, want bool) {
		t.Helper()
		listed, _ := c.list(c.public, "/notes", "q="+text)
		names, _ := c.found("public", "q="+text)
		if (len(listed) == 1) != want || (len(names) == 1) != want {
			t.Errorf("%q in the list: %v, in the search: %v, want %v", text, listed, names, want)
		}
	}
	e := c.create("notes", `{"title": "Unicorn", "data": {"text": "grazing"}}`)
	put := func(body string) {
		t.Helper()
		c.call(c.public, "PUT", "/notes/"+e.ID, body).want(200, "")
	}
	finds("unicorn", false)
	put(`{"status": "published"}`)
	finds("unicorn", true)
	finds("graz", true)
	put(`{"data": {"text": "sleeping"}}`)
	finds("graz", false)
	finds("sleeps", true)
	put(`{"status": "archived"}`)
	finds("unicorn", false)
	put(`{"status": "published", "title": "Griffin"}`)
	finds("unicorn", false)
	finds("griffins", true)
	c.call(c.public, "DELETE", "/notes/"+e.ID, "").want(204, "")
	finds("griffin", false)
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
// the text index and the entries, each of which is read once.
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
			if used := w.Snapshot(); used.RoundTrips != 2 || used.ReadUnits != other+10 {
				t.Errorf("%s: %d round trips, %v read units", path, used.RoundTrips, used.ReadUnits)
			}
		}
	})
}
