// Package openapi holds the OpenAPI 3.1 documents of the service: one of the API under /api/v1, one of the
// JSON side of the admin area. They are written as YAML under src, a file a resource, and bundled to JSON by
// "go generate", so that serving them costs a function neither a YAML parser nor start-up time.
package openapi

import _ "embed"

//go:generate go run ./bundle

//go:embed openapi.json
var api string

//go:embed admin.json
var admin string

// JSON is the document of the API, served at GET /api/v1/openapi.json.
func JSON() []byte { return []byte(api) }

// AdminJSON is the document of the admin area's JSON routes, served at GET /admin/openapi.json.
func AdminJSON() []byte { return []byte(admin) }
