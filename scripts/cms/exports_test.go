package main

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"headless/pkg/cms"
)

// TestPublicExports imports what scripts/tools/exports.sh downloads to EXPORTS, each into a site of
// its own. Files of the sources may be gone or out of reach; all else must be taken, and a second
// import must change nothing.
func TestPublicExports(t *testing.T) {
	dir := os.Getenv("EXPORTS")
	if dir == "" {
		t.Skip("EXPORTS is not set: see make test-exports")
	}
	for _, export := range []struct {
		source, file string
		entries      map[string]int // by model
	}{
		{"wordpress", "themeunittestdata.wordpress.xml", map[string]int{"posts": 58, "pages": 21}},
		{"wordpress", "64-block-test-data.xml", map[string]int{"posts": 61, "pages": 1}},
		{"wordpress", "theme-preview.xml", map[string]int{"posts": 7}},
		{"contentful", "contentful.json", map[string]int{"blog-post": 3, "person": 1}},
	} {
		t.Run(export.file, func(t *testing.T) {
			c := use(t, serve(t))
			run := func() report {
				r := imported(t, anyCode, export.source, filepath.Join(dir, export.file))
				t.Logf("%+v", r)
				return r
			}
			first := run()
			for slug, want := range export.entries {
				var entries []any
				a, err := c.Send(http.MethodGet,
					"/admin/models/"+slug+"/entries?filter[status]=any&per_page=100", "", nil)
				if err == nil {
					err = cms.Unmarshal(a.Data, &entries)
				}
				if err != nil || len(entries) != want {
					t.Errorf("%d %s, want %d, %v", len(entries), slug, want, err)
				}
			}
			again := run()
			if again.Created > 0 || again.Updated > 0 || again.Unchanged != first.Created ||
				first.Updated > 0 {
				t.Errorf("%+v, then %+v", first, again)
			}
		})
	}
}
