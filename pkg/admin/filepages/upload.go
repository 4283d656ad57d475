package filepages

import (
	"errors"
	"mime/multipart"
	"net/http"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/web"
)

// directRoutes are the direct uploads of the API, for those who are signed in here.
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

// FileField takes files. The page's script sends them one by one, and what is too large for the
// form straight to the store of files.
func (h MediaHandlers) FileField(c *frame.Call) (ui.Field, error) {
	f := ui.Field{Name: "file", Label: "Files", Kind: "file", Required: true, Help: "At most " +
		ui.SizeText(h.Files.MaxBytes) + " together."}
	if c.JSON {
		return f, nil
	}
	address, err := h.Files.DirectAddress(c.R.Context())
	if err != nil {
		return f, err
	}
	f.Upload = &ui.Upload{Direct: ui.Base + "/media/direct", Max: h.Files.MaxBytes, Address: address}
	if h.Files.DirectMaxBytes > h.Files.MaxBytes {
		f.Help = "At most " + ui.SizeText(h.Files.DirectMaxBytes) + " each; without JavaScript, " +
			ui.SizeText(h.Files.MaxBytes) + " together."
	}
	return f, nil
}

// create makes files of those in the form and gives the last. One alternative text cannot describe
// several: they get none. A form that is refused in between has made those before.
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
		p.Add("file", "This part is sent twice.") // as the API says
	}
	if err := p.Err(); err != nil {
		return cms.Media{}, err
	}
	var last cms.Media
	for i, header := range headers {
		m, err := h.createOne(c, header, len(headers) == 1)
		if err != nil && len(headers) > 1 {
			return m, notAll(err, upload.CleanName(header.Filename), i)
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
	alt := ""
	if alone {
		alt = text("alt")
	}
	return h.Files.Upload(c.R.Context(), c.Actor(), &upload.Upload{
		Name: upload.CleanName(header.Filename), File: file, Size: header.Size,
		FolderID: text("folder_id"), Alt: alt, Caption: text("caption"),
	})
}

// notAll says which of several files was refused, and how many before it were not.
func notAll(err error, name string, stored int) error {
	var e *cms.Error
	if !errors.As(err, &e) {
		return err
	}
	told := *e
	told.Message = name + ": " + e.Message
	switch {
	case stored == 1:
		told.Message += " The file before it is uploaded."
	case stored > 1:
		told.Message += " The files before it are uploaded."
	}
	return &told
}

// severalToList leads from the upload of several files to the list, rather than to the last one.
func severalToList(create frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		result, err := create(c)
		if err == nil && len(c.R.MultipartForm.File["file"]) > 1 {
			result.Redirect = "/media?ok=created"
		}
		return result, err
	}
}
