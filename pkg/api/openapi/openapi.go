// Package openapi holds the OpenAPI 3.1 documents of the service: one of the API under /api/v1, one
// of the JSON side of the admin area. They are written as YAML under src, a file a resource, and
// bundled to JSON by "go generate", so that serving them costs a function neither a YAML parser nor
// start-up time.
package openapi

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:generate go run ./bundle

//go:embed openapi.json
var api string

//go:embed admin.json
var admin string

//go:embed delivery.json
var delivered string

// JSON is the document of the API, served at GET /api/v1/openapi.json.
func JSON() []byte { return []byte(api) }

// At is the document of the API with the absolute address of the API as its server.
func At(root string) []byte {
	address, err := json.Marshal(root)
	if err != nil {
		return JSON() // a string always encodes
	}
	return []byte(strings.Replace(api, `"url": "/api/v1"`, `"url": `+string(address), 1))
}

// AdminJSON is the document of the admin area's JSON routes, served at GET /admin/openapi.json.
func AdminJSON() []byte { return []byte(admin) }

// DeliveryJSON is the document of the delivery API.
func DeliveryJSON() []byte { return []byte(delivered) }
