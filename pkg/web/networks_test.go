package web

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"headless/pkg/must"
)

// TestOnlyFrom: the admin area and agents are reached from the networks only, and the rest from
// everywhere.
func TestOnlyFrom(t *testing.T) {
	networks, err := ParseProxies("192.0.2.0/24, 2001:db8::/32")
	must.Do(t, err)
	guarded := OnlyFrom(networks, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for _, path := range []string{"/admin", "/admin/", "/admin/login", "//admin/login", "/%61dmin/users", "/mcp", "/mcp/x",
		"/oauth/token", "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"} {
		for from, want := range map[string]int{"192.0.2.7:1": 200, "[::ffff:192.0.2.7]:1": 200, "[2001:db8::1]:1": 200,
			"198.51.100.1:1": 404, "[2001:db9::1]:1": 404, "": 404} {
			if got := statusFrom(guarded, path, from); got != want {
				t.Errorf("%s from %q: %d, want %d", path, from, got, want)
			}
		}
	}
	for _, path := range []string{"/", "/api/v1/posts", "/delivery/v1/k/posts", "/administration", "/mcpx",
		"/.well-known/security.txt", "/media/x", "/api/v1/admin"} {
		if got := statusFrom(guarded, path, "198.51.100.1:1"); got != 200 {
			t.Errorf("%s: %d", path, got)
		}
	}
	if got := statusFrom(OnlyFrom(nil, http.NotFoundHandler()), "/admin", "x"); got != 404 {
		t.Errorf("without networks: %d", got)
	}
}

func statusFrom(h http.Handler, path, from string) int {
	r := httptest.NewRequest(http.MethodGet, "http://example.com"+path, nil)
	r.RemoteAddr = from
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}
