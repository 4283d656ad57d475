package filepages

import (
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/admin/usages"
)

// usage answers GET /media/{id}/usage.
func (h MediaHandlers) usage(c *frame.Call) (frame.Result, error) {
	m, err := h.Files.Get(c.R.Context(), c.R.PathValue("id"))
	if err != nil {
		return frame.Result{}, err
	}
	return usages.UsageOf(c, h.uses, m.ID, m.Name, ui.Link{Text: "Media", Href: ui.Base + "/media"},
		ui.Base+"/media/"+m.ID)
}
