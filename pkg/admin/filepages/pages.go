package filepages

import (
	"net/http"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
)

// mediaItem is the pattern of one file.
const mediaItem = "/media/{id}"

// mediaContent is the pattern of the bytes of a file.
const mediaContent = mediaItem + "/content"

// contentRoutes returns the routes that replace the bytes of a file (extensions §9).
func contentRoutes(files *assets.Media) []frame.Route {
	return []frame.Route{
		{Method: "GET", Pattern: mediaContent, Role: cms.RoleEditor, For: "PUT", Handle: contentForm(files)},
		{Method: "PUT", Pattern: mediaContent, Role: cms.RoleEditor, Public: true, Form: contentPage(files),
			Handle: func(c *frame.Call) (frame.Result, error) {
				file, err := replaceContent(c, files)
				return frame.Result{Data: file, Redirect: "/media/" + file.ID + "?ok=saved"}, err
			}}}
}

// replaceContent replaces the bytes of a file by those in the request, or by those of a direct upload.
func replaceContent(c *frame.Call, files *assets.Media) (cms.Media, error) {
	id := c.R.PathValue("id")
	direct, err := c.SentUpload()
	if err != nil {
		return cms.Media{}, err
	}
	if direct != "" {
		return files.ReplaceByUpload(c.R.Context(), c.Actor(), id, direct)
	}
	u, err := replacement(c, files.MaxBytes)
	if err != nil {
		return cms.Media{}, err
	}
	defer u.Close()
	return files.ReplaceContent(c.R.Context(), c.Actor(), id, u)
}

// replacement reads the part "file" of a form that a browser posted, or of a multipart body.
func replacement(c *frame.Call, maxBytes int64) (*upload.Upload, error) {
	form := c.R.MultipartForm
	if form == nil {
		return upload.ReadUpload(c.R, maxBytes)
	}
	p := cms.Problems{}
	headers := form.File["file"]
	switch {
	case len(headers) == 0:
		p.Add("file", "A file is required.")
	case len(headers) > 1:
		p.Add("file", "This part is sent twice.")
	case headers[0].Size > maxBytes:
		return nil, frame.FileTooLarge(maxBytes)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	file, err := headers[0].Open()
	if err != nil {
		return nil, err
	}
	return &upload.Upload{Name: upload.CleanName(headers[0].Filename), File: file, Size: headers[0].Size}, nil
}

// contentForm is the form that replaces the bytes of a file.
func contentForm(files *assets.Media) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		if c.JSON {
			m, err := files.Get(c.R.Context(), c.R.PathValue("id"))
			return frame.Result{Data: m}, err
		}
		return frame.ShowPage(contentPage(files))(c)
	}
}

// contentPage returns the page of that form.
func contentPage(files *assets.Media) func(c *frame.Call) (*ui.Page, error) {
	return func(c *frame.Call) (*ui.Page, error) {
		m, err := files.Get(c.R.Context(), c.R.PathValue("id"))
		if err != nil {
			return nil, err
		}
		direct, err := c.DirectUpload(files)
		direct.One = true
		at := ui.Base + "/media/" + m.ID
		return &ui.Page{
			Title: "Replace content", Crumbs: []ui.Link{{Text: "Media", Href: ui.Base + "/media"},
				{Text: say.Data(m.Name), Href: at}},
			Form: &ui.Form{Action: at + "/content", Method: http.MethodPut, Multipart: true,
				Submit: "Replace", Cancel: at, Fields: []ui.Field{{
					Name: "file", Label: "File", Kind: "file", Required: true, Upload: direct,
					Help: say.Sentences(say.F("Of the same type, {1}, and at most {2}. Id, address and texts stay.", m.Mime,
						ui.SizeText(max(files.MaxBytes, files.DirectMaxBytes))), "The former content is not kept."),
				}}},
		}, err
	}
}
