package embedded

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestNothingRedirects(t *testing.T) {
	c := newClient(t, "read")
	for _, path := range []string{"", "/", "//ping", "/ping/", "/ping/../settings", "/./ping",
		"/ping//", "/i18n//locales", "/..", "/ping%2f", "/%2e%2e/ping"} {
		for _, method := range []string{"GET", "POST", "HEAD"} {
			w, _, code := c.send(t, method, path, "application/json", nil)
			if w.Code != http.StatusNotFound && w.Code != http.StatusMethodNotAllowed ||
				method != "HEAD" && code == "" {
				t.Errorf("%s %q: %d %s", method, path, w.Code, w.Body)
			}
			if w.Header().Get("X-Request-Id") == "" {
				t.Errorf("%s %q: no request id", method, path)
			}
		}
	}
}

// TestAnswerWhileSending sends bodies that are refused before they were read.
func TestAnswerWhileSending(t *testing.T) {
	c := newClient(t, "write")
	live := httptest.NewServer(c.server)
	defer live.Close()
	for path, want := range map[string]int{"/upload": 413, "/some-model": 415, "/ping": 405} {
		r, err := http.NewRequest("POST", live.URL+"/api/v1"+path, bytes.NewReader(make([]byte, 20<<20)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-API-Key", c.key)
		r.Header.Set("X-API-Secret", c.secret)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, answer.StatusCode, want)
		}
	}
}
