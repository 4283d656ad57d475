package editing

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/must"
)

// TestSaveCost counts the write units of the saves of pkg/content/doc.go.
func TestSaveCost(t *testing.T) {
	w := newContentWorld(t, `{"slug": "posts", "name": "Posts", "localized": true, "fields": [
		{"name": "category", "type": "select", "options": ["a", "b"]}, {"name": "author", "type": "text"},
		{"name": "rank", "type": "number"}, {"name": "featured", "type": "boolean"}, {"name": "day", "type": "date"},
		{"name": "tags", "type": "multiselect", "options": ["x", "y"]}, {"name": "body", "type": "richtext", "searchable": true}]}`)
	var text strings.Builder
	for i := range 130 {
		fmt.Fprintf(&text, "word%d ", i*7919%2000)
	}
	start, steps := time.Now(), atomic.Int64{} // two saves in a millisecond would share a row
	w.Entries = &Entries{Store: content.New(w.table,
		func() time.Time { return start.Add(time.Duration(steps.Add(1)) * time.Millisecond) })}
	w.table.Reset()
	e, err := w.Create(t.Context(), w.actor, "posts", w.body(`{"title": "A title of five words", "data": {"category": "a",
		"author": "Ada", "rank": 1, "featured": true, "day": "2026-01-01", "tags": ["x", "y"], 
		"body": "`+text.String()+`"}}`))
	must.Do(t, err)
	for _, c := range []struct {
		name string
		do   func() error
		want float64
	}{
		{"create", func() error { return nil }, 50},
		{"publish", func() error {
			_, err := w.Publish(t.Context(), w.actor, "posts", e.ID, PublishOptions{}, nil)
			return err
		}, 82},
		{"update of a field", func() error {
			_, err := w.Update(t.Context(), w.actor, "posts", e.ID, w.body(`{"data": {"rank": 2}}`), nil)
			return err
		}, 56},
	} {
		must.Do(t, c.do())
		if units := w.table.Snapshot().WriteUnits; units != c.want {
			t.Errorf("%s: %v write units, want %v", c.name, units, c.want)
		}
		w.table.Reset()
	}
}

// TestSlugCost counts what is read to find a slug: a unit for a new title, 21 for one that an entry has.
func TestSlugCost(t *testing.T) {
	w := newContentWorld(t)
	m := w.model("articles")
	for _, want := range []struct {
		slug  string
		units float64
	}{{"one-title", 1}, {"one-title-2", 21}, {"one-title-3", 21}} {
		w.table.Reset()
		slug, err := w.freeSlug(t.Context(), m, &cms.Entry{Locale: "en"}, "one-title", 0)
		if err != nil || slug != want.slug {
			t.Fatalf("slug %q, %v, want %q", slug, err, want.slug)
		}
		if got := w.table.Snapshot().ReadUnits; got != want.units {
			t.Errorf("%s reads %v units, want %v", slug, got, want.units)
		}
		w.create(`{"title": "One title", "slug": "` + slug + `", "data": {"body": "b"}}`)
	}
}
