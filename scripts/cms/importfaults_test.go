package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"headless/pkg/must"
)

// TestImportWithLostAnswers applies a schema to a service of whose changes the first answer is lost each, and imports
// into it: what was made is told as made.
func TestImportWithLostAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	c, dir := use(t, serve(t)), t.TempDir()
	must.Do(t, c.JSON("POST", "/admin/models", map[string]any{"slug": "posts", "name": "Posts"}, nil))
	must.Do(t, c.JSON("POST", "/admin/models/posts/entries", map[string]any{"title": "A post"}, nil))
	sendTestFile(t, c, "0195d3a0-0000-7000-8000-000000000001", "a.txt", "", []byte("small"))
	sendLargeFile(t, c, "0195d3a0-0000-7000-8000-000000000002", "2026-01-01T00:00:00Z")
	expect(t, 0, "export", dir)
	expect(t, 0, "schema", "pull", "-o", dir+"/schema.json")

	address := serve(t)
	target, err := url.Parse(address)
	must.Do(t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	var lost sync.Map
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, again := lost.LoadOrStore(r.Method+r.URL.Path, true)
		if again || r.Method == http.MethodGet || strings.HasSuffix(r.URL.Path, "/login") {
			proxy.ServeHTTP(w, r)
			return
		}
		proxy.ServeHTTP(httptest.NewRecorder(), r)
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"data":null,"error":{"code":"SERVICE_UNAVAILABLE","message":"Try again."}}`)
	}))
	defer between.Close()
	use(t, between.URL)
	expect(t, 0, "schema", "apply", dir+"/schema.json")
	if r := imported(t, 0, dir); r.Created != 3 || r.Failed != 0 {
		t.Errorf("%+v", r)
	}
}
