package main

// Code generators and linters disagree about parts of OpenAPI 3.1. normalize rewrites the documents
// in a form that all of these read: redocly, openapi-typescript, oapi-codegen and kin-openapi.

// errorAnswer is the reference to the envelope of errors.
const errorAnswer = "#/components/schemas/ErrorAnswer"

// object is a decoded JSON object that keeps the order of its keys.
type object struct {
	keys   []string
	values map[string]any
}

func newObject(pairs ...any) *object {
	o := &object{values: map[string]any{}}
	for i := 0; i < len(pairs); i += 2 {
		o.setKey(pairs[i].(string), pairs[i+1])
	}
	return o
}

func (o *object) setKey(key string, v any) {
	if _, known := o.values[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

func (o *object) hasKey(key string) bool {
	_, ok := o.values[key]
	return ok
}

// normalize rewrites a value of the document and everything below it. parent is the key that has
// the value.
func normalize(parent string, v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = normalize("", v[i])
		}
		return v
	case *object:
		if answer := errorOf(v); answer != nil {
			v = answer
		}
		for _, key := range v.keys {
			if key == "example" || key == "examples" || key == "default" {
				continue
			}
			v.values[key] = normalize(key, v.values[key])
			if parent == "properties" { // oapi-codegen reads no boolean schemas
				v.values[key] = withoutBoolean(v.values[key])
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
		return newObject()
	case false:
		return newObject("not", newObject())
	}
	return schema
}

// nameType sets the type of a schema that has only string values but no type. Otherwise generators
// convert it to "any".
func nameType(o *object) {
	if o.hasKey("type") {
		return
	}
	values, ok := o.values["enum"].([]any)
	if !ok {
		if c, is := o.values["const"]; is {
			values = []any{c}
		}
	}
	for _, v := range values {
		if _, ok := v.(string); !ok {
			return
		}
	}
	if len(values) > 0 {
		o.setKey("type", "string")
	}
}

// errorOf returns the complete schema of one kind of error, because linters check each part of an
// allOf alone. In the files it is an allOf of ErrorAnswer and the special parts of its error. It
// returns nil for other schemas.
func errorOf(o *object) *object {
	parts, ok := o.values["allOf"].([]any)
	if !ok || len(parts) != 2 {
		return nil
	}
	base, ok := parts[0].(*object)
	special, isObject := parts[1].(*object)
	if !ok || !isObject || base.values["$ref"] != errorAnswer {
		return nil
	}
	failure, ok := dig(special, "properties", "error")
	if !ok {
		return nil
	}
	ref := func(name string) *object { return newObject("$ref", "#/components/schemas/Error"+name) }
	properties := newObject("code", newObject("type", "string"), "message", ref("Message"),
		"details", ref("Details"))
	if own, ok := dig(failure, "properties"); ok {
		for _, key := range own.keys {
			properties.setKey(key, own.values[key])
		}
	}
	required := []any{"code", "message"}
	if more, ok := failure.values["required"].([]any); ok {
		required = append(required, more...)
	}
	return newObject("type", "object", "required", []any{"data", "error"}, "properties", newObject(
		"data", newObject("type", "null"),
		"error", newObject("type", "object", "required", required, "properties", properties),
	))
}

func dig(o *object, path ...string) (*object, bool) {
	for _, key := range path {
		next, ok := o.values[key].(*object)
		if !ok {
			return nil, false
		}
		o = next
	}
	return o, true
}
