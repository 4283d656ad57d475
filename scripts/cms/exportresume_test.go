package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"headless/pkg/must"
)

// TestResumeExport breaks an export off between two pages of a model. The next one reads the
// missing pages only.
func TestResumeExport(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	address := serve(t)
	c := use(t, address)
	for _, slug := range []string{"authors", "posts"} {
		must.Do(t, c.JSON("POST", "/admin/models", map[string]any{"slug": slug, "name": slug}, nil))
	}
	for i := range 150 {
		must.Do(t, c.JSON("POST", "/admin/models/posts/entries", map[string]any{"title": fmt.Sprint("Post ", i)},
			nil))
	}
	target, err := url.Parse(address)
	must.Do(t, err)
	var broken atomic.Bool
	var pages atomic.Int32
	proxy := httputil.NewSingleHostReverseProxy(target)
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/entries") {
			pages.Add(1)
			if broken.Load() && r.URL.Query().Has("cursor") {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	defer between.Close()
	use(t, between.URL)
	dir := t.TempDir()
	broken.Store(true)
	expect(t, 1, "export", dir)
	if _, err := os.Stat(filepath.Join(dir, "posts.jsonl")); err == nil {
		t.Fatal("a file that is not whole has its name")
	}
	broken.Store(false)
	pages.Store(0)
	expect(t, 0, "export", dir, "--json")
	if n := pages.Load(); n != 1 {
		t.Errorf("%d pages were read again, want the last one only", n)
	}
	text, err := os.ReadFile(filepath.Join(dir, "posts.jsonl"))
	must.Do(t, err)
	if n := bytes.Count(text, []byte("\n")); n != 150 {
		t.Errorf("%d lines", n)
	}
	if _, err := os.Stat(filepath.Join(dir, "resume.json")); err == nil {
		t.Error("the place is kept after the end")
	}
	expect(t, 0, "export", dir)
	if n := pages.Load(); n != 1+3 {
		t.Errorf("a new export reads %d pages, want all 3", n-1)
	}
}
