package admin

import (
	"net/http"
	"strings"

	"headless/pkg/assets"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
)

// mediaPage is the pattern of all routes below one file: beside /media/folders/{id}, net/http takes
// no /media/{id}/edit. Each handler answers one value of {page}.
const mediaPage = "/media/{id}/{page}"

// mediaPages makes a handler of several, by the value of {page}.
func mediaPages(pages map[string]handler) handler {
	return func(c *Call) (Result, error) {
		if h := pages[c.R.PathValue("page")]; h != nil {
			return h(c)
		}
		return Result{}, nothingHere()
	}
}

// contentRoutes replace the bytes of a file (extensions §9).
func contentRoutes(files *assets.Media) []Route {
	return []Route{{Method: "PUT", Pattern: mediaPage, Role: cms.RoleEditor,
		Handle: mediaPages(map[string]handler{
			"content": func(c *Call) (Result, error) {
				u, err := replacement(c, files.MaxBytes)
				if err != nil {
					return Result{}, err
				}
				defer u.Close()
				file, err := files.ReplaceContent(c.R.Context(), c.Actor(), c.R.PathValue("id"), u)
				return Result{Data: file, Redirect: "/media/" + file.ID + "?ok=saved"}, err
			},
		})}}
}

// replacement reads the part "file" of a form that a browser posted, or of a multipart body.
func replacement(c *Call, maxBytes int64) (*upload.Upload, error) {
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
		return nil, fileTooLarge(maxBytes)
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

// contentForm is the page with the form that replaces the bytes of a file.
func contentForm(files *assets.Media) handler {
	return func(c *Call) (Result, error) {
		m, err := files.Get(c.R.Context(), c.R.PathValue("id"))
		if err != nil || c.JSON {
			return Result{Data: m}, err
		}
		at := Base + "/media/" + m.ID
		return Result{Page: &Page{
			Title: "Replace content", Crumbs: []Link{{"Media", Base + "/media"}, {m.Name, at}},
			Form: &Form{Action: at + "/content", Method: http.MethodPut, Multipart: true,
				Submit: "Replace", Fields: []Field{{
					Name: "file", Label: "File", Kind: "file", Required: true,
					Help: "Of the same type, " + m.Mime + ", and at most " + sizeText(files.MaxBytes) +
						". Id, address and texts stay.",
				}}},
		}}, nil
	}
}

// thumbnail is the address of a small variant of a picture, for screens of double density.
func thumbnail(address string) string { return address + "?w=128&h=96&fit=cover&fm=auto" }

// focalField sets the focal point of a picture by a click on it, or as JSON.
func focalField(m cms.Media) []Field {
	if !strings.HasPrefix(m.Mime, "image/") || m.Width == nil {
		return nil
	}
	value := ""
	if m.Focal != nil {
		raw, _ := cms.Marshal(m.Focal) // of two numbers
		value = string(raw)
	}
	return []Field{{
		Name: "focal", Label: "Focal point", Kind: "text", Value: value, Picture: m.URL + "?w=640&fm=auto",
		Help: `Click what must stay in sight when the picture is cropped, move the mark with Alt and the arrow keys, or write {"x": 0.5, "y": 0.3}. Empty: the middle.`,
	}}
}

// forEditors refuses those who have not the role editor.
func forEditors(h handler) handler {
	return func(c *Call) (Result, error) {
		if !c.May(cms.RoleEditor) {
			return Result{}, cms.Errorf(cms.CodeForbidden, "Requires the role %s.", cms.RoleEditor)
		}
		return h(c)
	}
}
