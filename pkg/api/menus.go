package api

import (
	"strings"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/menus"
)

// menu answers GET /menus/{slug} (extensions §13).
func (h entries) menu(c *pipeline.Call) (pipeline.Answer, error) {
	if h.previews(c) {
		return pipeline.Answer{}, errNotPreview
	}
	asked := c.Site.Default
	if q := c.R.URL.Query(); q.Has("locale") {
		asked = q.Get("locale")
	}
	if l := c.Site.Locale(asked); l == nil || !l.IsActive {
		return pipeline.Answer{}, cms.Errorf(cms.CodeBadRequest, "%q is not an active locale. Active: %s.",
			cms.Shorten(asked), strings.Join(c.Site.ActiveCodes(), ", "))
	}
	chain := []string{asked}
	if wantsFallback(c) {
		chain = c.Site.Chain(asked)
	}
	r := menus.Reading{Store: h.service.Store, Site: c.Site, Sees: c.Sees, Tags: c.Tags}
	items, locale, err := r.Menu(c.Context(), c.R.PathValue("slug"), chain)
	meta := EntryMeta{Locale: locale}
	if wantsFallback(c) {
		meta.RequestedLocale = asked
	}
	return pipeline.Answer{Data: items, Meta: meta}, err
}
