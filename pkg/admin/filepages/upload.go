package filepages

import (
	"fmt"
	"mime/multipart"
	"net/http"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/web"
)

// directRoutes are the API's routes of direct uploads, for users who are signed in to the admin
// area.
func directRoutes(files *assets.Media) []frame.Route {
	return []frame.Route{
		{Method: "POST", Pattern: "/media/direct", Role: cms.RoleEditor,
			Handle: func(c *frame.Call) (frame.Result, error) {
				body, err := web.DecodeBody(c.R)
				if err != nil {
					return frame.Result{}, err
				}
				target, err := files.Direct(c.R.Context(), body)
				return frame.Result{Status: http.StatusCreated, Data: target}, err
			}},
		{Method: "POST", Pattern: "/media/direct/{id}/complete", Role: cms.RoleEditor,
			Handle: func(c *frame.Call) (frame.Result, error) {
				file, err := files.Complete(c.R.Context(), c.Actor(), c.R.PathValue("id"))
				return frame.Result{Status: http.StatusCreated, Data: file, Redirect: "/media/" + file.ID +
					"?ok=created"}, err
			}},
	}
}

// FileField returns the input for files. The page's script sends them one by one. Files too large
// for the form are uploaded straight to the file store.
func (h MediaHandlers) FileField(c *frame.Call) (ui.Field, error) {
	f := ui.Field{Name: "file", Label: "Files", Kind: "file", Required: true, Help: say.F("At most {1} together.",
		ui.SizeText(h.Files.MaxBytes))}
	if c.JSON {
		return f, nil
	}
	var err error
	f.Upload, err = c.DirectUpload(h.Files)
	if h.Files.DirectMaxBytes > h.Files.MaxBytes {
		f.Help = say.F("At most {1} each.", ui.SizeText(h.Files.DirectMaxBytes))
	}
	return f, err
}

// create stores the files of the form and returns the last one. Several files get no alternative
// text, since one text cannot describe them all. If a file is refused, the files before it stay
// stored.
func (h MediaHandlers) create(c *frame.Call) (cms.Media, error) {
	form := c.R.MultipartForm
	if form == nil {
		return cms.Media{}, cms.Errorf(cms.CodeUnsupportedMedia, "Send the file as multipart/form-data.")
	}
	headers := form.File["file"]
	p := cms.Problems{}
	switch {
	case len(headers) == 0:
		p.Add("file", "A file is required.")
	case len(headers) > 1 && c.JSON:
		p.Add("file", "This part is sent twice.") // the API's message
	}
	if err := p.Err(); err != nil {
		return cms.Media{}, err
	}
	var last cms.Media
	for i, header := range headers {
		m, err := h.createOne(c, header, len(headers) == 1)
		if err != nil && len(headers) > 1 {
			return m, notAll(web.Safe(c.A.Cfg.Log, c.RequestID, err), upload.CleanName(header.Filename), i)
		}
		if err != nil {
			return m, err
		}
		last = m
	}
	return last, nil
}

func (h MediaHandlers) createOne(c *frame.Call, header *multipart.FileHeader, alone bool) (cms.Media, error) {
	if header.Size > h.Files.MaxBytes {
		return cms.Media{}, frame.FileTooLarge(h.Files.MaxBytes)
	}
	file, err := header.Open()
	if err != nil {
		return cms.Media{}, err
	}
	defer file.Close()
	text := func(name string) string { return c.R.PostFormValue(name) }
	alt, alts := "", ""
	if alone {
		alt, alts = text("alt"), text("alts")
	}
	return h.Files.Upload(c.R.Context(), c.Actor(), &upload.Upload{
		Name: upload.CleanName(header.Filename), File: file, Size: header.Size,
		FolderID: text("folder_id"), Alt: alt, Alts: alts, Caption: text("caption"),
	})
}

// notAll adds to an error which of several files was refused, and that the files before it are
// stored.
func notAll(e *cms.Error, name string, stored int) error {
	told := *e
	format := "%s was not uploaded. %s"
	switch {
	case stored == 1:
		format = "%s was not uploaded, but the file before it. %s"
	case stored > 1:
		format = "%s was not uploaded, but the files before it. %s"
	}
	told.Message = fmt.Sprintf(format, name, e.Message)
	return &told
}

// severalToList redirects to the list of their folder after an upload of several files, instead of to the last
// file.
func severalToList(create frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		result, err := create(c)
		if err == nil && len(c.R.MultipartForm.File["file"]) > 1 {
			result.Redirect = "/media?ok=created"
			return backToGrid(func(*frame.Call) (frame.Result, error) { return result, nil })(c)
		}
		return result, err
	}
}
