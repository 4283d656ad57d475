package delivery

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"

	"headless/pkg/api/pipeline"
	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/planning/ahead"
	"headless/pkg/web"
)

// errNoKey is the error for a key that opens nothing. It does not say why.
var errNoKey = cms.Errorf(cms.CodeNotFound, "No publishable key of this name is valid. It begins with pub_.")

// openKey reads a publishable key and the configuration. Error: NOT_FOUND for a key that is unknown,
// revoked, expired or not publishable.
func (h *Handler) openKey(ctx context.Context, public string) (apikeys.Opening, error) {
	o, err := h.Keys.OpenPublishable(ctx, public)
	if err == nil && o.Key == nil {
		err = errNoKey
	}
	return o, err
}

// making is an answer that is being computed.
type making struct {
	h    *Handler
	ctx  context.Context
	req  request
	open apikeys.Opening
	root string // URL of the service, without a slash at the end
	tags *cms.Tags

	entries *editing.Entries // as the answer shows them
	preview string           // token of the site, "" for none
	view    *ahead.View      // of the token, nil for none

	body []byte
	mime string
}

// computeAnswer computes the answer to a request.
func (h *Handler) computeAnswer(ctx context.Context, c *call, req request) *answer {
	began := h.Keys.Now().Time
	a := h.compute(ctx, c, req)
	a.began = began
	return a
}

func (h *Handler) compute(ctx context.Context, c *call, req request) *answer {
	o, err := h.openKey(ctx, req.key)
	if err != nil {
		return h.errorAnswer(c.RequestID, nil, err)
	}
	if err := h.countRequest(ctx, o.Key, c, req); err != nil {
		return h.errorAnswer(c.RequestID, o.Key, err)
	}
	m := &making{h: h, ctx: cms.WithPermissions(ctx, o.Key.Permissions()), req: req, open: o,
		tags: cms.NewTags(), mime: web.JSON, root: h.root(c.R), entries: h.Entries}
	if err = req.route.handle(m); err == nil && len(m.body) > web.MaxAnswer {
		err = web.ErrAnswerTooLarge
	}
	if req.query.values.Has("preview") {
		if err != nil {
			return h.errorAnswer(c.RequestID, o.Key, err)
		}
		a := m.finish()
		a.header.Set("Cache-Control", "no-store")
		return a
	}
	switch {
	case cms.CodeOf(err) == cms.CodeEntryNotFound,
		req.route.missing && cms.CodeOf(err) == cms.CodeNotFound:
		a := h.errorAnswer(c.RequestID, o.Key, err)
		a.cacheable(m.tags, h.Keys.Now().Time)
		return a
	case err != nil:
		return h.errorAnswer(c.RequestID, o.Key, err)
	}
	a := m.finish()
	if req.route == seenRoute {
		a.status, a.etag = http.StatusNoContent, ""
	}
	if req.route.cached {
		a.cacheable(m.tags, h.Keys.Now().Time)
	} else {
		a.header.Set("Cache-Control", "no-store")
	}
	return a
}

// withPreview returns a handler that shows the site as it will be if the request has a token of the site
// (extensions §15).
func withPreview(handle func(*making) error) func(*making) error {
	return func(m *making) error {
		if !m.parameters().Has("preview") {
			return handle(m)
		}
		m.preview = m.parameters().Get("preview")
		view, err := ahead.Of(m.h.Entries).Open(m.ctx, m.parameters()["preview"])
		if err != nil {
			return err
		}
		if view == nil {
			return errNoPreview
		}
		m.view, m.entries = view, view.Entries
		err = handle(m)
		_, failed := view.About()
		return cmp.Or(failed, err)
	}
}

var (
	errNoPreview = cms.Errorf(cms.CodeForbidden, "The preview token is invalid, expired or revoked.")
	errNoAhead   = cms.Errorf(cms.CodeBadRequest, "Feeds and syncs do not show previews.")
)

// refusePreview answers a request with a preview token on a route that shows none.
func refusePreview(handle func(*making) error) func(*making) error {
	return func(m *making) error {
		if m.parameters().Has("preview") {
			return errNoAhead
		}
		return handle(m)
	}
}

// root returns the configured URL of the service, else the host of the request.
func (h *Handler) root(r *http.Request) string { return cmp.Or(h.SiteURL, "https://"+r.Host) }

func (m *making) finish() *answer {
	return &answer{status: http.StatusOK, body: m.body, mime: m.mime, etag: pipeline.ETag(m.body),
		key: m.open.Key, header: http.Header{}}
}

// countRequest counts a request of an address, and then of its key, so that a refused address does not use
// up the key. Error: RATE_LIMITED beyond a limit per minute.
func (h *Handler) countRequest(ctx context.Context, key *apikeys.Key, c *call, req request) error {
	if !web.VisitorIsHidden(c.R) {
		ok, err := h.Keys.CountAddress(ctx, key, c.Address(), req.searches())
		if err != nil {
			return err
		}
		if !ok {
			return h.limitError("Too many requests from this address.")
		}
	}
	n, ok, err := h.Keys.Count(ctx, key.ID, key.RateLimit)
	if err != nil || ok && n <= key.RateLimit {
		return err
	}
	return h.limitError("Rate limit exceeded for this API key.")
}

func (h *Handler) limitError(message string) error {
	wait := time.Duration(60-h.Keys.Now().Unix()%60) * time.Second
	return &cms.Error{Code: cms.CodeRateLimited, Message: message, RetryAfter: wait}
}

// askAPI makes the answer with the handler of the API.
func (m *making) askAPI() error {
	reading, err := m.h.Reader.Read(m.ctx, m.open, m.root, m.req.path, m.parameters())
	m.tags, m.body = reading.Tags, reading.Body
	return err
}

// parameters returns the query parameters, never nil.
func (m *making) parameters() url.Values {
	if m.req.query.values == nil {
		return url.Values{}
	}
	return m.req.query.values
}

// log logs a request that no cache answered, also in the request log of its key.
func (c *call) log(a *answer) {
	took := c.Milliseconds()
	c.h.Log.Info("request", "request_id", c.RequestID, "method", c.R.Method, "route", "delivery", "status",
		a.status, "ms", took)
	if a.key == nil || c.h.LogRequest == nil {
		return
	}
	c.h.LogRequest(db.RequestLine{
		Time: cms.At(c.Start), Method: c.R.Method, Path: c.R.URL.Path, Status: a.status, LatencyMS: took,
		Address: c.AddressText(), Key: a.key.Name, RequestID: c.RequestID,
	})
}
