package api

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"headless/pkg/httpjson"
)

// ETag is the strong entity tag of a body.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// write sends the answer or the error: the body is complete before the first header.
func (c *Call) write(answer Answer, err error) {
	h := c.w.Header()
	var body []byte
	contentType := "application/json; charset=utf-8"
	if err == nil {
		switch {
		case answer.Raw != nil:
			body, contentType = answer.Raw, answer.RawType
		case answer.Status != http.StatusNoContent:
			body, err = httpjson.Envelope(answer.Data, answer.Meta)
		}
	}
	if err != nil {
		e := httpjson.Safe(c.a.log, c.RequestID, err)
		httpjson.SetRetryAfter(h, e)
		answer = Answer{Status: httpjson.StatusOf(e.Code)}
		body = httpjson.ErrorEnvelope(e)
	}
	for k, v := range answer.Header {
		h[k] = v
	}
	if answer.Vary != "" {
		h.Add("Vary", answer.Vary)
	}
	c.status = answer.Status
	if c.status == 0 {
		c.status = http.StatusOK
	}
	if err == nil && c.isRead() && c.status == http.StatusOK {
		tag := ETag(body)
		h.Set("ETag", tag)
		if h.Get("Cache-Control") == "" {
			h.Set("Cache-Control", "no-cache")
		}
		if matchesTag(c.R.Header.Values("If-None-Match"), tag, true) {
			c.status = http.StatusNotModified
			c.w.WriteHeader(c.status)
			return
		}
	} else if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	if c.status == http.StatusNoContent {
		c.w.WriteHeader(c.status)
		return
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.w.WriteHeader(c.status)
	if c.R.Method != http.MethodHead {
		_, _ = c.w.Write(body) // the client is gone: nobody to tell
	}
}

func (c *Call) isRead() bool {
	return c.R.Method == http.MethodGet || c.R.Method == http.MethodHead
}

// matchesTag evaluates If-None-Match (weak comparison) or If-Match (strong comparison) against a tag, lists and * as in RFC 9110.
func matchesTag(headers []string, tag string, weak bool) bool {
	for _, part := range strings.Split(strings.Join(headers, ","), ",") {
		part = strings.TrimSpace(part)
		if weak {
			part = strings.TrimPrefix(part, "W/")
		}
		if part == "*" || part == tag {
			return true
		}
	}
	return false
}
