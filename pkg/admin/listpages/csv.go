package listpages

import (
	"net/url"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/transfer"
	"headless/pkg/web"
)

// Limits of one CSV answer. A Lambda response holds at most 6 MB.
const (
	csvRows = 10_000
	csvSize = 4 << 20 // bytes after which an answer ends
)

// csvAddress returns the address of the CSV file of a list with some parameters.
func csvAddress(m *site.Model, params url.Values) string {
	kept := url.Values{}
	for name, values := range params {
		if name == "q" || name == "sort" || web.IsFilter(name) {
			kept[name] = values
		}
	}
	address := ui.Base + ui.EntriesPath(m.Slug) + ".csv"
	if len(kept) > 0 {
		address += "?" + kept.Encode()
	}
	return address
}

// CSV sends the entries of a list as a CSV file (extensions §16). If they do not fit in one answer, the
// Link header has the URL of the next part.
func (h ListPages) CSV(c *frame.Call, m *site.Model) (frame.Result, error) {
	params := c.R.URL.Query()
	file, err := transfer.NewCSVTable(&m.Model, params.Get("columns"))
	if err != nil {
		return frame.Result{}, err
	}
	cursor := params.Get("cursor")
	var body []byte
	for file.Rows < csvRows && len(body) < csvSize {
		perPage := min(transfer.NextPage(file.Rows, len(body), csvSize-len(body)), csvRows-file.Rows)
		page, err := h.ListFrom(c, db.Paging{Page: 1, PerPage: perPage}, cursor)
		if err != nil {
			return frame.Result{}, err
		}
		for _, e := range page.Items {
			if err := file.Add(e); err != nil {
				return frame.Result{}, err
			}
		}
		body = file.Bytes()
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	return c.CSVFile(m.Slug+".csv", body, cursor), h.RecordExport(c, m)
}
