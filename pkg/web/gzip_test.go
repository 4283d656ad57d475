package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"headless/pkg/must"
)

func TestAcceptsGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "br, gzip;q=0.5": true, "*": true, "*;q=0": false,
		"gzip;q=0, *": false, "identity": false, "br": false,
		"*;q=0, gzip": true, "x-gzip": true, "gzip;q=0.001": true, "gzipped": false, "deflate, *;q=0.1": true,
	} {
		if got := AcceptsGzip(http.Header{"Accept-Encoding": {header}}); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
}

func TestCompressed(t *testing.T) {
	long := []byte(strings.Repeat("word ", 1000))
	accepts := http.Header{"Accept-Encoding": {"gzip"}}
	for _, c := range []struct {
		name    string
		request http.Header
		kind    string
		body    []byte
		gzip    bool
		vary    string
	}{
		{"JSON", accepts, "application/json; charset=utf-8", long, true, "Accept-Encoding"},
		{"page", accepts, "text/html; charset=utf-8", long, true, "Accept-Encoding"},
		{"short", accepts, "application/json", long[:1024], false, "Accept-Encoding"},
		{"just long enough", accepts, "application/json", long[:1025], true, "Accept-Encoding"},
		{"client without gzip", http.Header{}, "application/json", long, false, "Accept-Encoding"},
		{"picture", accepts, "image/png", long, false, ""},
	} {
		h := http.Header{"Etag": {`"tag"`}}
		out := Compressed(c.request, h, c.kind, c.body)
		if got := h.Get("Content-Encoding") == "gzip"; got != c.gzip || h.Get("Vary") != c.vary ||
			willCompress(c.request, c.kind, len(c.body)) != c.gzip {
			t.Errorf("%s: %v", c.name, h)
		}
		if !c.gzip {
			if !bytes.Equal(out, c.body) || h.Get("ETag") != `"tag"` {
				t.Errorf("%s: changed, %v", c.name, h)
			}
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(out))
		must.Do(t, err)
		if back, err := io.ReadAll(r); err != nil || !bytes.Equal(back, c.body) ||
			h.Get("ETag") != `"tag-gzip"` {
			t.Errorf("%s: %v, %v", c.name, err, h)
		}
	}
}

// TestMatchesTag: * stands alone, as RFC 9110 says. In a list it is no tag.
func TestMatchesTag(t *testing.T) {
	for header, want := range map[string]bool{
		`"a"`: true, `"a;gzip"`: false, `"b", "a"`: true, `*`: true, ` * `: true, `"b"`: false, `W/"a"`: false, "": false,
		`"b", *`: false, `*, "b"`: false, `*, *`: false, `"a", *`: true,
	} {
		if got := MatchesTag([]string{header}, `"a"`, false); got != want {
			t.Errorf("%s: %t, want %t", header, got, want)
		}
	}
	if MatchesTag([]string{`"b"`, "*"}, `"a"`, false) {
		t.Error("* in a line of its own makes a list match")
	}
	if !MatchesTag([]string{GzipTag(`"a"`)}, `"a"`, false) || !MatchesTag([]string{`W/"a"`}, `"a"`, true) {
		t.Error("the tag of the compressed form, or a weak one, does not match")
	}
}
