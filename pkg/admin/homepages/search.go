package homepages

import (
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/search"
)

// SearchRoutes returns the route of the search over the entries of all models.
func SearchRoutes(entries *editing.Entries) []frame.Route {
	return []frame.Route{{Method: "GET", Pattern: "/search", Role: cms.RoleViewer,
		Handle: func(c *frame.Call) (frame.Result, error) { return searchAll(c, entries) }}}
}

// searchAll finds entries of every status and locale that the user may read. A page without q has
// only the form.
func searchAll(c *frame.Call, entries *editing.Entries) (frame.Result, error) {
	p, err := c.PlainPaging()
	if err != nil {
		return frame.Result{}, err
	}
	q := strings.TrimSpace(c.R.URL.Query().Get("q"))
	list := &ui.List{
		Columns: []say.Text{"Title", "Model", "Language", "Found"}, Empty: "Nothing found.",
		Filters: []ui.Field{{Name: "q", Label: "Search all entries", Kind: "search", Value: q}},
	}
	result := frame.Result{Page: &ui.Page{Title: "Search", List: list}}
	if q == "" && !c.JSON {
		list.Empty = "Write what you look for."
		return result, nil
	}
	page, err := search.Search(c.R.Context(), entries.Store, c.Site, search.Query{
		Paging: p, Cursor: c.R.URL.Query().Get("cursor"), Q: q, Locales: c.Site.Codes(), Statuses: cms.Statuses,
	})
	if err != nil {
		return frame.Result{}, err
	}
	for _, hit := range page.Items {
		list.Rows = append(list.Rows, ui.Row{Href: entrydata.EntryAddress(hit.Model, hit.ID),
			Cells: []ui.Cell{
				ui.Text(hit.Title), ui.Text(c.Site.Models[hit.Model].Name), ui.Badge(ui.LocaleName(c.Site, hit.Locale)),
				ui.Text(hit.Excerpt),
			}})
	}
	result.Data, result.Meta, result.Page.List = page.Items, frame.Meta(page), frame.Paged(c, list, page)
	return result, nil
}
