package frame

import "testing"

func TestNextPath(t *testing.T) {
	for next, want := range map[string]string{
		"/admin/users?page=2":        "/users?page=2",
		"/admin/models/../users":     "/models/../users",
		"":                           "/",
		"/administration":            "/",
		"https://example.com/admin/": "/",
		"//example.com/admin/":       "/",
		"/admin/\\example.com":       "/",
		"/admin/../oauth/authorize":  "/",
		"/admin/x/%2E%2e/..//x":      "/",
	} {
		if got := NextPath(next); got != want {
			t.Errorf("%q leads to %q, want %q", next, got, want)
		}
	}
}
