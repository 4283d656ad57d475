package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"headless/pkg/web"
)

// TestFinishChanges: reads end with their client, changes do not.
func TestFinishChanges(t *testing.T) {
	for method, ends := range map[string]bool{"GET": true, "HEAD": true, "POST": false, "PUT": false,
		"PATCH": false, "DELETE": false} {
		ctx, cancel := context.WithCancel(t.Context())
		var ended bool
		web.FinishChanges(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			cancel() // the client disconnects
			ended = r.Context().Err() != nil
		})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, method, "/", nil))
		if ended != ends {
			t.Errorf("%s ended with its client: %t", method, ended)
		}
	}
}
