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
