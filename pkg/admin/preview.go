package admin

import (
	"net/http"

	previews "headless/pkg/links/preview"
)

// createPreview answers POST /models/{slug}/entries/{id}/preview (extensions §5). A form leads on
// to the preview where the model has an address.
func (h entryHandlers) createPreview(c *Call) (Result, error) {
	body, err := c.Body()
	if err != nil {
		return Result{}, err
	}
	p, err := previews.Links{Entries: h.entries}.Create(c.R.Context(), c.R.PathValue("slug"),
		c.R.PathValue("id"), body)
	return Result{Status: http.StatusCreated, Data: p, Redirect: entryPath(c)}, err
}

// revokePreviews answers DELETE /models/{slug}/entries/{id}/preview.
func (h entryHandlers) revokePreviews(c *Call) (Result, error) {
	err := previews.Links{Entries: h.entries}.Revoke(c.R.Context(), c.R.PathValue("slug"),
		c.R.PathValue("id"))
	return Result{Status: http.StatusNoContent, Redirect: entryPath(c) + "?ok=saved"}, err
}
