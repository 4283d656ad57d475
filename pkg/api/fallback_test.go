package api_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/site"
	"headless/pkg/table"
)

// TestFallbackRoundTrips compares warm reads with and without fallback: it takes one round trip
// more at most, also where entries have to be read to be filtered (extensions §3).
func TestFallbackRoundTrips(t *testing.T) {
	c := newContent(t)
	if _, err := (&site.Locales{Store: c.store.Site}).Update(t.Context(), admin, "de", object(t, `{"fallback": "en"}`),
		nil); err != nil {
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
		w := c.processOn(table.NewFaulty(c.table, table.Latency(10*time.Millisecond)), time.Now)
		w.t = t
		trips := func(path string) int {
			t.Helper()
			for range 2 { // once to be warm
				w.Reset()
				w.call(c.public, "GET", path, "").want(200, "")
			}
			return w.Snapshot().RoundTrips
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

// TestFallbackIncludeRoundTrips compares includes of every depth with and without fallback, where
// translations refer to the same entries as their originals, and if they refer to translations of
// those: all levels together take one round trip more at most (extensions §3).
func TestFallbackIncludeRoundTrips(t *testing.T) {
	c := newContent(t)
	if _, err := (&site.Locales{Store: c.store.Site}).Update(t.Context(), admin, "de",
		object(t, `{"fallback": "en"}`), nil); err != nil {
		t.Fatal(err)
	}
	c.model(`{"slug": "people", "name": "People", "localized": true, "fields": [
		{"name": "mentor", "type": "relation", "model": "people"}]}`)
	// Each person has the next one as the mentor; the Germans of the second row have Germans.
	var paths []string
	for row, same := range []bool{true, false} {
		mentor := []string{"null", "null"} // en, de
		for i := range 4 {
			name := fmt.Sprintf("%d-%d", row, i)
			en := c.create("people", fmt.Sprintf(
				`{"title": "English %s", "slug": "en-%s", "status": "published", "data": {"mentor": %s}}`,
				name, name, mentor[0]))
			german := mentor[1]
			if same {
				german = mentor[0]
			}
			de := c.create("people", fmt.Sprintf(`{"title": "German %s", "slug": "de-%s", "locale": "de",
				"status": "published", "translation_of": %q, "data": {"mentor": %s}}`, name, name,
				en.ID, german))
			mentor = []string{fmt.Sprintf("%q", en.ID), fmt.Sprintf("%q", de.ID)}
			if i == 3 {
				paths = append(paths, "/people/"+en.ID+"?", "/people/en-"+name+"?",
					"/people?filter[slug]=en-"+name+"&")
			}
		}
	}
	synctest.Test(t, func(t *testing.T) {
		w := c.processOn(table.NewFaulty(c.table, table.Latency(10*time.Millisecond)), time.Now)
		w.t = t
		trips := func(path string) (int, string) {
			t.Helper()
			for range 2 { // once to be warm
				w.Reset()
				w.call(c.public, "GET", path, "").want(200, "")
			}
			return w.Snapshot().RoundTrips, w.call(c.public, "GET", path, "").Body.String()
		}
		for _, path := range paths {
			include := ""
			for depth := 1; depth <= 3; depth++ {
				include = strings.TrimPrefix(include+".mentor", ".")
				before, _ := trips(path + "include=" + include)
				after, body := trips(path + "include=" + include + "&fallback=true&locale=de")
				if after > before+1 {
					t.Errorf("%s of depth %d: %d round trips with fallback, %d without", path,
						depth, after, before)
				}
				if strings.Contains(body, "English") || strings.Count(body, "German") != depth+1 {
					t.Errorf("%s of depth %d: %s", path, depth, body)
				}
			}
		}
	})
}

// TestTranslationsReadEntriesOnce counts what a list with translations reads: beyond the list, the
// group of each entry and its other members.
func TestTranslationsReadEntriesOnce(t *testing.T) {
	c := newContent(t)
	c.model(`{"slug": "pages", "name": "Pages", "localized": true, "fields": []}`)
	for i := range 20 {
		e := c.create("pages", fmt.Sprintf(`{"title": "Page %d", "status": "published"}`, i))
		c.create("pages", fmt.Sprintf(
			`{"title": "Seite %d", "locale": "de", "status": "published", "translation_of": %q}`, i, e.ID))
	}
	w := c.process(time.Now)
	units := func(path string, want int) float64 {
		t.Helper()
		for range 2 { // once to be warm
			w.Reset()
			if body := w.call(c.public, "GET", path, "").Body.String(); strings.Count(body,
				`"Seite`) != want {
				t.Errorf("%s: %s", path, body)
			}
		}
		return w.Snapshot().ReadUnits
	}
	plain, with := units("/pages?per_page=20", 0), units("/pages?per_page=20&translations=true", 20)
	if with > plain+41 {
		t.Errorf("%.1f read units with translations, %.1f without", with, plain)
	}
}
