package pipeline

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"headless/pkg/cms"
)

const (
	corsHeaders = "Content-Type, X-API-Key, X-API-Secret, If-Match, If-None-Match, Idempotency-Key"
	corsExposed = "ETag, Idempotency-Replayed, Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id"
)

// preflight answers OPTIONS for any origin. The origin is checked at the request that follows
// (decisions §7).
func (a *API) preflight(c *Call, methods string) {
	h := c.W.Header()
	h.Set("Allow", methods)
	h.Set("Access-Control-Allow-Origin", cmp.Or(c.R.Header.Get("Origin"), "*"))
	h.Set("Access-Control-Allow-Methods", methods)
	h.Set("Access-Control-Allow-Headers", corsHeaders)
	h.Set("Access-Control-Max-Age", "7200")
	h.Set("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers")
	c.writeAnswer(Answer{Status: http.StatusNoContent}, nil)
}

// publicCORS lets every origin read the answer.
func (c *Call) publicCORS() {
	h := c.W.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", corsExposed)
}

// checkOrigin refuses an origin that is not on the key's list. A request without an Origin header
// is allowed.
func (c *Call) checkOrigin() error {
	h := c.W.Header()
	h.Add("Vary", "Origin")
	origins := c.R.Header.Values("Origin")
	if len(origins) == 0 || c.Key == nil {
		return nil
	}
	if !OriginsAllowed(c.Key.Origins, origins) {
		return cms.Errorf(cms.CodeOriginNotAllowed, "This origin is not on the key's list.")
	}
	h.Set("Access-Control-Allow-Origin", origins[0])
	h.Set("Access-Control-Expose-Headers", corsExposed)
	return nil
}

// OriginsAllowed reports whether a list of allowed origins allows the Origin headers of a request.
// A request without such a header is allowed.
func OriginsAllowed(list, origins []string) bool {
	return len(origins) == 0 || len(origins) == 1 && originAllowed(list, origins[0])
}

// originAllowed reports whether a list allows an origin. An empty list allows all;
// "https://*.example.com" allows one label or more.
func originAllowed(list []string, origin string) bool {
	if len(list) == 0 {
		return true
	}
	origin = strings.ToLower(origin)
	for _, entry := range list {
		entry = strings.ToLower(entry)
		if entry == "*" || entry == origin {
			return true
		}
		before, after, wild := strings.Cut(entry, "*.")
		if !wild || !strings.HasPrefix(origin, before) || !strings.HasSuffix(origin, "."+after) {
			continue
		}
		if end := len(origin) - len(after) - 1; end > len(before) && areLabels(origin[len(before):end]) {
			return true
		}
	}
	return false
}

// areLabels reports whether s is one or more labels of a host name.
func areLabels(s string) bool {
	return !slices.ContainsFunc(strings.Split(s, "."), func(label string) bool {
		return label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != ""
	})
}
