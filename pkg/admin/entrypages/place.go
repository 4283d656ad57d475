package entrypages

import (
	"cmp"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/site"
)

// showPlace adds to the page of an entry where it stands: the entries above it as breadcrumbs, and its address.
func (h Pages) showPlace(c *frame.Call, m *site.Model, e *cms.Entry, page *ui.Page, view *EntryView) error {
	place := e.Place()
	if parent := e.ParentID(); m.Tree && parent != "" {
		known := content.Above{}
		if err := h.Entries.Store.AddAbove(c.R.Context(), known, parent); err != nil {
			return err
		}
		ids := append(known.Chain(parent), parent)
		if known[parent].ModelID == "" {
			ids = nil // it is gone
		}
		for _, id := range ids {
			page.Crumbs = append(page.Crumbs, ui.Link{Text: say.Data(known[id].Title), Href: entrydata.EntryAddress(m.Slug,
				id)})
		}
		place.Above = known.Slugs(ids)
	}
	address := m.URLOf(place)
	view.Result.SetAddress(cmp.Or(address, e.Slug))
	if address != "" && e.Status == cms.StatusPublished {
		cell := ui.Text(address)
		if !strings.HasPrefix(address, "/") { // a path may be of another host
			cell.Href = address
			see := ui.Action{Label: "View on the site", Href: address}
			if view.Actions = append([]ui.Action{see}, view.Actions...); c.R.URL.Query().Get("ok") == "published" {
				page.Next = []ui.Action{see}
			}
		}
		view.Facts = append(view.Facts, ui.NewFact("Address", cell))
	}
	return nil
}
