package blob_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"headless/pkg/blob"
	"headless/pkg/blob/disk"
	"headless/pkg/must"
)

// fileServer serves one text and one PDF, as the embedded server does.
func fileServer(t *testing.T) http.Handler {
	t.Helper()
	store, err := disk.Open(t.TempDir(), disk.Options{})
	must.Do(t, err)
	for key, meta := range map[string]blob.Meta{
		"media/text": {ContentType: "text/plain", Disposition: `inline; filename=a.txt`},
		"media/pdf":  {ContentType: "application/pdf"},
	} {
		must.Do(t, store.Put(t.Context(), key, strings.NewReader("0123456789"), meta))
	}
	mux := http.NewServeMux()
	mux.Handle("/media/{id}/{name}", blob.FileHandler(store, "media/"))
	return mux
}

func ask(handler http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestFileHandler(t *testing.T) {
	server := fileServer(t)
	etag := ask(server, "HEAD", "/media/text/a.txt").Header().Get("ETag")
	modified := ask(server, "HEAD", "/media/text/a.txt").Header().Get("Last-Modified")
	tests := []struct {
		name, method, path string
		headers            []string
		status             int
		body               string
	}{
		{"whole", "GET", "/media/text/a.txt", nil, 200, "0123456789"},
		{"any name", "GET", "/media/text/%2e%2e%2fb", nil, 200, "0123456789"},
		{"head", "HEAD", "/media/text/a.txt", nil, 200, ""},
		{"range", "GET", "/media/text/a.txt", []string{"Range", "bytes=2-4"}, 206, "234"},
		{"suffix", "GET", "/media/text/a.txt", []string{"Range", "bytes=-2"}, 206, "89"},
		{"range past the end", "GET", "/media/text/a.txt", []string{"Range", "bytes=20-"}, 416,
			"invalid range: failed to overlap\n"},
		{"range in another unit", "GET", "/media/text/a.txt", []string{"Range", "lines=2-4"}, 200, "0123456789"},
		{"range of this version", "GET", "/media/text/a.txt",
			[]string{"Range", "bytes=0-0", "If-Range", etag}, 206, "0"},
		{"range of another version", "GET", "/media/text/a.txt",
			[]string{"Range", "bytes=0-0", "If-Range", `"x"`}, 200, "0123456789"},
		{"same tag", "GET", "/media/text/a.txt", []string{"If-None-Match", etag}, 304, ""},
		{"not modified", "GET", "/media/text/a.txt", []string{"If-Modified-Since", modified}, 304, ""},
		{"absent", "GET", "/media/none/a.txt", nil, 404, "No such file.\n"},
		{"not a key", "GET", "/media/%2e%2e/a.txt", nil, 404, "No such file.\n"},
		{"path in the id", "GET", "/media/..%2fmedia%2ftext/a.txt", nil, 404, "No such file.\n"},
		{"another method", "POST", "/media/text/a.txt", nil, 405, "Method not allowed.\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := ask(server, test.method, test.path, test.headers...)
			if w.Code != test.status || w.Body.String() != test.body {
				t.Errorf("%d %q, want %d %q", w.Code, w.Body, test.status, test.body)
			}
			if got := w.Header().Get("X-Content-Type-Options"); got != "nosniff" {
				t.Errorf("X-Content-Type-Options = %q", got)
			}
			if w.Code >= 400 && strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
				t.Error("an error is cached for good")
			}
		})
	}
}

func TestFileHandlerHeaders(t *testing.T) {
	server := fileServer(t)
	header := ask(server, "GET", "/media/text/a.txt").Header()
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin": "*",
		"Cache-Control":               "public, max-age=31536000, immutable",
		"Content-Disposition":         "inline; filename=a.txt",
		"Content-Length":              "10",
		"Content-Type":                "text/plain",
		"Accept-Ranges":               "bytes",
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	for path, sandboxed := range map[string]bool{"/media/text/a.txt": true, "/media/pdf/a.pdf": false} {
		policy := ask(server, "GET", path).Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'") ||
			strings.HasSuffix(policy, "; sandbox") != sandboxed {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
}
