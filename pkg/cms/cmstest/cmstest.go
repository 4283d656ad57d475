// Package cmstest has a model, JSON readers, a clock and a slow body for tests.
package cmstest

import (
	"encoding/json"
	"testing"

	"headless/pkg/cms"
)

// ID is a valid id.
const ID = "0f8fad5b-d9cb-469f-a165-70867728950e"

// Model reads a definition and normalizes it. Missing texts get the values of a valid model.
func Model(t *testing.T, definition string) *cms.Model {
	t.Helper()
	m := &cms.Model{Slug: "articles", Name: "Articles", MaxPerPage: cms.DefaultMaxPerPage}
	if err := json.Unmarshal([]byte(definition), m); err != nil {
		t.Fatalf("%v in %s", err, definition)
	}
	m.Normalize()
	return m
}

// Object decodes JSON as the API does.
func Object(t *testing.T, s string) map[string]any {
	t.Helper()
	v, err := cms.DecodeObject([]byte(s))
	if err != nil {
		t.Fatalf("%v in %s", err, s)
	}
	return v
}

// FullModel is the definition of a valid model with fields of all types.
const FullModel = `{"fields": [
	{"name": "body", "type": "richtext", "required": true, "searchable": true, "min": 3, "max": 20},
	{"name": "code", "type": "text", "unique": true, "pattern": "^[A-Z]{2}$"},
	{"name": "notes", "type": "textarea"},
	{"name": "price", "type": "number", "min": -1.5, "max": 100, "default": 9.5},
	{"name": "featured", "type": "boolean", "default": false},
	{"name": "day", "type": "date"},
	{"name": "moment", "type": "datetime"},
	{"name": "mail", "type": "email"},
	{"name": "link", "type": "url"},
	{"name": "color", "type": "select", "options": ["red", "green"], "default": "red"},
	{"name": "tags", "type": "multiselect", "options": ["a", "b", "c"], "max": 2},
	{"name": "meta", "type": "json"},
	{"name": "cover", "type": "media", "mimes": ["image/*"]},
	{"name": "gallery", "type": "media", "many": true},
	{"name": "author", "type": "relation", "model": "authors"},
	{"name": "related", "type": "relation", "model": "articles", "many": true, "min": 1},
	{"name": "place", "type": "group", "fields": [
		{"name": "city", "type": "text", "required": true},
		{"name": "size", "type": "number", "default": 1}]},
	{"name": "steps", "type": "list", "max": 3, "fields": [
		{"name": "label", "type": "text", "required": true},
		{"name": "done", "type": "boolean", "default": false}]},
	{"name": "blocks", "type": "blocks", "fields": [
		{"name": "hero", "type": "group", "fields": [
			{"name": "heading", "type": "text", "required": true, "max": 10},
			{"name": "image", "type": "media"},
			{"name": "value", "type": "text"}]},
		{"name": "stat", "type": "group", "fields": [
			{"name": "value", "type": "number"},
			{"name": "when", "type": "date", "default": "2024-01-01"}]}]}
	], "default_sort": "-data.price,title", "visible_fields": ["body", "price"],
	"indexes": [["color", "author"], ["place.city", "price"]]}`
