package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// GzipFrom is the minimum size in bytes of a response that is compressed (extensions §1).
const GzipFrom = 1024

// JSON uses the fastest level: at the default level, compressing a list took longer than making it,
// for 5 % fewer bytes. Pages and scripts use the best level, since people wait for them on slow
// connections.
var jsonWriters, textWriters = gzipWriters(gzip.BestSpeed), gzipWriters(gzip.BestCompression)

func gzipWriters(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(nil, level) // never fails for a known level
		return w
	}}
}

// Compressed returns the body to send to a client with these request headers. It is compressed with
// gzip if it is JSON or text of at least GzipFrom bytes and the client accepts gzip. Compressed
// sets Vary and, if it compresses, Content-Encoding and the ETag of the compressed form.
func Compressed(request, h http.Header, contentType string, body []byte) []byte {
	if !compressible(contentType) {
		return body
	}
	addVary(h, "Accept-Encoding")
	if len(body) <= GzipFrom || h.Get("Content-Encoding") != "" || !AcceptsGzip(request) {
		return body
	}
	var b bytes.Buffer
	b.Grow(len(body) / 3)
	writers := textWriters
	if strings.HasPrefix(contentType, "application/json") {
		writers = jsonWriters
	}
	w := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	w.Reset(&b)
	if _, err := w.Write(body); err != nil {
		return body // writing to a buffer never fails
	}
	if err := w.Close(); err != nil {
		return body
	}
	h.Set("Content-Encoding", "gzip")
	if tag := h.Get("ETag"); tag != "" {
		h.Set("ETag", GzipTag(tag))
	}
	return b.Bytes()
}

// GzipTag returns the strong entity tag of the compressed form of a body with a tag.
func GzipTag(tag string) string {
	inner, ok := strings.CutSuffix(tag, `"`)
	if !ok {
		return tag
	}
	return inner + `-gzip"`
}

// NotModified sets the headers of a 304 for a body that Compressed would send.
func NotModified(request, h http.Header, contentType string, size int) {
	if !compressible(contentType) {
		return
	}
	addVary(h, "Accept-Encoding")
	if willCompress(request, contentType, size) {
		h.Set("ETag", GzipTag(h.Get("ETag")))
	}
}

// willCompress reports whether Compressed would compress a body of this type and size.
func willCompress(request http.Header, contentType string, size int) bool {
	return compressible(contentType) && size > GzipFrom && AcceptsGzip(request)
}

// compressible reports whether a media type is JSON or text.
func compressible(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	return strings.HasPrefix(t, "text/") || t == "application/json" ||
		strings.HasSuffix(t, "+json") || strings.HasSuffix(t, "+xml") || t == "application/javascript"
}

// AcceptsGzip reports whether an Accept-Encoding header allows gzip, by name or by *.
func AcceptsGzip(request http.Header) bool {
	header := request.Values("Accept-Encoding")
	for _, name := range []string{"gzip", "x-gzip"} {
		if p := Preferred(header, name); p.Place > 0 {
			return p.Q > 0
		}
	}
	return Preferred(header, "*").Q > 0
}

// addVary adds a name to Vary if it is missing.
func addVary(h http.Header, name string) {
	for _, part := range strings.Split(strings.Join(h.Values("Vary"), ","), ",") {
		if strings.EqualFold(strings.TrimSpace(part), name) {
			return
		}
	}
	h.Add("Vary", name)
}

// MatchesTag evaluates If-None-Match (weak comparison) or If-Match (strong comparison) for a tag,
// including lists, and * if it stands alone, as RFC 9110 says. The tag of the compressed form matches too.
func MatchesTag(headers []string, tag string, weak bool) bool {
	all := strings.Join(headers, ",")
	for part := range strings.SplitSeq(all, ",") {
		part = strings.TrimSpace(part)
		if weak {
			part = strings.TrimPrefix(part, "W/")
		}
		if part == tag || part == GzipTag(tag) {
			return true
		}
	}
	return strings.TrimSpace(all) == "*"
}
