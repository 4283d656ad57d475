package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// GzipFrom is the size in bytes from which an answer is compressed (extensions §1).
const GzipFrom = 1024

// JSON is what sites read, at any rate: at the default level, a list took more time to compress
// than to make, for 5 % fewer bytes. Pages and scripts are what people wait for on slow lines.
var jsonWriters, textWriters = gzipWriters(gzip.BestSpeed), gzipWriters(gzip.DefaultCompression)

func gzipWriters(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(nil, level) // a known level is no error
		return w
	}}
}

// Compressed returns the body as it is sent to a client with these request headers: compressed by
// gzip where it is JSON or text over 1 KB and the client accepts that. It sets Vary and, where it
// compresses, Content-Encoding. An ETag that is set becomes that of the encoding.
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
		return body // a buffer takes all
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

// GzipTag is the strong entity tag of the compressed form of what has a tag.
func GzipTag(tag string) string {
	inner, ok := strings.CutSuffix(tag, `"`)
	if !ok {
		return tag
	}
	return inner + `-gzip"`
}

// NotModified sets the headers of a 304 for a body that Compressed would get.
func NotModified(request, h http.Header, contentType string, size int) {
	if !compressible(contentType) {
		return
	}
	addVary(h, "Accept-Encoding")
	if WillCompress(request, contentType, size) {
		h.Set("ETag", GzipTag(h.Get("ETag")))
	}
}

// WillCompress reports whether Compressed would compress a body of this type and size.
func WillCompress(request http.Header, contentType string, size int) bool {
	return compressible(contentType) && size > GzipFrom && AcceptsGzip(request)
}

// compressible reports whether a media type is JSON or text.
func compressible(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	return strings.HasPrefix(t, "text/") || t == "application/json" ||
		strings.HasSuffix(t, "+json") || strings.HasSuffix(t, "+xml") || t == "application/javascript"
}

// AcceptsGzip reports whether an Accept-Encoding header allows gzip, by its name or by *.
func AcceptsGzip(request http.Header) bool {
	named, any := -1.0, -1.0
	for part := range strings.SplitSeq(strings.Join(request.Values("Accept-Encoding"), ","), ",") {
		name, params, _ := strings.Cut(part, ";")
		q := 1.0
		for p := range strings.SplitSeq(params, ";") {
			if v, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(p)), "q="); ok {
				if f, err := strconv.ParseFloat(v, 64); err == nil {
					q = f
				}
			}
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			named = max(named, q)
		case "*":
			any = max(any, q)
		}
	}
	if named >= 0 {
		return named > 0
	}
	return any > 0
}

// addVary adds a name to Vary unless it is there.
func addVary(h http.Header, name string) {
	for _, part := range strings.Split(strings.Join(h.Values("Vary"), ","), ",") {
		if strings.EqualFold(strings.TrimSpace(part), name) {
			return
		}
	}
	h.Add("Vary", name)
}
