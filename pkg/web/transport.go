package web

import (
	"net/http"
	"strings"
)

// strictTransport is a year in seconds. Subdomains are left out: they may be others'.
const strictTransport = "max-age=31536000"

// StrictTransport has browsers come by https only, where siteURL, the configured address of the
// service, is one of https.
func StrictTransport(siteURL string, h http.Handler) http.Handler {
	if !strings.HasPrefix(siteURL, "https://") {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", strictTransport)
		h.ServeHTTP(w, r)
	})
}
