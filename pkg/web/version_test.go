package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestAnswersShowTheVersion(t *testing.T) {
	defer func(was string) { version = was }(version)
	for _, version = range []string{"", "v1.2"} {
		w := httptest.NewRecorder()
		Stamped(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if got := w.Header().Get("X-Service-Version"); got != Version() || version != "" && got != version {
			t.Errorf("%q, want %q", got, version)
		}
	}
}
