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

// SeesIn reports whether the client may see an entry of a model. Those of a model that is not localized
// are in no locale.
func (c *Call) SeesIn(m *site.Model, e *cms.Entry) bool {
	return c.Sees(e) || !m.Localized && e.Status == cms.StatusPublished
}

// Sees reports whether the client may see an entry.
func (c *Call) Sees(e *cms.Entry) bool {
	if c.SeesAll() {
		return true
	}
	l := c.Site.Locale(e.Locale)
	return e.Status == cms.StatusPublished && l != nil && l.IsActive
}
