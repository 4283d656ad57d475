package api_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/api"
	"headless/pkg/api/pipeline"
	"headless/pkg/editing"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/table"
)

// TestFallbackRoundTrips compares warm reads with and without fallback: it takes one round trip
// more at most, also where entries have to be read to be filtered (extensions §3).
func TestFallbackRoundTrips(t *testing.T) {
	c := newContent(t)
	if _, err := (&site.Locales{Store: c.store.Site}).Update(t.Context(), admin, "de", object(t, `{"fallback": "en"}`), nil); err != nil {
		t.Fatal(err)
	}
	c.model(`{"slug": "pages", "name": "Pages", "localized": true, "fields": [{"name": "note", "type": "text"}]}`)
	var original string
	for i := range 5 {
		e := c.create("pages",
			fmt.Sprintf(`{"title": "Page %d", "slug": "page-%d", "status": "published", "data": {"note": "n%d"}}`,
				i, i, i))
		c.create("pages",
			fmt.Sprintf(`{"title": "Seite %d", "slug": "seite-%d", "locale": "de", "status": "published", "translation_of": %q}`,
				i, i, e.ID))
		original = e.ID
	}
	synctest.Test(t, func(t *testing.T) {
		counting := table.NewCounting(table.NewFaulty(c.table, table.Latency(10*time.Millisecond)))
		own := rooms.New(counting, time.Now)
		w := &contentWorld{t: t,
			Handler: pipeline.New(pipeline.Config{Keys: own.Keys, Log: slog.New(slog.DiscardHandler)},
				api.ContentRoutes(&editing.Entries{Store: own.Content}))}
		trips := func(path string) int {
			t.Helper()
			for range 2 { // once to be warm
				counting.Reset()
				w.call(c.public, "GET", path, "").want(200, "")
			}
			return counting.Snapshot().RoundTrips
		}
		for _, plain := range []string{"/pages/" + original + "?", "/pages/page-4?", "/pages?",
			"/pages?filter[data.note][contains]=n&"} {
			before, after := trips(plain), trips(plain+"fallback=true&locale=de")
			if after > before+1 {
				t.Errorf("%s: %d round trips with fallback, %d without", plain, after, before)
			}
			if body := w.call(c.public, "GET", plain+"fallback=true&locale=de", "").Body.String(); !strings.Contains(body,
				`"title":"Seite 4"`) {
				t.Errorf("%s: %s", plain, body)
			}
		}
	})
}
