package api

import (
	"net/http"
	"net/url"
	"strings"

	"headless/pkg/api/openapi"
	"headless/pkg/api/pipeline"
	"headless/pkg/api/typescript"
)

// description returns the API's own OpenAPI document. With a key it describes the models that the
// key may read, without one any model (extensions §10). It is meant for this client only, so shared
// caches must not store it.
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

// types returns the TypeScript file for the models that the key may read (extensions §17).
func types(c *pipeline.Call) (pipeline.Answer, error) {
	return pipeline.Answer{
		Raw: typescript.Generate(c.Models()), RawType: "text/plain; charset=utf-8",
		Vary: "X-API-Key, X-API-Secret", Header: http.Header{"Cache-Control": {"private, no-cache"}},
	}, nil
}

// serverOf returns the URL of the API for documents. It is relative on localhost, because linters
// reject localhost as a server.
func serverOf(site string) string {
	if u, err := url.Parse(site); err != nil || u.Hostname() == "localhost" {
		return pipeline.Base
	}
	return strings.TrimSuffix(site, "/") + pipeline.Base
}
