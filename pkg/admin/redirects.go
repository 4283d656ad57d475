package admin

import (
	"io"
	"net/http"
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/httpjson"
	"headless/pkg/input"
	"headless/pkg/redirects"
)

// redirectRoutes are the routes of redirects (extensions §8).
func redirectRoutes(s *redirects.Redirects) []Route {
	h := redirectHandlers{s}
	routes := Resource[redirects.Redirect]{
		Path: "/redirects", Title: "Redirects", One: "redirect", Write: cms.RoleEditor,
		List: func(c *Call, p db.Paging) (db.Page[redirects.Redirect],
			error) {
			return s.List(c.R.Context(), p)
		},
		Get: func(c *Call, id string) (redirects.Redirect, error) { return s.Get(c.R.Context(), id) },
		Create: func(c *Call, body map[string]any) (redirects.Redirect, error) {
			return s.Create(c.R.Context(), c.Actor(), body)
		},
		Update: func(c *Call, id string, body map[string]any,
			ok input.Precondition[redirects.Redirect]) (redirects.Redirect, error) {
			return s.Update(c.R.Context(), c.Actor(), id, body, ok)
		},
		Delete: func(c *Call, id string) error { return s.Delete(c.R.Context(), c.Actor(), id) },
		New: func(*Call) (redirects.Redirect, error) {
			return redirects.Redirect{Status: http.StatusMovedPermanently}, nil
		},
		ID:      func(r redirects.Redirect) string { return r.ID },
		Name:    func(r redirects.Redirect) string { return r.From },
		Columns: []string{"From", "To", "Status", "Changed"},
		Row: func(r redirects.Redirect) []Cell {
			return []Cell{Code(r.From), Code(r.Target()), Badge(strconv.Itoa(r.Status)), When(r.UpdatedAt)}
		},
		Detail: func(_ *Call, r redirects.Redirect) (*Detail, error) {
			return &Detail{Facts: []Fact{
				{Label: "From", Cells: []Cell{Code(r.From)}}, {Label: "To", Cells: []Cell{Code(r.Target())}},
				{Label: "Status", Cells: []Cell{Badge(strconv.Itoa(r.Status))}},
				{Label: "Changed", Cells: []Cell{When(r.UpdatedAt)}},
			}}, nil
		},
		Fields: redirectFields,
	}.Routes()
	wrap(routes, "GET", "/redirects", h.withCSV)
	return append(routes,
		Route{Method: "GET", Pattern: "/redirects.csv", Role: cms.RoleViewer, Handle: h.export},
		Route{Method: "POST", Pattern: "/redirects.csv", Role: cms.RoleEditor, Handle: h.load,
			Form: h.loadPage},
		Route{Method: "GET", Pattern: "/redirects.csv/upload", Role: cms.RoleEditor,
			Handle: func(c *Call) (Result, error) {
				page, err := h.loadPage(c)
				return Result{Data: map[string]any{}, Page: page}, err
			}},
	)
}

type redirectHandlers struct{ redirects *redirects.Redirects }

func redirectFields(_ *Call, r *redirects.Redirect) ([]Field, error) {
	v := redirects.Redirect{Status: http.StatusMovedPermanently}
	if r != nil {
		v = *r
	}
	return []Field{
		{Name: "from", Label: "From", Kind: "text", Value: v.From, Required: true,
			Help: "A path of the site, such as /old-page."},
		{Name: "to", Label: "To", Kind: "text", Value: v.Target(),
			Help: "A path or an http(s) address. Empty where the page is gone."},
		{Name: "status", Label: "Status", Kind: "select", Value: strconv.Itoa(v.Status), Options: []Option{
			{"301", "301: moved for good"}, {"302", "302: elsewhere for now"},
			{"307", "307: elsewhere for now, same method"},
			{"308", "308: moved for good, same method"}, {"410", "410: gone"},
		}},
	}, nil
}

// withCSV adds the links to the CSV form to the page of the list.
func (h redirectHandlers) withCSV(list handler) handler {
	return func(c *Call) (Result, error) {
		result, err := list(c)
		if err == nil && result.Page != nil {
			result.Page.List.Links = append(result.Page.List.Links,
				Link{"Download CSV", Base + "/redirects.csv"})
			if c.May(cms.RoleEditor) {
				result.Page.List.Links = append(result.Page.List.Links,
					Link{"Upload CSV", Base + "/redirects.csv/upload"})
			}
		}
		return result, err
	}
}

func (h redirectHandlers) export(c *Call) (Result, error) {
	body, err := h.redirects.Export(c.R.Context(), c.Actor())
	header := http.Header{"Content-Disposition": {`attachment; filename="redirects.csv"`}}
	return Result{Raw: body, RawType: "text/csv; charset=utf-8", Header: header}, err
}

// loadPage is the form that takes a CSV file.
func (h redirectHandlers) loadPage(*Call) (*Page, error) {
	at := Base + "/redirects"
	return &Page{Title: "Upload redirects", Crumbs: []Link{{"Redirects", at}}, Form: &Form{
		Action: at + ".csv", Method: http.MethodPost, Submit: "Upload", Cancel: at, Multipart: true,
		Fields: []Field{{Name: "file", Label: "CSV file", Kind: "file", Required: true,
			Help: "The columns from, to and status. A line replaces the redirect that has the same from."}},
	}}, nil
}

// load takes a CSV file: as the body, or as the file of a form.
func (h redirectHandlers) load(c *Call) (Result, error) {
	body, err := csvBody(c)
	if err != nil {
		return Result{}, err
	}
	done, err := h.redirects.Import(c.R.Context(), c.Actor(), body)
	return Result{Data: done, Page: loadedPage(done)}, err
}

func csvBody(c *Call) ([]byte, error) {
	if c.R.MultipartForm == nil {
		return httpjson.ReadBody(c.R, redirects.MaxImport)
	}
	files := c.R.MultipartForm.File["file"]
	if len(files) != 1 {
		return nil, cms.Problems{"file": {"is required"}}.Err()
	}
	if files[0].Size > redirects.MaxImport {
		return nil, fileTooLarge(redirects.MaxImport)
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

// loadedPage says what became of the lines.
func loadedPage(done redirects.Imported) *Page {
	failed := &List{Columns: []string{"Line", "Problem"}, Empty: "Every line was taken.",
		Total: len(done.Failed)}
	for _, f := range done.Failed {
		failed.Rows = append(failed.Rows, Row{Cells: []Cell{Text(strconv.Itoa(f.Line)), Text(f.Message)}})
	}
	return &Page{Title: "Uploaded redirects", Crumbs: []Link{{"Redirects", Base + "/redirects"}},
		Detail: &Detail{
			Facts: []Fact{
				{Label: "Created", Cells: []Cell{Text(strconv.Itoa(done.Created))}},
				{Label: "Updated", Cells: []Cell{Text(strconv.Itoa(done.Updated))}},
			},
			Sections: []Section{{Title: "Lines that were not taken", List: failed}},
		}}
}
