package api

import (
	"headless/pkg/api/pipeline"
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
	if err := c.Site.RequireLocale(asked); err != nil {
		return pipeline.Answer{}, err
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
