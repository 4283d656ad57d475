package frame

import (
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/input"
)

// DirectUpload tells the script of a page how to send files that are too large for a form: straight to their
// store.
func (c *Call) DirectUpload(files *assets.Media) (*ui.Upload, error) {
	address, err := files.DirectAddress(c.R.Context())
	return &ui.Upload{Direct: ui.Base + "/media/direct", Max: files.MaxBytes, Address: address}, err
}

// SentUpload returns the id of the direct upload that a request has in place of a file, "" if it has none.
// Error: VALIDATION_FAILED on upload.
func (c *Call) SentUpload() (string, error) {
	if c.IsForm {
		return c.Form.Get("upload"), nil
	}
	if !isJSONBody(c.R) {
		return "", nil
	}
	body, err := c.Body()
	if err != nil || body["upload"] == nil {
		return "", err
	}
	in, p := input.Decode[struct {
		Upload *string `json:"upload"`
	}](body)
	return input.Given(in.Upload, ""), p.Err()
}
