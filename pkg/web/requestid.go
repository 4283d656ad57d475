package web

import (
	"context"
	"net/http"

	"github.com/google/uuid"
)

type requestIDKey struct{}

// WithRequestID stores the request id of a gateway, so that the gateway's log and ours have the
// same id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of a request for its response and for log lines: the gateway's id, or a
// new UUID.
func RequestID(r *http.Request) string {
	if id, ok := r.Context().Value(requestIDKey{}).(string); ok && id != "" {
		return id
	}
	return uuid.NewString()
}
