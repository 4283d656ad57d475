package delivery

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
)

// BenchmarkSitemap measures the index and each part of a sitemap with translations: sequential
// round trips, read units of DynamoDB, time and size.
//
//	SITEMAP_ENTRIES=100000 go test -run '^$' -bench Sitemap -benchtime 1x -timeout 60m ./pkg/delivery
func BenchmarkSitemap(b *testing.B) {
	entries := 10_000
	if s := os.Getenv("SITEMAP_ENTRIES"); s != "" {
		var err error
		if entries, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	w := newWorld(b)
	w.translated(b, entries/2)
	counting := table.NewCounting(w.stores.Table)
	p := startProcess(counting, time.Now)
	measure := func(path string) (parts, addresses int) {
		get(p.origin, w.base+path) // to be warm
		counting.Reset()
		began := time.Now()
		a := get(p.origin, w.base+path)
		took, used := time.Since(began), counting.Snapshot()
		if a.Code != http.StatusOK {
			b.Fatalf("%s: %d %s", path, a.Code, a.Body)
		}
		var document struct {
			Parts []struct{} `xml:"sitemap"`
			URLs  []struct{} `xml:"url"`
		}
		must.Do(b, xml.Unmarshal(a.Body.Bytes(), &document))
		b.Logf("%s: %d round trips, %.0f read units, %d ms, %d bytes, %d addresses", path, used.RoundTrips,
			used.ReadUnits, took.Milliseconds(), a.Body.Len(), len(document.URLs))
		return len(document.Parts), len(document.URLs)
	}
	for b.Loop() {
		parts, _ := measure("/sitemap.xml")
		addresses := 0
		for n := range parts {
			_, found := measure(fmt.Sprintf("/sitemap-%d.xml", n+1))
			addresses += found
		}
		if addresses != entries {
			b.Errorf("the parts have %d addresses, want %d", addresses, entries)
		}
	}
}

// translated publishes entries of a model with an address, each with a translation.
func (w *world) translated(b *testing.B, n int) {
	b.Helper()
	ctx, stop := context.WithCancel(b.Context())
	if _, err := (&site.Locales{Store: w.stores.Site}).Create(ctx, editor,
		map[string]any{"code": "de", "name": "German"}); err != nil {
		b.Fatal(err)
	}
	if _, err := (&site.Models{Store: w.stores.Site}).Create(ctx, editor, map[string]any{"slug": "pages",
		"name": "pages", "localized": true, "url": "/{locale}/{slug}"}); err != nil {
		b.Fatal(err)
	}
	var writers, behind errgroup.Group
	behind.Go(func() error {
		for ctx.Err() == nil {
			if err := w.entries.FlushTexts(ctx); err != nil && ctx.Err() == nil {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
		return nil
	})
	var next atomic.Int64
	for range 16 {
		writers.Go(func() error {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				body := map[string]any{"title": "Title", "slug": fmt.Sprint("page-", i),
					"status": "published"}
				e, err := w.entries.Create(ctx, editor, "pages", body)
				if err != nil {
					return err
				}
				body["locale"], body["translation_of"] = "de", e.ID
				if _, err := w.entries.Create(ctx, editor, "pages", body); err != nil {
					return err
				}
			}
			return nil
		})
	}
	must.Do(b, writers.Wait())
	stop()
	must.Do(b, behind.Wait())
	must.Do(b, w.entries.FlushTexts(b.Context()))
}
