package planpages

import (
	"io"
	"mime"
	"net/http"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
)

// CSVRoutes returns the routes that import entries of a model from a CSV file (extensions §16).
func CSVRoutes(entries entrydata.EntryHandlers, jobs *bulk.Jobs, files *assets.Media) []frame.Route {
	h := csvHandlers{entries, jobs, files}
	return []frame.Route{
		{Method: "POST", Pattern: "/models/{slug}/entries.csv", Role: cms.RoleEditor,
			Handle: frame.OfModel(h.create, frame.MayWriteModel)},
		{Method: "GET", Pattern: "/models/{slug}/import", Role: cms.RoleEditor, Handle: frame.OfModel(h.page)},
	}
}

type csvHandlers struct {
	entries entrydata.EntryHandlers
	jobs    *bulk.Jobs
	files   *assets.Media
}

// csvInput is what a request says about its file.
type csvInput struct {
	Upload *string `json:"upload"`
	Mode   *string `json:"mode"`
	DryRun *bool   `json:"dry_run"`
}

// create starts the job of a file, which is a part of the request or a direct upload.
func (h csvHandlers) create(c *frame.Call, m *site.Model) (frame.Result, error) {
	in, problems, err := decodeCSV(c)
	if err != nil {
		return frame.Result{}, err
	}
	var o bulk.CSVOptions
	switch mode := input.Given(in.Mode, "draft"); mode {
	case "draft", "publish":
		o.Publish = mode == "publish"
	default:
		problems.Add("mode", "must be draft or publish")
	}
	o.DryRun = input.Given(in.DryRun, false)
	if err := problems.Err(); err != nil {
		return frame.Result{}, err
	}
	if o.Publish {
		if err := cms.PermissionsOf(c.R.Context()).Check(cms.ActionPublish, m.Slug, "", "model"); err != nil {
			return frame.Result{}, err
		}
	}
	file, finish, err := h.openFile(c, in)
	if err != nil {
		return frame.Result{}, err
	}
	defer file.Close()
	j, err := h.jobs.ImportCSV(c.R.Context(), c.Actor(), m.Slug, file, o, finish)
	return frame.Result{Status: http.StatusAccepted, Data: j, Redirect: "/jobs/" + j.ID}, err
}

// decodeCSV reads the options of a request.
func decodeCSV(c *frame.Call) (in csvInput, problems cms.Problems, err error) {
	if kind, _, _ := mime.ParseMediaType(c.R.Header.Get("Content-Type")); kind != "multipart/form-data" {
		body, err := c.Body()
		if err != nil {
			return in, nil, err
		}
		in, problems = input.Decode[csvInput](body)
		if in.Upload == nil && len(problems["upload"]) == 0 {
			problems.Add("upload", "is required, or send the part file as multipart/form-data")
		}
		return in, problems, nil
	}
	body := map[string]any{}
	for _, key := range []string{"upload", "mode", "dry_run"} {
		if values := input.FormValue(c.Form[key]); values.Last() != "" {
			body[key] = values
		}
	}
	if in, problems = input.Decode[csvInput](body); in.Upload != nil {
		return in, problems, nil
	}
	if form := c.R.MultipartForm; form == nil || len(form.File["file"]) == 0 {
		problems.Add("file", "is required")
	} else if len(form.File["file"]) > 1 {
		problems.Add("file", "is sent twice")
	}
	return in, problems, nil
}

// openFile opens the file. finish ends a direct upload; it is nil for a part of the request.
func (h csvHandlers) openFile(c *frame.Call, in csvInput) (file io.ReadCloser, finish func(*db.Tx), err error) {
	if in.Upload != nil {
		taken, err := h.files.Take(c.R.Context(), *in.Upload)
		return taken, taken.End, err
	}
	file, err = c.R.MultipartForm.File["file"][0].Open()
	return file, nil, err
}

// page is the form for a file.
func (h csvHandlers) page(c *frame.Call, m *site.Model) (frame.Result, error) {
	direct, err := c.DirectUpload(h.files)
	if err != nil {
		return frame.Result{}, err
	}
	direct.One = true
	list := ui.Base + ui.EntriesPath(m.Slug)
	form := &ui.Form{Action: list + ".csv", Method: http.MethodPost, Multipart: true, Submit: "Import",
		Cancel: list, Fields: []ui.Field{
			{Name: "file", Label: "CSV file", Kind: "file", Required: true, Upload: direct,
				Help: "The first row names the columns, as in a downloaded file. Rows with an id, or with the slug of an entry, " +
					"change it; others are new. Empty cells change nothing, and \\N clears a value."},
			{Name: "mode", Label: "Save as", Kind: "select", Value: "draft", Options: []ui.Option{
				{Value: "draft", Label: "Drafts"}, {Value: "publish", Label: "Published"}}},
			{Name: "dry_run", Label: "Only try: save nothing", Kind: "checkbox"},
		}}
	return frame.Result{Page: &ui.Page{Title: say.F("Import CSV: {1}", strings.TrimSpace(m.Name)),
		Crumbs: []ui.Link{entrydata.ListLink(m)}, Form: form}}, nil
}
