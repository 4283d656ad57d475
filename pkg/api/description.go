package api

import (
	"net/http"
	"net/url"
	"strings"

	"headless/pkg/api/openapi"
	"headless/pkg/api/pipeline"
)

// description is the API's own OpenAPI document: of any model without a key, of the live models
// that it may read with one (extensions §10). It is for the client that asked only, so no shared
// cache may keep it.
func description(c *pipeline.Call) (pipeline.Answer, error) {
	root := serverOf(c.SiteURL())
	text := openapi.At(root)
	var err error
	if c.Key != nil {
		text, err = openapi.Live(root, c.Models())
	}
	return pipeline.Answer{
		Raw: text, RawType: "application/json; charset=utf-8", Vary: "X-API-Key, X-API-Secret",
		Header: http.Header{"Cache-Control": {"private, no-cache"}},
	}, err
}

// serverOf is the address of the API for documents: absolute, but relative on localhost, which
// linters refuse as a server.
func serverOf(site string) string {
	if u, err := url.Parse(site); err != nil || u.Hostname() == "localhost" {
		return pipeline.Base
	}
	return strings.TrimSuffix(site, "/") + pipeline.Base
}
