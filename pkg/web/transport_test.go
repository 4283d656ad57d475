package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestStrictTransport(t *testing.T) {
	for siteURL, want := range map[string]string{"https://cms.example.com": "max-age=31536000",
		"http://localhost:3000": "", "": ""} {
		w := httptest.NewRecorder()
		StrictTransport(siteURL, http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		if got := w.Header().Get("Strict-Transport-Security"); got != want || w.Code != 404 {
			t.Errorf("%q: %d %q, want %q", siteURL, w.Code, got, want)
		}
	}
}
