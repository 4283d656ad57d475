package delivery

import (
	"bytes"
	"compress/gzip"
	"maps"
	"net/http"
	"strconv"

	"headless/pkg/web"
)

// form is the plain or the compressed form of an answer, as it is sent. It is made only once, so
// that a cache hit is cheap. It is immutable.
type form struct {
	header http.Header
	body   []byte
}

// formFor returns the compressed form if the client accepts gzip and there is one, else the plain
// form.
func (a *answer) formFor(gzip bool) *form {
	a.pack.Do(a.makeForms)
	if gzip && a.packed != nil {
		return a.packed
	}
	return a.plain
}

func (a *answer) makeForms() {
	a.plain = a.newForm(a.body)
	if len(a.body) <= web.GzipFrom {
		return
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level is valid
	_, _ = w.Write(a.body)                          // writes to a buffer never fail
	_ = w.Close()
	if b.Len() >= len(a.body) {
		return
	}
	a.packed = a.newForm(b.Bytes())
	a.packed.header.Set("Content-Encoding", "gzip")
	if a.etag != "" {
		a.packed.header.Set("ETag", web.GzipTag(a.etag))
	}
}

// newForm returns a form of the answer with a plain or compressed body.
func (a *answer) newForm(body []byte) *form {
	h := maps.Clone(a.header)
	if a.isOpen() {
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", corsExposed)
		h.Set("Vary", "Accept-Encoding")
	} else {
		h["Vary"] = []string{"Origin", "Accept-Encoding"}
	}
	if a.etag != "" {
		h.Set("ETag", a.etag)
	}
	if a.status == http.StatusNoContent {
		return &form{header: h}
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Type", a.mime)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	return &form{header: h, body: body}
}

// answerUnchanged answers 304 if the client has the answer in one of its forms, and reports whether it
// did.
func (c *call) answerUnchanged(a *answer) bool {
	tags := c.R.Header["If-None-Match"]
	if a.etag == "" || len(tags) == 0 || !web.MatchesTag(tags, a.etag, true) &&
		!web.MatchesTag(tags, web.GzipTag(a.etag), true) {
		return false
	}
	for _, name := range []string{"Content-Encoding", "Content-Length", "Content-Type",
		"X-Content-Type-Options"} {
		c.W.Header().Del(name)
	}
	c.W.WriteHeader(http.StatusNotModified)
	return true
}
