package web_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"headless/pkg/blob"
	"headless/pkg/table"
	"headless/pkg/web"
)

// TestClientLeft: a read that ends because its client disconnected is no failure in the logs.
func TestClientLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var logged bytes.Buffer
	x := web.NewExchange(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/", nil))
	x.Refuse(slog.New(slog.NewTextHandler(&logged, nil)), ctx.Err())
	if x.Status != web.StatusClientLeft || logged.Len() != 0 {
		t.Errorf("status %d, log %q", x.Status, logged.String())
	}
}

// TestStoreIsAway: whichever store a request cannot reach, and wherever it finds out, the answer is 503.
func TestStoreIsAway(t *testing.T) {
	for _, away := range []error{table.ErrUnavailable, blob.ErrUnavailable, context.DeadlineExceeded} {
		w := httptest.NewRecorder()
		x := web.NewExchange(w, httptest.NewRequest("GET", "/", nil))
		x.Refuse(slog.New(slog.DiscardHandler), fmt.Errorf("reading: %w", away))
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Errorf("%v: %d, retry after %q", away, w.Code, w.Header().Get("Retry-After"))
		}
	}
}
