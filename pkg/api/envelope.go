package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"

	"headless/pkg/cms"
)

// statuses maps error codes to HTTP statuses (specification §7, decisions §1).
var statuses = map[cms.Code]int{
	cms.CodeBadRequest: 400, cms.CodeQueryNotIndexed: 400, cms.CodeUnauthorized: 401, cms.CodeForbidden: 403, cms.CodeOriginNotAllowed: 403,
	cms.CodeNotFound: 404, cms.CodeModelNotFound: 404, cms.CodeEntryNotFound: 404, cms.CodeFileNotFound: 404, cms.CodeFormNotFound: 404,
	cms.CodeMethodNotAllowed: 405, cms.CodeConflict: 409, cms.CodeSlugConflict: 409, cms.CodeFormInactive: 410, cms.CodePreconditionFailed: 412,
	cms.CodePayloadTooLarge: 413, cms.CodeFileTooLarge: 413, cms.CodeUnsupportedMedia: 415, cms.CodeValidationFailed: 422,
	cms.CodeRateLimited: 429, cms.CodeInternal: 500, cms.CodeUnavailable: 503,
}

// StatusOf is the HTTP status of an error code.
func StatusOf(code cms.Code) int {
	if s, ok := statuses[code]; ok {
		return s
	}
	return http.StatusInternalServerError
}

type errorBody struct {
	Code    cms.Code     `json:"code"`
	Message string       `json:"message"`
	Details cms.Problems `json:"details,omitempty"`
}

// Envelope encodes an answer as every route sends it (specification §1).
func Envelope(data, meta any) ([]byte, error) {
	raw, ok := data.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = cms.Marshal(data); err != nil {
			return nil, err
		}
	}
	m := []byte("{}")
	if meta != nil {
		var err error
		if m, err = cms.Marshal(meta); err != nil {
			return nil, err
		}
	}
	var buf bytes.Buffer
	buf.Grow(len(raw) + len(m) + 40)
	buf.WriteString(`{"data":`)
	buf.Write(raw)
	buf.WriteString(`,"meta":`)
	buf.Write(m)
	buf.WriteString(`,"error":null}`)
	return buf.Bytes(), nil
}

// ErrorEnvelope encodes a failure.
func ErrorEnvelope(e *cms.Error) []byte {
	body, err := cms.Marshal(struct {
		Data  *struct{} `json:"data"`
		Error errorBody `json:"error"`
	}{nil, errorBody{e.Code, e.Message, e.Details}})
	if err != nil {
		return []byte(`{"data":null,"error":{"code":"INTERNAL_ERROR","message":"` + internalMessage + `"}}`)
	}
	return body
}

// ETag is the strong entity tag of a body.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// SetRetryAfter writes the header in whole seconds, 1 or more.
func SetRetryAfter(h http.Header, e *cms.Error) {
	if e.Code == cms.CodeRateLimited || e.Code == cms.CodeUnavailable {
		h.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(e.RetryAfter.Seconds())))))
	}
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
			body, err = Envelope(answer.Data, answer.Meta)
		}
	}
	if err != nil {
		e := c.safe(err)
		SetRetryAfter(h, e)
		answer = Answer{Status: StatusOf(e.Code)}
		body = ErrorEnvelope(e)
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
