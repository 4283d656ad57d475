package sitepages

import (
	"cmp"
	"io"
	"net/http"
	"strconv"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing/takeback"
	"headless/pkg/planning/bulk"
	"headless/pkg/redirects"
	"headless/pkg/web"
)

// RedirectRoutes returns the routes of redirects (extensions §8).
func RedirectRoutes(s *redirects.Redirects, jobs *bulk.Jobs) []frame.Route {
	h := redirectHandlers{s, jobs}
	routes := resource.Kind[redirects.Redirect]{
		Path: "/redirects", Title: "Redirects", One: "redirect",
		Event: "redirect.updated", Write: cms.RoleEditor, Public: true,
		New: func(*frame.Call) (redirects.Redirect, error) {
			return redirects.Redirect{Status: http.StatusMovedPermanently}, nil
		},
		ID:      func(r redirects.Redirect) string { return r.ID },
		Name:    func(r redirects.Redirect) say.Text { return say.Data(r.From) },
		Columns: []say.Text{"From", "To", "Status", "Changed"},
		Row: func(r redirects.Redirect) []ui.Cell {
			return []ui.Cell{ui.Code(r.From), ui.Code(r.Target()), ui.Badge(say.Number(r.Status)),
				ui.When(r.UpdatedAt)}
		},
		Fields: redirectFields, Complete: completeRedirects,
	}.On(s).Routes()
	return append(routes,
		frame.Route{Method: "GET", Pattern: "/redirects/former", Role: cms.RoleViewer, Handle: h.listFormer},
		frame.Route{Method: "GET", Pattern: "/redirects.csv", Role: cms.RoleViewer, Handle: h.export},
		frame.Route{Method: "POST", Pattern: "/redirects.csv", Role: cms.RoleEditor, Handle: h.load,
			Form: h.loadPage, Public: true},
		frame.Route{Method: "GET", Pattern: "/redirects.csv/upload", Role: cms.RoleEditor, For: "POST", Public: true,
			Handle: func(c *frame.Call) (frame.Result, error) {
				page, err := h.loadPage(c)
				return frame.Result{Data: map[string]any{}, Page: page}, err
			}},
	)
}

type redirectHandlers struct {
	redirects *redirects.Redirects
	jobs      *bulk.Jobs
}

func redirectFields(c *frame.Call, r *redirects.Redirect) ([]ui.Field, error) {
	v := redirects.Redirect{From: c.R.URL.Query().Get("from"), Status: http.StatusMovedPermanently}
	if r != nil {
		v = *r
	}
	return []ui.Field{
		{Name: "from", Label: "From", Kind: "text", Value: v.From, Required: true,
			Help: "A path of the site, such as /old-page."},
		{Name: "to", Label: "To", Kind: "text", Value: v.Target(),
			Help: "A path or an http(s) address. Empty where the page is gone."},
		{Name: "status", Label: "Status", Kind: "select", Value: strconv.Itoa(v.Status), Options: []ui.Option{
			{Value: "301", Label: "301: moved for good"}, {Value: "302", Label: "302: elsewhere for now"},
			{Value: "307", Label: "307: elsewhere for now, same method"},
			{Value: "308", Label: "308: moved for good, same method"}, {Value: "410", Label: "410: gone"},
		}},
	}, nil
}

// redirectTabs are the tabs of the two lists: redirects that people made, and former addresses.
func redirectTabs(c *frame.Call) []ui.Tab {
	tabs := []ui.Tab{{Text: "Redirects", Href: ui.Base + "/redirects"},
		{Text: "Former addresses", Href: ui.Base + "/redirects/former"}}
	for i := range tabs {
		tabs[i].Here = tabs[i].Href == c.R.URL.Path
	}
	return tabs
}

// listFormer lists the former addresses of entries, which lead to the present ones.
func (h redirectHandlers) listFormer(c *frame.Call) (frame.Result, error) {
	page := &ui.Page{Title: "Redirects", List: &ui.List{Columns: []say.Text{"From", "To"}, Tabs: redirectTabs(c),
		Empty: "No former addresses. Those of published entries are kept when their slugs change."}}
	read := func(p db.Paging) (db.Page[redirects.Listed], error) { return h.redirects.Former(c.R.Context(), p) }
	return frame.Table(c, page, read, func(r redirects.Listed) ui.Row {
		return ui.Row{Cells: []ui.Cell{ui.Code(r.From), ui.Code(*r.To)}}
	})
}

// completeRedirects adds the tabs and the links to the CSV form to the list.
func completeRedirects(c *frame.Call, page *ui.Page, _ []redirects.Redirect) error {
	list := page.List
	list.Tabs = redirectTabs(c)
	list.Empty = "No redirects yet. Former addresses of entries lead on without one."
	list.Links = append(list.Links, ui.Link{Text: "Download CSV", Href: ui.Base + "/redirects.csv"})
	if c.MayUse(http.MethodPost, "/redirects.csv") {
		list.Links = append(list.Links, ui.Link{Text: "Upload CSV", Href: ui.Base + "/redirects.csv/upload"})
	}
	return nil
}

func (h redirectHandlers) export(c *frame.Call) (frame.Result, error) {
	body, err := h.redirects.Export(c.R.Context(), c.Actor())
	return c.CSVFile("redirects.csv", body, ""), err
}

// loadPage returns the form that uploads a CSV file.
func (h redirectHandlers) loadPage(*frame.Call) (*ui.Page, error) {
	at := ui.Base + "/redirects"
	return &ui.Page{Title: "Upload redirects", Crumbs: []ui.Link{{Text: "Redirects", Href: at}}, Form: &ui.Form{
		Action: at + ".csv", Method: http.MethodPost, Submit: "Upload", Cancel: at, Multipart: true,
		Fields: []ui.Field{{Name: "file", Label: "CSV file", Kind: "file", Required: true,
			Help: "The columns from, to and status. A line replaces the redirect that has the same from."}},
	}}, nil
}

// load imports a CSV file, sent as the body or as the file of a form.
func (h redirectHandlers) load(c *frame.Call) (frame.Result, error) {
	body, err := csvBody(c)
	if err != nil {
		return frame.Result{}, err
	}
	done, err := h.redirects.Import(c.R.Context(), c.Actor(), body)
	var ids []string
	saved := map[string]takeback.Saved{}
	for _, change := range done.Changes {
		id := takeback.Item(cms.AreaRedirects, change.ID)
		ids, saved[id] = append(ids, id), takeback.Saved{Text: &takeback.Text{Was: change.Was, Now: change.Now}}
	}
	page, job := loadedPage(done), bulk.Job{}
	if len(ids) > 0 {
		var failed error
		job, failed = h.jobs.Record(c.R.Context(), c.Actor(), bulk.ActionImport, cms.AreaRedirects, ids, saved)
		if err = cmp.Or(err, failed); err == nil && h.jobs.MayTakeBack(c.R.Context(), c.Actor(), job.ID) == nil {
			page.Detail.Actions = []ui.Action{entrydata.UndoJob(job),
				{Label: "Jobs", Href: ui.Base + "/jobs/" + job.ID}}
		}
	}
	return frame.Result{Data: done, Meta: map[string]any{"job": job.ID}, Page: page}, err
}

func csvBody(c *frame.Call) ([]byte, error) {
	if c.R.MultipartForm == nil {
		return web.ReadBody(c.R, redirects.MaxImport)
	}
	files := c.R.MultipartForm.File["file"]
	if len(files) != 1 {
		return nil, cms.Problems{"file": {"is required"}}.Err()
	}
	if files[0].Size > redirects.MaxImport {
		return nil, frame.FileTooLarge(redirects.MaxImport)
	}
	file, err := files[0].Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	body := make([]byte, files[0].Size)
	_, err = io.ReadFull(file, body)
	return body, err
}

// loadedPage shows the result of an import.
func loadedPage(done redirects.Imported) *ui.Page {
	failed := &ui.List{Columns: []say.Text{"Line", "Problem"}, Empty: "Every line was taken.",
		Total: len(done.Failed)}
	columns := map[string]say.Text{"from": "From", "to": "To", "status": "Status"}
	for _, f := range done.Failed {
		why := []say.Text{say.Known(f.Message)}
		if len(f.Details) > 0 {
			why = ui.ProblemLines(f.Details, ui.MaxInCell, func(column string) say.Text {
				return cmp.Or(columns[column], say.Data(column))
			})
		}
		failed.Rows = append(failed.Rows,
			ui.Row{Cells: []ui.Cell{ui.Word(say.Number(f.Line)), ui.Word(say.Join(why, "; "))}})
	}
	return &ui.Page{Title: "Uploaded redirects", Crumbs: []ui.Link{{Text: "Redirects", Href: ui.Base + "/redirects"}},
		Detail: &ui.Detail{
			Facts: []ui.Fact{
				ui.NewFact("Created", ui.Word(say.Number(done.Created))),
				ui.NewFact("Updated", ui.Word(say.Number(done.Updated))),
			},
			Sections: []ui.Section{{Title: "Lines that were not taken", List: failed}},
		}}
}
