package web_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"testing"

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
