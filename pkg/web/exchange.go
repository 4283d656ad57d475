package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
)

// JSON is the content type of an envelope.
const JSON = "application/json; charset=utf-8"

// Exchange is a request and the response to it.
type Exchange struct {
	W         http.ResponseWriter
	R         *http.Request
	RequestID string // for the response and for log lines
	Start     time.Time
	Status    int // of the response; 0 before it is sent
}

// StatusClientLeft is the status in logs of a read that ended because its client disconnected, as
// proxies write it. Nothing failed, so it must not look like a failure.
const StatusClientLeft = 499

// NewExchange starts an exchange and sets X-Request-Id.
func NewExchange(w http.ResponseWriter, r *http.Request) Exchange {
	x := Exchange{W: w, R: r, RequestID: RequestID(r), Start: time.Now()}
	w.Header().Set("X-Request-Id", x.RequestID)
	return x
}

// Context returns the context of the request, which ends when the client disconnects.
func (x *Exchange) Context() context.Context { return x.R.Context() }

// Address returns the client's IP address, which is invalid if it is not known. It is never read
// from a header that a client can set.
func (x *Exchange) Address() netip.Addr { return hostAddr(x.R.RemoteAddr) }

// AddressText returns the client's IP address for a record, "" if it is not known.
func (x *Exchange) AddressText() string {
	if a := x.Address(); a.IsValid() {
		return a.String()
	}
	return ""
}

// IsRead reports whether the request reads.
func (x *Exchange) IsRead() bool {
	return x.R.Method == http.MethodGet || x.R.Method == http.MethodHead
}

// Milliseconds returns how long ago the exchange started.
func (x *Exchange) Milliseconds() float64 {
	return float64(time.Since(x.Start).Microseconds()) / 1000
}

// Fail converts an error to one that the client may see, logs the others, and sets the headers that
// tell when to try again.
func (x *Exchange) Fail(log *slog.Logger, err error) *cms.Error {
	e := Safe(log, x.RequestID, err)
	SetRetryAfter(x.W.Header(), e)
	return e
}

// Refuse sends an error in the envelope, which caches must not store.
func (x *Exchange) Refuse(log *slog.Logger, err error) {
	e := x.Fail(log, err)
	if h := x.W.Header(); h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	x.Send(StatusOf(e.Code), JSON, ErrorEnvelope(e))
}

// Send sends a complete response, compressed if the client accepts that. A response without a
// content type has no body.
func (x *Exchange) Send(status int, contentType string, body []byte) {
	x.Status = status
	if status == http.StatusServiceUnavailable && x.Context().Err() == context.Canceled {
		x.Status = StatusClientLeft
	}
	if contentType != "" {
		h := x.W.Header()
		body = Compressed(x.R.Header, h, contentType, body)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Type", contentType)
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	x.W.WriteHeader(status)
	if contentType != "" && x.R.Method != http.MethodHead {
		_, _ = x.W.Write(body) // fails only if the client has disconnected
	}
}

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
