package pipeline

import (
	"headless/pkg/cms"
	"headless/pkg/site"
)

// Models returns the active models that the key may read, by slug, with the fields that it may see.
func (c *Call) Models() []*cms.Model {
	var list []*cms.Model
	for _, m := range c.Site.Models {
		if m.IsActive {
			list = append(list, c.VisibleModel(m))
		}
	}
	cms.SortBySlug(list)
	return list
}

// VisibleModel returns a model with the fields that the key may see.
func (c *Call) VisibleModel(m *site.Model) *cms.Model {
	if c.IsAdmin() {
		return &m.Model
	}
	return m.Visible()
}

// Locales returns the codes of the locales that the client may see.
func (c *Call) Locales() []string {
	if c.SeesAll() {
		return c.Site.Codes()
	}
	return c.Site.ActiveCodes()
}

// Sees reports whether the client may see an entry of a model with the status and the locale of e.
func (c *Call) Sees(m *site.Model, e *cms.Entry) bool {
	return c.SeesAll() || e.Status == cms.StatusPublished && c.Site.Shows(m, e.Locale)
}
