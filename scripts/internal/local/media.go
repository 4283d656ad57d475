package local

import "net/http"

// MediaHeaders adds the headers that the policy of the CDN adds to files.
func MediaHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy",
		"default-src 'none'; img-src 'self' data:; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'; "+
			"form-action 'none'; base-uri 'none'")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}
