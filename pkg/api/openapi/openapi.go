// Package openapi has the OpenAPI 3.1 documents of the service: one for the API under /api/v1, one
// for the JSON routes of the admin area, and one for the delivery API. Their source is YAML under
// src, with one file for each resource. "go generate" bundles them to JSON, so that a function
// needs no YAML parser and no start-up time to serve them.
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

// JSON returns the document of the API, served at GET /api/v1/openapi.json.
func JSON() []byte { return []byte(api) }

// At returns the document of the API with root, the absolute URL of the API, as its server.
func At(root string) []byte {
	address, err := json.Marshal(root)
	if err != nil {
		return JSON() // a string always encodes
	}
	return []byte(strings.Replace(api, `"url":"/api/v1"`, `"url":`+string(address), 1))
}

// AdminJSON returns the document of the admin area's JSON routes, served at GET
// /admin/openapi.json.
func AdminJSON() []byte { return []byte(admin) }

// DeliveryJSON returns the document of the delivery API.
func DeliveryJSON() []byte { return []byte(delivered) }
