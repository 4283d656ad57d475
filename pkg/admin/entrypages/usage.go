package entrypages

import (
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/admin/usages"
	"headless/pkg/links"
)

// usage answers GET /models/{slug}/entries/{id}/usage.
func (h entryPages) usage(c *frame.Call) (frame.Result, error) {
	e, err := h.Get(c, c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	at := ui.Base + "/models/" + c.R.PathValue("slug") + "/entries"
	return usages.UsageOf(c, links.Usage{Store: h.Entries.Store}, e.ID, e.Title,
		ui.Link{Text: h.Heading(c), Href: at}, at+"/"+e.ID)
}
