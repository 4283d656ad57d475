package admin

import (
	"errors"
	"mime/multipart"
	"net/http"

	"headless/pkg/assets"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/httpjson"
)

// directRoutes are the direct uploads of the API, for those who are signed in here.
func directRoutes(files *assets.Media) []Route {
	return []Route{
		{Method: "POST", Pattern: "/media/direct", Role: cms.RoleEditor,
			Handle: func(c *Call) (Result, error) {
				body, err := httpjson.DecodeBody(c.R)
				if err != nil {
					return Result{}, err
				}
				target, err := files.Direct(c.R.Context(), body)
				return Result{Status: http.StatusCreated, Data: target}, err
			}},
		{Method: "POST", Pattern: "/media/direct/{id}/complete", Role: cms.RoleEditor,
			Handle: func(c *Call) (Result, error) {
				file, err := files.Complete(c.R.Context(), c.Actor(), c.R.PathValue("id"))
				return Result{Status: http.StatusCreated, Data: file, Redirect: "/media/" + file.ID +
					"?ok=created"}, err
			}},
	}
}

// fileField takes files. The page's script sends them one by one, and what is too large for the
// form straight to the store of files.
func (h mediaHandlers) fileField(c *Call) (Field, error) {
	f := Field{Name: "file", Label: "Files", Kind: "file", Required: true, Help: "At most " +
		sizeText(h.files.MaxBytes) + " together."}
	if c.JSON {
		return f, nil
	}
	address, err := h.files.DirectAddress(c.R.Context())
	if err != nil {
		return f, err
	}
	f.Upload = &Upload{Direct: Base + "/media/direct", Max: h.files.MaxBytes, Address: address}
	if h.files.DirectMaxBytes > h.files.MaxBytes {
		f.Help = "At most " + sizeText(h.files.DirectMaxBytes) + " each; without JavaScript, " +
			sizeText(h.files.MaxBytes) + " together."
	}
	return f, nil
}

// create makes files of those in the form and gives the last. One alternative text cannot describe
// several: they get none. A form that is refused in between has made those before.
func (h mediaHandlers) create(c *Call) (cms.Media, error) {
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

func (h mediaHandlers) createOne(c *Call, header *multipart.FileHeader, alone bool) (cms.Media, error) {
	if header.Size > h.files.MaxBytes {
		return cms.Media{}, fileTooLarge(h.files.MaxBytes)
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
	return h.files.Upload(c.R.Context(), c.Actor(), &upload.Upload{
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
func severalToList(create handler) handler {
	return func(c *Call) (Result, error) {
		result, err := create(c)
		if err == nil && len(c.R.MultipartForm.File["file"]) > 1 {
			result.Redirect = "/media?ok=created"
		}
		return result, err
	}
}
