package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"headless/pkg/must"
)

// fitting is how many lines the service of TestSlowService takes in one request.
const fitting = 30

// TestSlowService: where a gateway does not wait for the answer to many lines, fewer are sent.
func TestSlowService(t *testing.T) {
	first, second := serve(t), serve(t)
	c := use(t, first)
	must.Do(t, c.JSON("POST", "/admin/models", map[string]any{"slug": "posts", "name": "P"}, nil))
	const entries = 150
	for range entries {
		err := c.JSON("POST", "/admin/models/posts/entries", map[string]any{"title": "Post"}, nil)
		must.Do(t, err)
	}
	dir := t.TempDir()
	expect(t, 0, "export", dir)
	target, err := url.Parse(second)
	must.Do(t, err)
	proxy, late, busy := httputil.NewSingleHostReverseProxy(target), 0, 0
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if r.URL.Path != "/admin/import" || bytes.Count(body, []byte("\n")) <= fitting {
			if busy == 0 && r.URL.Path == "/admin/import" {
				busy++
				_, _ = io.WriteString(w, `{"data":[{"line":1,"result":"failed","error":{"code":`+
					`"SERVICE_UNAVAILABLE","message":"Try again."}}]}`)
				return
			}
			proxy.ServeHTTP(w, r)
			return
		}
		late++ // the service takes all lines, and nobody waits for the answer
		proxy.ServeHTTP(httptest.NewRecorder(), r)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusGatewayTimeout)
		_, _ = io.WriteString(w, `{"message":"Endpoint request timed out"}`)
	}))
	defer gateway.Close()
	c = use(t, gateway.URL)
	expect(t, 0, "import", dir)
	var all []any
	err = c.JSON("GET", "/admin/models/posts/entries?filter[status]=any&per_page=100&page=2", nil, &all)
	if err != nil || len(all) != entries-100 || late == 0 || busy == 0 {
		t.Errorf("%d entries on the second page, %d late answers, %v", len(all), late, err)
	}
}
