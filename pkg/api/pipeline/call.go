package pipeline

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"time"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/web"
)

// Call is one request on its way through the pipeline, as handlers see it.
type Call struct {
	R         *http.Request
	Site      *site.Site
	Key       *apikeys.Key // nil on public routes
	RequestID string
	Tags      *cms.Tags // what the answer is made of; nil where nobody asks
	Delivery  bool      // a read of the delivery API
	route     *Route    // nil where no route takes the request
	a         *API
	w         http.ResponseWriter
	start     time.Time
	status    int
}

func newCall(a *API, w http.ResponseWriter, r *http.Request) *Call {
	c := &Call{R: r, a: a, w: w, start: time.Now(), RequestID: web.RequestID(r)}
	w.Header().Set("X-Request-Id", c.RequestID)
	if r.Header.Get(tagHeader) == "1" {
		c.Tags = cms.NewTags()
	}
	return c
}

// Context ends when the client goes away.
func (c *Call) Context() context.Context { return c.R.Context() }

// Actor is the key as the author of a change.
func (c *Call) Actor() cms.Actor {
	if c.Key == nil {
		return cms.Actor{Source: cms.SourceAPI, RequestID: c.RequestID}
	}
	return cms.Actor{Name: c.Key.Name, Source: cms.SourceAPI, Address: c.Address().String(),
		RequestID: c.RequestID}
}

// IsAdmin reports whether the key may see drafts and hidden fields.
func (c *Call) IsAdmin() bool { return c.Key != nil && c.Key.IsAdmin() }

// restrict narrows the call to what its key may reach (extensions §11).
func (c *Call) restrict() {
	if p := c.Key.Permissions(); p != nil {
		c.R = c.R.WithContext(cms.WithPermissions(c.Context(), p))
		c.Site = c.Site.Visible(p)
	}
}

// SiteURL is the root address of the service, "" where it is not configured.
func (c *Call) SiteURL() string { return c.a.root }

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

	tags *cms.Tags // what it is made of; nil where nobody asks
}
