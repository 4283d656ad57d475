package web

import (
	"context"
	"net/http"

	"github.com/google/uuid"
)

type requestIDKey struct{}

// WithRequestID keeps the name that a gateway gave a request, so that the gateway's log and ours
// name it alike.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID names a request in its answer and in log lines: as the gateway does, or by a new UUID.
func RequestID(r *http.Request) string {
	if id, ok := r.Context().Value(requestIDKey{}).(string); ok && id != "" {
		return id
	}
	return uuid.NewString()
}
