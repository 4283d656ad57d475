package entrypages

import (
	"net/http"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	previews "headless/pkg/links/preview"
)

// createPreview answers POST /models/{slug}/entries/{id}/preview (extensions §5). Browsers are
// redirected to the page of the entry.
func (h entryPages) createPreview(c *frame.Call, body map[string]any) (frame.Result, error) {
	p, err := previews.Links{Entries: h.Entries}.Create(c.R.Context(), c.Actor(), c.R.PathValue("slug"),
		c.R.PathValue("id"), body)
	return frame.Result{Status: http.StatusCreated, Data: p, Redirect: entrydata.EntryAt(c)}, err
}

// revokePreviews answers DELETE /models/{slug}/entries/{id}/preview.
func (h entryPages) revokePreviews(c *frame.Call) (frame.Result, error) {
	err := previews.Links{Entries: h.Entries}.Revoke(c.R.Context(), c.Actor(), c.R.PathValue("slug"),
		c.R.PathValue("id"))
	return frame.Result{Status: http.StatusNoContent, Redirect: entrydata.EntryAt(c) + "?ok=saved"}, err
}
