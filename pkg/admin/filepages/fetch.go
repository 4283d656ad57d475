package filepages

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"path"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/input"
)

// Fetch reads a file of at most limit bytes from a URL that somebody names. It refuses hosts whose IP
// addresses are not public. The text of its error is a sentence that may be shown.
type Fetch func(ctx context.Context, address string, limit int64) ([]byte, error)

// fetchPicture stores the picture at a public address, such as one in a pasted text. It sends no
// request for who may not upload files.
func (h MediaHandlers) fetchPicture(c *frame.Call, body map[string]any) (frame.Result, error) {
	ctx := c.R.Context()
	if err := input.Permit(ctx, cms.ActionWrite, cms.AreaMedia, "file"); err != nil {
		return frame.Result{}, err
	}
	p := cms.Problems{}
	address, _ := body["url"].(string)
	alt, _ := body["alt"].(string)
	content, err := h.fetch(ctx, address, h.Files.MaxBytes)
	kind, isPicture := strings.CutPrefix(http.DetectContentType(content), "image/")
	switch {
	case err != nil:
		p.Add("url", "The picture was not read. %s", err)
	case !isPicture:
		p.Add("url", "There is no picture at this address.")
	}
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	name := "pasted"
	if u, err := url.Parse(address); err == nil && path.Base(u.Path) != "/" {
		name = path.Base(u.Path)
	}
	if path.Ext(name) == "" {
		name += "." + kind
	}
	file, err := h.Files.Upload(ctx, c.Actor(), &upload.Upload{Name: upload.CleanName(name),
		File: bytes.NewReader(content), Size: int64(len(content)), Alt: alt})
	return frame.Result{Status: http.StatusCreated, Data: file}, err
}
