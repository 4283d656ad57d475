package api

import (
	"encoding/json"
	"slices"
	"strings"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/editing"
	"headless/pkg/search"
	"headless/pkg/site"
	"headless/pkg/urls"
)

// maxSearchPerPage is the maximum of per_page if no model sets one.
const maxSearchPerPage = 100

// SearchRoutes returns the routes of the search function.
func SearchRoutes(s *editing.Entries) []pipeline.Route {
	return []pipeline.Route{
		{Method: "GET", Pattern: "/search", Handle: func(c *pipeline.Call) (pipeline.Answer,
			error) {
			return searchAll(c, s)
		},
			Params: []string{"q", "models", "locale", "filter", "sort", "fields", "include", "page",
				"per_page", "cursor", "preview", "urls"}},
	}
}

var searchKeys = []string{"id", "model", "slug", "title", "locale", "published_at", "score", "excerpt", "url"}

// searchAll answers GET /search (decisions §4).
func searchAll(c *pipeline.Call, s *editing.Entries) (pipeline.Answer, error) {
	params := c.R.URL.Query()
	q := search.Query{Q: params.Get("q"), Cursor: params.Get("cursor"), Public: !c.IsAdmin()}
	var err error
	if q.Paging, err = parsePaging(params, maxSearchPerPage); err != nil {
		return pipeline.Answer{}, err
	}
	if asksPreview(c) {
		return pipeline.Answer{}, errPreviewSearch
	}
	if names := params.Get("models"); names != "" {
		q.Models = strings.Split(names, ",")
	}
	if q.Sort, err = query.ParseSortBy(params.Get("sort"), "score", "title", "published_at"); err != nil {
		return pipeline.Answer{}, err
	}
	filters, err := parseFilters(params)
	if err != nil {
		return pipeline.Answer{}, err
	}
	status, rest := query.Take(filters, "status")
	locale, rest := query.Take(rest, "locale")
	if len(rest) > 0 {
		return pipeline.Answer{}, cms.UnknownName("filter", rest[0].Path, "locale", "status")
	}
	if locale, err = listLocales(params, locale, c.Site); err != nil {
		return pipeline.Answer{}, err
	}
	q.Statuses, q.Locales = statuses(status, c.IsAdmin()), locales(locale, c)
	if name := params.Get("include"); name != "" {
		return pipeline.Answer{}, cms.UnknownName("include", name, "none")
	}
	keep, err := parseKeys(params.Get("fields"), searchKeys)
	if err != nil {
		return pipeline.Answer{}, err
	}
	page, err := search.Search(c.Context(), s.Store, c.Site, q)
	if err != nil {
		return pipeline.Answer{}, err
	}
	if u := urls.Asked(params, s.Store, c.Tags); keep == nil || slices.Contains(keep, "url") {
		err := u.OfEach(c.Context(), len(page.Items), func(i int) (*site.Model, cms.Place) {
			return c.Site.Models[page.Items[i].Model], page.Items[i].Place()
		}, func(i int, address *cms.EntryURL) { page.Items[i].URL = address })
		if err != nil {
			return pipeline.Answer{}, err
		}
	}
	tagSearch(c, q, page.Items)
	data := any(page.Items)
	if keep != nil {
		if data, err = narrowKeys(page.Items, searchKeys, keep); err != nil {
			return pipeline.Answer{}, err
		}
	}
	return pipeline.Answer{Data: data, Meta: pipeline.MetaOf(page)}, nil
}

// parseKeys reads a fields parameter with known keys; nil means all. id is always included.
func parseKeys(s string, known []string) ([]string, error) {
	if s == "" {
		return nil, nil
	}
	keep := []string{"id"}
	for _, name := range strings.Split(s, ",") {
		if !slices.Contains(known, name) {
			return nil, cms.Errorf(cms.CodeBadRequest, "Unknown field %q in fields. Known: %s.",
				name, strings.Join(known, ", "))
		}
		keep = append(keep, name)
	}
	return keep, nil
}

// narrowKeys limits each item to some of its keys, in the order of the API.
func narrowKeys[T any](items []T, order, keep []string) (json.RawMessage, error) {
	out := []byte("[")
	for i, item := range items {
		raw, err := cms.Marshal(item)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendKeys(out, raw, order, keep); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

// appendKeys copies some keys of a JSON object.
func appendKeys(dst, object []byte, order, keep []string) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(object, &all); err != nil {
		return nil, err
	}
	dst = append(dst, '{')
	first := true
	for _, key := range order {
		if all[key] == nil || !slices.Contains(keep, key) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(append(dst, '"'), key...), `":`...), all[key]...)
	}
	return append(dst, '}'), nil
}
