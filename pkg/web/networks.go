package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// OnlyFrom passes requests for the admin area and for agents on to next only if they come from one
// of some networks, by RemoteAddr. Others are 404 as if there were nothing. Other requests always
// pass. Without networks, all requests pass.
func OnlyFrom(networks []netip.Prefix, next http.Handler) http.Handler {
	if len(networks) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := hostAddr(r.RemoteAddr)
		isIn := func(n netip.Prefix) bool { return n.Contains(from) }
		if isGuarded(r.URL.Path) && !slices.ContainsFunc(networks, isIn) {
			x := NewExchange(w, r)
			w.Header().Set("Cache-Control", "private, no-store")
			x.Refuse(nil, ErrNothing)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isGuarded reports whether a path belongs to the admin area or to agents. Paths are compared as
// handlers see them, so that no other spelling of a path gets around it.
func isGuarded(path string) bool {
	path = "/" + strings.TrimLeft(path, "/")
	for _, prefix := range []string{"/admin", "/mcp", "/oauth"} {
		if path == prefix || strings.HasPrefix(path, prefix+"/") {
			return true
		}
	}
	return strings.HasPrefix(path, "/.well-known/oauth-")
}
