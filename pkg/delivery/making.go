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

// open reads a publishable key and the configuration. Error: NOT_FOUND for a key that is unknown,
// revoked, expired or not publishable.
func (h *Handler) open(ctx context.Context, public string) (apikeys.Opening, error) {
	o, err := h.Keys.OpenPublishable(ctx, public)
	if err == nil && o.Key == nil {
		err = web.ErrNothing
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

// answer computes the answer to a request.
func (h *Handler) answer(ctx context.Context, c *call, req request) *answer {
	began := h.Keys.Now().Time
	a := h.compute(ctx, c, req)
	a.began = began
	return a
}

func (h *Handler) compute(ctx context.Context, c *call, req request) *answer {
	o, err := h.open(ctx, req.key)
	if err != nil {
		return h.failed(c.RequestID, nil, err)
	}
	if err := h.count(ctx, o.Key, c, req); err != nil {
		return h.failed(c.RequestID, o.Key, err)
	}
	m := &making{h: h, ctx: cms.WithPermissions(ctx, o.Key.Permissions()), req: req, open: o,
		tags: cms.NewTags(), mime: web.JSON, root: h.root(c.R), entries: h.Entries}
	if err = req.route.handle(m); err == nil && len(m.body) > pipeline.MaxAnswer {
		err = pipeline.ErrAnswerTooLarge
	}
	if req.query.values.Has("preview") {
		if err != nil {
			return h.failed(c.RequestID, o.Key, err)
		}
		a := m.finished()
		a.header.Set("Cache-Control", "no-store")
		return a
	}
	switch {
	case cms.CodeOf(err) == cms.CodeEntryNotFound,
		req.route.missing && cms.CodeOf(err) == cms.CodeNotFound:
		a := h.failed(c.RequestID, o.Key, err)
		a.cacheable(m.tags, h.Keys.Now().Time)
		return a
	case err != nil:
		return h.failed(c.RequestID, o.Key, err)
	}
	a := m.finished()
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
		if !m.values().Has("preview") {
			return handle(m)
		}
		m.preview = m.values().Get("preview")
		view, err := ahead.Of(m.h.Entries).Open(m.ctx, m.values()["preview"])
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
		if m.values().Has("preview") {
			return errNoAhead
		}
		return handle(m)
	}
}

// root returns the configured URL of the service, else the host of the request.
func (h *Handler) root(r *http.Request) string {
	if h.SiteURL != "" {
		return h.SiteURL
	}
	return "https://" + r.Host
}

func (m *making) finished() *answer {
	return &answer{status: http.StatusOK, body: m.body, mime: m.mime, etag: pipeline.ETag(m.body),
		key: m.open.Key, header: http.Header{}}
}

// count counts a request of an address, and then of its key, so that a refused address does not use
// up the key. Error: RATE_LIMITED beyond a limit per minute.
func (h *Handler) count(ctx context.Context, key *apikeys.Key, c *call, req request) error {
	if !web.VisitorIsHidden(c.R) {
		ok, err := h.Keys.CountAddress(ctx, key, c.Address(), req.searches())
		if err != nil {
			return err
		}
		if !ok {
			return h.limited("Too many requests from this address.")
		}
	}
	n, ok, err := h.Keys.Count(ctx, key.ID, key.RateLimit)
	if err != nil || ok && n <= key.RateLimit {
		return err
	}
	return h.limited("Rate limit exceeded for this API key.")
}

func (h *Handler) limited(message string) error {
	wait := time.Duration(60-h.Keys.Now().Unix()%60) * time.Second
	return &cms.Error{Code: cms.CodeRateLimited, Message: message, RetryAfter: wait}
}

// shared makes the answer with the handler of the API.
func (m *making) shared() error {
	reading, err := m.h.Reader.Read(m.ctx, m.open, m.root, m.req.path, m.values())
	m.tags, m.body = reading.Tags, reading.Body
	return err
}

// values returns the query parameters, never nil.
func (m *making) values() url.Values {
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
