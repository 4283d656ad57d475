package main

import (
	"maps"
	"slices"

	"headless/pkg/api/openapi/component"
)

// Code generators and linters disagree about parts of OpenAPI 3.1. normalize rewrites the documents
// in a form that all of these read: redocly, openapi-typescript, oapi-codegen and kin-openapi.

// errorAnswer is the reference to the envelope of errors.
const errorAnswer = "#/components/schemas/ErrorAnswer"

type object = map[string]any

// normalize rewrites a value of the document and everything below it. parent is the key that has
// the value.
func normalize(parent string, v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = normalize("", v[i])
		}
		return v
	case object:
		if answer := errorOf(v); answer != nil {
			v = answer
		}
		for key, item := range v {
			if key == "example" || key == "examples" || key == "default" {
				continue
			}
			v[key] = normalize(key, item)
			if parent == "properties" { // oapi-codegen reads no boolean schemas
				v[key] = withoutBoolean(v[key])
			}
		}
		if parent != "properties" {
			nameType(v)
		}
		return v
	}
	return v
}

// withoutBoolean replaces the schemas true and false by objects.
func withoutBoolean(schema any) any {
	switch schema {
	case true:
		return object{}
	case false:
		return object{"not": object{}}
	}
	return schema
}

// nameType sets the type of a schema that has only string values but no type. Otherwise generators
// convert it to "any".
func nameType(o object) {
	values, ok := o["enum"].([]any)
	if c, is := o["const"]; !ok && is {
		values = []any{c}
	}
	noString := func(v any) bool { _, ok := v.(string); return !ok }
	if o["type"] == nil && len(values) > 0 && !slices.ContainsFunc(values, noString) {
		o["type"] = "string"
	}
}

// errorOf returns the complete schema of one kind of error, because linters check each part of an
// allOf alone. In the files it is an allOf of ErrorAnswer and the special parts of its error. It
// returns nil for other schemas.
func errorOf(o object) object {
	parts, _ := o["allOf"].([]any)
	if len(parts) != 2 {
		return nil
	}
	base, _ := parts[0].(object)
	special, _ := parts[1].(object)
	failure := component.At(special, "#/properties/error")
	if base["$ref"] != errorAnswer || failure == nil {
		return nil
	}
	properties := object{"code": object{"type": "string"}, "message": object{"$ref": "#/components/schemas/ErrorMessage"},
		"details": object{"$ref": "#/components/schemas/ErrorDetails"}}
	maps.Copy(properties, component.At(failure, "#/properties"))
	more, _ := failure["required"].([]any)
	required := append([]any{"code", "message"}, more...)
	return object{"type": "object", "required": []any{"data", "error"}, "properties": object{
		"data":  object{"type": "null"},
		"error": object{"type": "object", "required": required, "properties": properties},
	}}
}
