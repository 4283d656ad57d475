package api

import (
	"net/url"
	"slices"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/web"
)

// ListParams are the query parameters of list endpoints (specification §4.3, decisions §3).
type ListParams struct {
	db.Paging                   // page, per_page: positive integers; per_page is capped
	Cursor    string            // cursor: meta.next_cursor of the previous page
	Sort      []query.SortField // sort
	Filters   []query.Filter    // filter[name] and filter[name][op]
	Q         string            // q: full-text search
}

// parsePaging reads page and per_page.
func parsePaging(q url.Values, maxPerPage int) (db.Paging, error) {
	page, perPage, err := web.Page(q, maxPerPage)
	return db.Paging{Page: page, PerPage: perPage}, err
}

// parseList reads the parameters of a list of a model's entries.
func parseList(q url.Values, m *cms.Model) (ListParams, error) {
	p := ListParams{Cursor: q.Get("cursor"), Q: q.Get("q")}
	var err error
	if p.Paging, err = parsePaging(q, m.MaxPerPage); err != nil {
		return p, err
	}
	if p.Sort, err = query.ParseSort(m, q.Get("sort")); err != nil {
		return p, err
	}
	p.Filters, err = parseFilters(q)
	if err != nil {
		return p, err
	}
	for _, f := range p.Filters {
		if err := query.ValidateFilter(m, f); err != nil {
			return p, err
		}
	}
	return p, nil
}

// parseFilters reads every filter parameter, in the order of their names.
func parseFilters(q url.Values) (filters []query.Filter, err error) {
	if err := query.CheckLength(q); err != nil {
		return nil, err
	}
	for name, value := range web.Filters(q) {
		f, err := query.ParseFilter(name, value)
		if err != nil {
			return nil, err
		}
		filters = append(filters, f)
	}
	return filters, nil
}

// withoutAny returns the filters without name=any, which every value satisfies.
func withoutAny(filters []query.Filter) []query.Filter {
	return slices.DeleteFunc(slices.Clone(filters), func(f query.Filter) bool {
		return f.Op == query.OpEq && f.Values[0] == "any"
	})
}

// statuses returns the statuses that a list shows: published by default; others only for a key with
// an admin role (decisions §2).
func statuses(filters []query.Filter, admin bool) []cms.Status {
	visible := []cms.Status{cms.StatusPublished}
	if admin && len(filters) > 0 {
		visible = cms.Statuses
	}
	return query.Accepted(visible, withoutAny(filters)...)
}

// locales returns the locales that a list shows.
func locales(filters []query.Filter, c *pipeline.Call) []string {
	if len(filters) == 0 {
		return []string{c.Site.Default}
	}
	return query.Accepted(c.Locales(), withoutAny(filters)...)
}

// listLocales limits a list to locales. The parameter locale wins over filters on locale
// (extensions §1). BAD_REQUEST if the value of locale is neither an active locale nor any.
func listLocales(q url.Values, filters []query.Filter, site *site.Site) ([]query.Filter, error) {
	if !q.Has("locale") {
		return filters, nil
	}
	asked := q.Get("locale")
	err := site.RequireLocale(asked, "any")
	return []query.Filter{{Path: "locale", Op: query.OpEq, Values: []string{asked}}}, err
}
