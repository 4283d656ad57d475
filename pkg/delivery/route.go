package delivery

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/web"
)

// route is a kind of URL with the query parameters that it knows. All others are dropped.
type route struct {
	name    string
	params  []string // known query parameters, without filters
	filters bool     // knows filter[…]
	version bool     // refuses version=draft without a preview token
	cached  bool
	alone   string // known parameter that takes no other beside it, not even an unknown one
	missing bool   // NOT_FOUND is cached, too
	handle  func(a *making) error
}

// The routes. Handlers of the API answer those with the handler askAPI.
var (
	listRoute = &route{
		name: "list", filters: true, version: true, cached: true, handle: (*making).askAPI,
		params: []string{"page", "per_page", "cursor", "sort", "q", "fields", "include", "locale",
			"translations", "fallback", "images", "preview", "refs",
			"richtext", "urls", "source"},
	}
	entryRoute = &route{
		name: "entry", version: true, cached: true, handle: (*making).askAPI,
		params: []string{"fields", "include", "locale", "filter[locale]", "translations", "fallback", "images",
			"preview", "refs", "richtext", "urls", "source"},
	}
	treeRoute = &route{
		name: "tree", version: true, cached: true, handle: (*making).askAPI,
		params: append([]string{"parent", "depth"}, entryRoute.params...),
	}
	searchRoute = &route{
		name: "search", filters: true, cached: true, handle: (*making).askAPI,
		params: []string{"page", "per_page", "cursor", "sort", "q", "models", "fields", "include",
			"locale", "preview", "urls"},
	}
	resolveRoute = &route{
		name: "resolve", cached: true, missing: true, handle: (*making).askAPI,
		params: []string{"path", "fields", "include", "translations", "fallback", "images", "preview", "refs",
			"richtext", "urls", "source"},
	}
	menuRoute = &route{name: "menu", params: []string{"locale", "fallback", "preview"}, cached: true,
		handle: (*making).askAPI}
	settingsRoute = &route{name: "settings", params: []string{"locale"}, cached: true, handle: (*making).askAPI}
	localesRoute  = &route{name: "locales", cached: true, handle: (*making).askAPI}
	formRoute     = &route{name: "form", cached: true, handle: (*making).askAPI}
)

// routeOfXML returns the route of an XML document, nil if there is none.
func routeOfXML(s []string) *route {
	switch {
	case len(s) == 1 && s[0] == "sitemap.xml":
		return sitemapIndex
	case len(s) == 1 && strings.HasPrefix(s[0], "sitemap-") && strings.HasSuffix(s[0], ".xml"):
		return sitemapFile
	case len(s) == 2 && s[1] == "feed.xml":
		return feedRoute
	}
	return nil
}

// reserved lists the first path segments of the API that are not slugs of models.
var reserved = []string{"upload", "search", "i18n", "forms", "settings", "ping", "openapi.json", "types.ts"}

// routeOf returns the route of the path segments after the key, nil if there is none.
func routeOf(s []string) *route {
	switch {
	case len(s) == 1 && s[0] == "search":
		return searchRoute
	case len(s) == 2 && s[0] == "menus":
		return menuRoute
	case len(s) == 1 && s[0] == "resolve":
		return resolveRoute
	case len(s) == 1 && s[0] == "settings":
		return settingsRoute
	case len(s) == 2 && s[0] == "i18n" && s[1] == "locales":
		return localesRoute
	case len(s) == 2 && s[0] == "forms":
		return formRoute
	case slices.Contains(reserved, s[0]):
		return nil
	case len(s) == 1 && s[0] == "sync":
		return syncRoute
	case len(s) == 1 && s[0] == "seen":
		return seenRoute
	case len(s) == 1 && s[0] == "redirects":
		return redirectsRoute
	case strings.HasSuffix(s[len(s)-1], ".xml"):
		return routeOfXML(s)
	case len(s) == 1:
		return listRoute
	case len(s) == 2 && s[1] == "tree":
		return treeRoute
	case len(s) == 2:
		return entryRoute
	}
	return nil
}

// keptParams holds the query parameters that an answer depends on.
type keptParams struct {
	text   string // the known parameters, sorted by name
	values url.Values
}

// parseQuery returns the parameters that the route knows, sorted by name. Several values of a name
// keep their order. Errors: BAD_REQUEST, and FORBIDDEN for version=draft.
func (rt *route) parseQuery(raw string) (keptParams, error) {
	if raw == "" {
		return keptParams{}, nil
	}
	values, err := web.Query(raw)
	if err != nil {
		return keptParams{}, err
	}
	if rt.version && values.Has("version") && !values.Has("preview") {
		switch v := values.Get("version"); v {
		case "published":
		case "draft":
			return keptParams{}, cms.Errorf(cms.CodeForbidden, "A publishable key reads published content only.")
		default:
			return keptParams{}, cms.Errorf(cms.CodeBadRequest, "version must be published, not %s.",
				strconv.Quote(v))
		}
	}
	if rt.alone != "" && values.Has(rt.alone) && (len(values) > 1 || len(values[rt.alone]) > 1) {
		return keptParams{}, cms.Errorf(cms.CodeBadRequest, "Send %s without other parameters: it already holds them.",
			rt.alone)
	}
	if err := web.CheckRepeated(values, rt.params); err != nil {
		return keptParams{}, err
	}
	for name := range values {
		if !slices.Contains(rt.params, name) && !(rt.filters && web.IsFilter(name)) {
			delete(values, name)
		}
	}
	return keptParams{text: values.Encode(), values: values}, nil
}
