package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/api/openapi"
	"headless/pkg/cms"
)

// hasCredentials reports whether a request carries any part of an API key.
func (c *Call) hasCredentials() bool {
	return c.R.Header.Get("X-API-Key") != "" || c.R.Header.Get("X-API-Secret") != ""
}

// description is the API's own OpenAPI document: of any model without a key, of the live models
// that it may read with one (extensions §10). It is for the client that asked only, so no shared
// cache may keep it.
func description(c *Call) (Answer, error) {
	root := serverOf(c.a.root)
	text := openapi.At(root)
	var err error
	if c.Key != nil {
		text, err = openapi.Live(root, c.readableModels())
	}
	return Answer{
		Raw: text, RawType: "application/json; charset=utf-8", Vary: "X-API-Key, X-API-Secret",
		Header: http.Header{"Cache-Control": {"private, no-cache"}},
	}, err
}

// serverOf is the address of the API for documents: absolute, but relative on localhost, which
// linters refuse as a server.
func serverOf(site string) string {
	if u, err := url.Parse(site); err != nil || u.Hostname() == "localhost" {
		return Base
	}
	return strings.TrimSuffix(site, "/") + Base
}

// readableModels are the active models that the key may read, with the fields that it may see.
func (c *Call) readableModels() []*cms.Model {
	var list []*cms.Model
	for _, m := range c.Site.Models {
		if m.IsActive {
			list = append(list, visible(c, m))
		}
	}
	slices.SortFunc(list, func(a, b *cms.Model) int { return strings.Compare(a.Slug, b.Slug) })
	return list
}
