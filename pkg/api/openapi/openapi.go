// Package openapi has the OpenAPI 3.1 documents of the service: one for the API under /api/v1, one
// for the JSON routes of the admin area, and one for the delivery API. Their source is YAML under
// src, with one file for each resource. "go generate" bundles them to JSON, so that a function
// needs no YAML parser and no start-up time to serve them.
package openapi

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"headless/pkg/api/openapi/component"
)

//go:generate go run ./bundle

//go:embed openapi.json
var api string

//go:embed delivery.json
var delivered string

// JSON returns the document of the API with all of its routes.
func JSON() []byte { return []byte(api) }

// treePath is ambiguous beside /forms/{slug} for generators of clients. Only documents with the
// paths of models have it, for each model with a tree.
const treePath = anyModel + "/tree"

// general returns the document of the API without treePath. A variable with sync.OnceValue would
// keep the document in every function that links this package.
func general() string {
	generalOnce.Do(func() { generalText = withoutTree() })
	return generalText
}

var (
	generalOnce sync.Once
	generalText string
)

func withoutTree() string {
	var d document
	if err := d.decodeText(api); err != nil {
		return api // which is part of the program
	}
	delete(objectAt(d.root, "paths"), treePath)
	component.Prune(d.root)
	text, err := json.Marshal(d.root)
	if err != nil {
		return api
	}
	return string(text)
}

// At returns the document of the API with root, the absolute URL of the API, as its server. It is
// served at GET /api/v1/openapi.json without a key.
func At(root string) []byte {
	address, err := json.Marshal(root)
	if err != nil {
		return JSON() // a string always encodes
	}
	return []byte(strings.Replace(general(), `"url":"/api/v1"`, `"url":`+string(address), 1))
}

// DeliveryJSON returns the document of the delivery API.
func DeliveryJSON() []byte { return []byte(delivered) }
