package api

import (
	"cmp"
	"net/http"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/links/preview"
	"headless/pkg/planning/ahead"
	"headless/pkg/site"
)

// asksPreview reports whether a read requests a preview (extensions §5).
func asksPreview(c *pipeline.Call) bool { return c.R.URL.Query().Has("preview") }

// previews reports whether a read requests the preview of one entry.
func (h entries) previews(c *pipeline.Call) bool { return asksPreview(c) && !h.laid }

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
			Params: []string{"locale"}},
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
	tokens := c.R.URL.Query()["preview"]
	if len(tokens) != 1 {
		return errNotPreview
	}
	_, err := preview.Links{Entries: h.service}.OpenAny(c.Context(), c.Site, tokens[0])
	return cmp.Or(err, error(errPreviewList))
}

// preview answers a read of one entry with a token, for any key: the draft applied to the entry,
// whatever its status. A path of another entry than the token's is refused before it is looked up.
func (h entries) preview(c *pipeline.Call, m *site.Model) (pipeline.Answer, error) {
	tokens := c.R.URL.Query()["preview"]
	if len(tokens) != 1 {
		return pipeline.Answer{}, errNotPreview
	}
	shown, err := preview.Links{Entries: h.service}.Open(c.Context(), m, tokens[0])
	if err != nil {
		return pipeline.Answer{}, err
	}
	v, err := h.view(c, m)
	if err != nil {
		return pipeline.Answer{}, err
	}
	segment := c.R.PathValue("idOrSlug")
	id, byID := input.CanonicalID(segment)
	if byID && id != shown.ID {
		return pipeline.Answer{}, errNotPreview
	}
	d, err := h.service.DraftOrLive(c.Context(), m.Slug, shown.ID)
	if err != nil {
		return pipeline.Answer{}, err
	}
	asked := askedLocale(c)
	if asked == "any" && m.Kind == cms.KindSingle {
		asked = d.Live.Locale
	}
	if !byID && !leadsTo(m, segment, cmp.Or(asked, c.Site.Default), d.Live) || !shown.Shows(m, d.Live) {
		return pipeline.Answer{}, errNotPreview
	}
	if asked != "" && asked != d.Live.Locale {
		return pipeline.Answer{}, content.ErrEntryNotFound
	}
	if inc := v.include; inc != nil {
		inc.Drafts, inc.Unpublished, inc.Maker = true, true, shown.Maker
	}
	place := d.Live.Place()
	v.hidden, v.maker, v.placed = true, shown.Maker, &place
	if wantsFallback(c) {
		v.about.Locale, v.about.RequestedLocale = d.Live.Locale, cmp.Or(asked, c.Site.Default)
	}
	raw, err := cms.Marshal(d.Entry)
	if err != nil {
		return pipeline.Answer{}, err
	}
	data, err := v.render(content.EntryItem{JSON: raw, Entry: d.Entry})
	return pipeline.Answer{Data: data, Meta: v.meta(), Header: http.Header{"Cache-Control": {"no-store"}}}, err
}

// leadsTo reports whether a path segment that is not an id is the entry's: its slug in the
// requested locale, or "single" for a single-type model.
func leadsTo(m *site.Model, segment, locale string, e *cms.Entry) bool {
	return (namesSingle(m, segment) || segment == e.Slug) && (!m.Localized || e.Locale == locale)
}
