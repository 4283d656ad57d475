package web

import (
	"net/http"
	"strings"
)

// strictTransport is one year in seconds. It excludes subdomains, which may belong to others.
const strictTransport = "max-age=31536000"

// StrictTransport tells browsers to use https only, if siteURL, the configured URL of the service,
// has the scheme https.
func StrictTransport(siteURL string, h http.Handler) http.Handler {
	if !strings.HasPrefix(siteURL, "https://") {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", strictTransport)
		h.ServeHTTP(w, r)
	})
}
