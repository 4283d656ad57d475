package frame

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"headless/pkg/web"
)

// TestLargestAnswer refuses to send more JSON than an answer of the API may have (extensions §1).
func TestLargestAnswer(t *testing.T) {
	a := &Admin{Cfg: Config{Log: slog.New(slog.DiscardHandler)}}
	fits := web.MaxAnswer - len(`{"data":"","meta":{},"error":null}`)
	for size, want := range map[int]int{fits: http.StatusOK, fits + 1: http.StatusRequestEntityTooLarge} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/admin/models", nil)
		r.Header.Set("Accept", "application/json")
		a.NewCall(w, r).sendResult(Result{Data: json.RawMessage(`"` + strings.Repeat("x", size) + `"`)}, nil)
		if refused := strings.Contains(w.Body.String(), "PAYLOAD_TOO_LARGE"); w.Code != want || refused != (size > fits) {
			t.Errorf("%d bytes: status %d, want %d, refused %v", w.Body.Len(), w.Code, want, refused)
		}
	}
}

// TestWantsJSON holds that only a request that a browser may send for a page is answered by one.
func TestWantsJSON(t *testing.T) {
	for _, row := range []struct {
		method, body, accept, authorization string
		want                                bool
	}{
		{"GET", "", "", "", false},
		{"GET", "", "*/*", "", false},
		{"GET", "", "*/*", "Bearer x", true},
		{"GET", "", "application/json", "", true},
		{"GET", "", "text/html, application/json;q=0.9", "Bearer x", false},
		{"DELETE", "", "*/*", "", true},
		{"PUT", "", "", "", true},
		{"DELETE", "", "text/html", "", false},
		{"POST", "", "*/*", "", true},
		{"POST", "application/json", "text/html", "", true},
		{"POST", "application/x-www-form-urlencoded", "*/*", "", false},
		{"POST", "multipart/form-data; boundary=x", "", "", false},
	} {
		r := httptest.NewRequest(row.method, "/admin/keys", nil)
		r.Header = http.Header{"Content-Type": {row.body}, "Accept": {row.accept}}
		if row.authorization != "" {
			r.Header.Set("Authorization", row.authorization)
		}
		if got := wantsJSON(r); got != row.want {
			t.Errorf("%+v: got %v", row, got)
		}
	}
}
