package api

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// Call is one request on its way through the pipeline, as handlers see it.
type Call struct {
	R         *http.Request
	Site      *store.Site
	Key       *store.APIKey // nil on public routes
	RequestID string
	a         *API
	w         http.ResponseWriter
	start     time.Time
	status    int
}

func newCall(a *API, w http.ResponseWriter, r *http.Request) *Call {
	c := &Call{R: r, a: a, w: w, start: time.Now(), RequestID: uuid.NewString()}
	w.Header().Set("X-Request-Id", c.RequestID)
	return c
}

// Context ends when the client goes away.
func (c *Call) Context() context.Context { return c.R.Context() }

// Actor is the key as the author of a change.
func (c *Call) Actor() cms.Actor {
	if c.Key == nil {
		return cms.Actor{Source: cms.SourceAPI}
	}
	return cms.Actor{Name: c.Key.Name, Source: cms.SourceAPI}
}

// IsAdmin tells whether the key may see drafts and hidden fields.
func (c *Call) IsAdmin() bool { return c.Key != nil && c.Key.IsAdmin() }

// Address is the client's address, never taken from a header that a client can set.
func (c *Call) Address() netip.Addr {
	host, _, err := net.SplitHostPort(c.R.RemoteAddr)
	if err != nil {
		host = c.R.RemoteAddr
	}
	addr, _ := netip.ParseAddr(host)
	return addr.Unmap()
}

// Answer is what a handler gives back on success.
type Answer struct {
	Status int // 0: 200
	Data   any // a value to encode, or JSON as json.RawMessage
	Meta   any // nil: {}
	Header http.Header
	// Vary names request headers the answer depends on, beside Origin.
	Vary string
	// Raw, with its content type, is sent instead of the envelope.
	Raw     []byte
	RawType string
}

func stack() string { return string(debug.Stack()) }
