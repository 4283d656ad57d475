package api

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// Limits of list parameters (decisions §3).
const (
	defaultPerPage = 25
	maxFilterText  = 3500 // characters of all filters together
	maxPage        = 1_000_000_000
)

// ListParams are the query parameters of list endpoints (specification §4.3, decisions §3).
type ListParams struct {
	store.Paging                 // page, per_page: positive integers; per_page is capped
	Cursor       string          // cursor: meta.next_cursor of the page before
	Sort         []cms.SortField // sort
	Filters      []cms.Filter    // filter[name] and filter[name][op]
	Q            string          // q: full-text search
}

// parsePaging reads page and per_page.
func parsePaging(q url.Values, maxPerPage int) (store.Paging, error) {
	p := store.Paging{Page: 1, PerPage: min(defaultPerPage, maxPerPage)}
	for name, target := range map[string]*int{"page": &p.Page, "per_page": &p.PerPage} {
		if !q.Has(name) {
			continue
		}
		n, err := strconv.Atoi(q.Get(name)) // the largest int when there are too many digits
		if n < 1 || err != nil && !errors.Is(err, strconv.ErrRange) {
			return p, cms.Errorf(cms.CodeBadRequest, "%s must be a positive integer.", name)
		}
		*target = min(n, maxPage)
	}
	p.PerPage = min(p.PerPage, maxPerPage)
	return p, nil
}

// parseList reads the parameters of a list of a model's entries.
func parseList(q url.Values, m *cms.Model) (ListParams, error) {
	p := ListParams{Cursor: q.Get("cursor"), Q: q.Get("q")}
	var err error
	if p.Paging, err = parsePaging(q, m.MaxPerPage); err != nil {
		return p, err
	}
	if p.Sort, err = cms.ParseSort(m, q.Get("sort")); err != nil {
		return p, err
	}
	p.Filters, err = parseFilters(q)
	if err != nil {
		return p, err
	}
	for _, f := range p.Filters {
		if err := cms.ValidateFilter(m, f); err != nil {
			return p, err
		}
	}
	return p, nil
}

// parseFilters reads every filter parameter, in the order of their names.
func parseFilters(q url.Values) ([]cms.Filter, error) {
	var names []string
	size := 0
	for name, values := range q {
		if name == "filter" || strings.HasPrefix(name, "filter[") {
			names = append(names, name)
			for _, v := range values {
				size += len(name) + len(v)
			}
		}
	}
	if size > maxFilterText {
		return nil, cms.Errorf(cms.CodeBadRequest, "The filters are over %d characters.", maxFilterText)
	}
	slices.Sort(names)
	var filters []cms.Filter
	for _, name := range names {
		for _, v := range q[name] {
			f, err := cms.ParseFilter(name, v)
			if err != nil {
				return nil, err
			}
			filters = append(filters, f)
		}
	}
	return filters, nil
}

// take removes the filters on a path and gives them apart.
func take(filters []cms.Filter, path string) (taken, rest []cms.Filter) {
	for _, f := range filters {
		if f.Path == path {
			taken = append(taken, f)
		} else {
			rest = append(rest, f)
		}
	}
	return taken, rest
}

// selected gives those of the values that all filters accept.
func selected[T ~string](values []T, filters []cms.Filter) []T {
	return slices.DeleteFunc(slices.Clone(values), func(v T) bool {
		for _, f := range filters {
			if !f.MatchValues(cms.ValueText, []cms.Value{{Kind: cms.ValueText, Text: string(v)}}, nil) {
				return true
			}
		}
		return false
	})
}

// any tells whether a filter is name=any.
func wantsAny(filters []cms.Filter) bool {
	return len(filters) == 1 && filters[0].Op == cms.OpEq && filters[0].Values[0] == "any"
}

// statuses chooses the statuses that a list shows: published by default; others only for a key with an admin role (decisions §2).
func statuses(filters []cms.Filter, admin bool) []cms.Status {
	visible := []cms.Status{cms.StatusPublished}
	if len(filters) == 0 {
		return visible
	}
	if admin {
		visible = cms.Statuses
	}
	if wantsAny(filters) {
		return visible
	}
	return selected(visible, filters)
}

// locales chooses the locales that a list shows.
func locales(filters []cms.Filter, site *store.Site) []string {
	if len(filters) == 0 {
		return []string{site.Default}
	}
	if wantsAny(filters) {
		return site.Codes()
	}
	return selected(site.Codes(), filters)
}

// ListMeta is the meta of lists.
type ListMeta struct {
	Page          int     `json:"page"`
	PerPage       int     `json:"per_page"`
	Total         int     `json:"total"`
	TotalRelation string  `json:"total_relation,omitempty"` // "estimate" where total is not exact
	NextCursor    *string `json:"next_cursor"`
}

func listMeta[T any](p store.Page[T]) ListMeta {
	m := ListMeta{Page: p.Page, PerPage: p.PerPage, Total: p.Total}
	if p.Estimate {
		m.TotalRelation = "estimate"
	}
	if p.Next != "" {
		m.NextCursor = &p.Next
	}
	return m
}
