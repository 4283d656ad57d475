package api

import (
	"cmp"
	"context"
	"net/http"
	"sync"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/links/preview"
	"headless/pkg/planning/ahead"
	"headless/pkg/site"
)

// asksPreview reports whether a read requests a preview (extensions §5).
func asksPreview(c *pipeline.Call) bool { return c.R.URL.Query().Has("preview") }

// previews reports whether a read requests the preview of one entry.
func (h entries) previews(c *pipeline.Call) bool { return asksPreview(c) && !h.laid && h.token == nil }

var (
	errPreviewRole = cms.Errorf(cms.CodeForbidden, "Previews need a key that has the admin role.")
	errNotPreview  = cms.Errorf(cms.CodeForbidden, "The preview token is invalid, expired or revoked.")
	errPreviewList = cms.Errorf(cms.CodeBadRequest,
		"This preview token works for one entry, by id or slug, but not for lists and search.")
	errPreviewSearch = cms.Errorf(cms.CodeBadRequest, "Searches do not show previews.")
)

// PreviewRoutes returns the routes that create and revoke preview links. They are separate from
// ContentRoutes, since creating a link needs a secret that reading does not.
func PreviewRoutes(s *editing.Entries) []pipeline.Route {
	h := entries{service: s}
	return []pipeline.Route{
		{Method: "POST", Pattern: pipeline.BelowEntry + "preview", Handle: h.createPreview,
			Params: []string{"locale"}, Made: answerPreview},
		{Method: "DELETE", Pattern: pipeline.BelowEntry + "preview", Handle: h.revokePreviews,
			Params: []string{"locale"}},
	}
}

// createPreview answers POST /{model}/{id}/preview.
func (h entries) createPreview(c *pipeline.Call) (pipeline.Answer, error) {
	if !c.IsAdmin() {
		return pipeline.Answer{}, errPreviewRole
	}
	body, err := optionalBody(c.R)
	if err != nil {
		return pipeline.Answer{}, err
	}
	m, id, err := h.entryOf(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	p, err := preview.Links{Entries: h.service}.Create(c.Context(), c.Actor(), m.Slug, id, body)
	return pipeline.Answer{Status: http.StatusCreated, Data: p}, err
}

// answerPreview returns the answer to the creation of a link before the commit.
func answerPreview(c *pipeline.Call, made any) (pipeline.Answer, error) {
	return pipeline.Created(c, made.([]preview.Link)[0])
}

// revokePreviews answers DELETE /{model}/{id}/preview.
func (h entries) revokePreviews(c *pipeline.Call) (pipeline.Answer, error) {
	if !c.IsAdmin() {
		return pipeline.Answer{}, errPreviewRole
	}
	m, id, err := h.entryOf(c)
	if err != nil {
		return pipeline.Answer{}, err
	}
	return pipeline.Answer{Status: http.StatusNoContent},
		preview.Links{Entries: h.service}.Revoke(c.Context(), c.Actor(), m.Slug, id)
}

// ahead returns a handler that shows the site as it will be if the request has a token of the site
// (extensions §15).
func (h entries) ahead(handle func(entries, *pipeline.Call) (pipeline.Answer, error)) pipeline.Handler {
	return func(c *pipeline.Call) (pipeline.Answer, error) {
		view, err := ahead.Of(h.service).Open(c.Context(), c.R.URL.Query()["preview"])
		if err != nil {
			return pipeline.Answer{}, err
		}
		if view == nil {
			return handle(h, c)
		}
		c.Ahead = true
		answer, err := handle(entries{service: view.Entries, laid: true}, c)
		about, failed := view.About()
		if failed != nil {
			return pipeline.Answer{}, failed
		}
		answer.Preview, answer.Header = about, http.Header{"Cache-Control": {"no-store"}}
		return answer, err
	}
}

// previewOfList returns the error of a list with a token that is not one of the site.
func (h entries) previewOfList(c *pipeline.Call) error {
	_, err := h.openAny(c.Context(), c)
	return cmp.Or(err, error(errPreviewList))
}

// openAny returns what the token of a request shows, of whichever model.
func (h entries) openAny(ctx context.Context, c *pipeline.Call) (preview.Shown, error) {
	tokens := c.R.URL.Query()["preview"]
	if len(tokens) != 1 {
		return preview.Shown{}, errNotPreview
	}
	return preview.Links{Entries: h.service}.OpenAny(ctx, c.Site, tokens[0])
}

// tokenEntry is the entry of a preview token, which reads see whatever its status, and with its draft.
type tokenEntry struct {
	preview.Shown
	drafted func() (*editing.Drafted, error)
}

// sees reports whether the client may see an entry, of which the id may be missing.
func (h entries) sees(c *pipeline.Call) func(*site.Model, *cms.Entry) bool {
	return func(m *site.Model, e *cms.Entry) bool {
		return h.token != nil && e.ID == h.token.ID || c.Sees(m, e)
	}
}

// preview answers a read with the token of one entry, for any key. It reads as without the token, but for what
// the entry shows, and refuses what shows another entry. A path with the id of another entry is refused before
// that is looked up, unless it may lead to a translation.
func (h entries) preview(c *pipeline.Call, m *site.Model) (pipeline.Answer, error) {
	tokens := c.R.URL.Query()["preview"]
	if len(tokens) != 1 {
		return pipeline.Answer{}, errNotPreview
	}
	shown, err := preview.Links{Entries: h.service}.Open(c.Context(), m, tokens[0])
	if err != nil {
		return pipeline.Answer{}, err
	}
	id, byID := input.CanonicalID(c.R.PathValue("idOrSlug"))
	if byID && id != shown.ID && !wantsFallback(c) {
		return pipeline.Answer{}, errNotPreview
	}
	h.token = &tokenEntry{shown, sync.OnceValues(func() (*editing.Drafted, error) {
		return h.service.DraftOrLive(c.Context(), m.Slug, shown.ID)
	})}
	go h.token.drafted()
	answer, err := h.path(c, m)
	d, failed := h.token.drafted()
	switch {
	case failed != nil:
		return pipeline.Answer{}, failed
	case !shown.Shows(m, d.Live), cms.CodeOf(err) == cms.CodeEntryNotFound && id != shown.ID:
		return pipeline.Answer{}, errNotPreview
	}
	answer.Header = http.Header{"Cache-Control": {"no-store"}}
	return answer, err
}

// lay applies the draft to the entry of the token, and refuses another one.
func (t *tokenEntry) lay(entries []*cms.Entry) error {
	if entries[0].ID != t.ID {
		return errNotPreview
	}
	d, err := t.drafted()
	if err == nil {
		entries[0] = d.Entry
	}
	return err
}
