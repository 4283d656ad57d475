package entrydata

import (
	"net/url"

	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/content"
)

// FromPath returns the path at which readers find an entry, as the query parameter from for the page after a form; ""
// where there is none.
func (h EntryHandlers) FromPath(c *frame.Call, id string) (string, error) {
	if !c.IsForm {
		return "", nil
	}
	m, err := c.Model()
	if err != nil || !m.HasPath() {
		return "", err
	}
	known := content.Above{}
	if err := h.Entries.Store.AddAbove(c.R.Context(), known, id); err != nil {
		return "", err
	}
	path := m.PathOf(known.Of(id).Place(id))
	if known[id].ModelID != m.ID || known[id].Status != cms.StatusPublished || path == "" {
		return "", nil
	}
	return "&from=" + url.QueryEscape(path), nil
}
