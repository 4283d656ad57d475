package admin

import (
	"strings"

	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/search"
)

// searchRoutes are the route of the search over the entries of all models.
func searchRoutes(entries *editing.Entries) []Route {
	return []Route{{Method: "GET", Pattern: "/search", Role: cms.RoleViewer,
		Handle: func(c *Call) (Result, error) { return searchAll(c, entries) }}}
}

// searchAll finds entries of every status and locale that the user may read. A page without q has
// only the form.
func searchAll(c *Call, entries *editing.Entries) (Result, error) {
	p, err := c.plainPaging()
	if err != nil {
		return Result{}, err
	}
	q := strings.TrimSpace(c.R.URL.Query().Get("q"))
	list := &List{
		Columns: []string{"Title", "Model", "Locale", "Found"}, Empty: "Nothing found.",
		Filters: []Field{{Name: "q", Label: "Search all entries", Kind: "search", Value: q}},
	}
	result := Result{Page: &Page{Title: "Search", List: list}}
	if q == "" && !c.JSON {
		list.Empty = "Write what you look for."
		return result, nil
	}
	site, err := entries.Store.Site(c.R.Context())
	if err != nil {
		return Result{}, err
	}
	page, err := search.Search(c.R.Context(), entries.Store,
		site.Visible(cms.PermissionsOf(c.R.Context())), search.Query{
			Paging: p, Cursor: c.R.URL.Query().Get("cursor"), Q: q, Locales: site.Codes(),
			Statuses: cms.Statuses,
		})
	if err != nil {
		return Result{}, err
	}
	for _, hit := range page.Items {
		list.Rows = append(list.Rows, Row{Href: entryAddress(hit.Model, hit.ID), Cells: []Cell{
			Text(hit.Title), Text(site.Models[hit.Model].Name), Badge(hit.Locale), Text(hit.Excerpt),
		}})
	}
	result.Data, result.Meta, result.Page.List = page.Items, meta(page), Paged(c, list, page)
	return result, nil
}
