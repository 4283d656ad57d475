package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/web"
)

// Call is one request in the pipeline, as handlers see it.
type Call struct {
	web.Exchange
	Site     *site.Site
	Key      *apikeys.Key // nil on public routes
	Tags     *cms.Tags    // cache tags of the answer; nil if they are not requested
	Delivery bool         // a read of the delivery API
	Ahead    bool         // a read of the site as it will be
	route    *Route       // nil if no route matches
	a        *API
	root     string // of the service, for a read of the delivery API
}

func newCall(a *API, w http.ResponseWriter, r *http.Request) *Call {
	c := &Call{Exchange: web.NewExchange(w, r), a: a}
	if r.Header.Get(tagHeader) == "1" {
		c.Tags = cms.NewTags()
	}
	return c
}

type agentKey struct{}

// ByAgent marks the requests of an agent: what it publishes needs approvals (extensions §14). bound is what it may do
// with its key; nil bounds nothing.
func ByAgent(ctx context.Context, bound *cms.Permissions) context.Context {
	return context.WithValue(ctx, agentKey{}, bound)
}

// Actor returns the key or the visitor as the author of a change.
func (c *Call) Actor() cms.Actor {
	if c.Key == nil {
		return cms.Actor{Source: cms.SourceAPI, RequestID: c.RequestID}
	}
	if v := c.visitor(); v != nil {
		actor := v.Actor
		actor.Address, actor.RequestID = c.AddressText(), c.RequestID
		return actor
	}
	return cms.Actor{Name: c.Key.Name, Source: cms.SourceAPI, Address: c.AddressText(),
		RequestID: c.RequestID, KeyID: c.Key.ID, Reviewed: c.Context().Value(agentKey{}) != nil}
}

// Visitor is a user in whose name a program sends requests, in place of an API key.
type Visitor struct {
	Key         apikeys.Key      // what a key with the rights of the program would be
	Actor       cms.Actor        // without the request
	Permissions *cms.Permissions // of the user for this program; nil permits everything
}

type visitorKey struct{}

// As returns a context whose requests need no API key. The caller has checked who sends them.
func As(ctx context.Context, v *Visitor) context.Context {
	return context.WithValue(ctx, visitorKey{}, v)
}

// VisitorOf returns the visitor who sends the requests of a context, nil for an API key.
func VisitorOf(ctx context.Context) *Visitor {
	v, _ := ctx.Value(visitorKey{}).(*Visitor)
	return v
}

func (c *Call) visitor() *Visitor { return VisitorOf(c.Context()) }

// IsAdmin reports whether the key may see drafts and hidden fields.
func (c *Call) IsAdmin() bool { return c.Key != nil && c.Key.IsAdmin() }

// SeesAll reports whether the client may see entries of every status and locale. The site as it will
// be has published entries only, also for a key that may see others.
func (c *Call) SeesAll() bool { return c.IsAdmin() && !c.Ahead }

// restrict limits the call to the models and locales of its key, or to what its visitor may do
// (extensions §11).
func (c *Call) restrict() {
	bound, _ := c.Context().Value(agentKey{}).(*cms.Permissions)
	p := c.Key.Permissions().And(bound)
	if v := c.visitor(); v != nil {
		p = v.Permissions
	}
	if p != nil {
		c.R = c.R.WithContext(cms.WithPermissions(c.Context(), p))
		c.Site = c.Site.Visible(p)
	}
}

// SiteURL returns the root URL of the service, "" if it is not configured.
func (c *Call) SiteURL() string { return cmp.Or(c.root, c.a.root) }

// Answer is the successful result of a handler.
type Answer struct {
	Status int // 0: 200
	Data   any // a value to encode, or a json.RawMessage
	Meta   any // nil: {}
	// Stored is Data with the references in its texts in their stored form, nil if Data is in that
	// form; see StoredTag.
	Stored json.RawMessage
	Header http.Header
	// Preview is what a preview of the site shows, for meta.preview; nil in other answers.
	Preview any
	// Params are the query parameters that the route supports, where they depend on the model.
	Params []string
	// Vary names the request headers, in addition to Origin, on which the answer depends.
	Vary string
	// Raw is sent instead of the envelope, with its content type.
	Raw     []byte
	RawType string

	tags *cms.Tags // cache tags; nil if they are not requested
}
