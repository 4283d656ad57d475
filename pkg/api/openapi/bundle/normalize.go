package main

// Code generators and linters disagree about parts of OpenAPI 3.1. normalize writes what the pieces
// say in the form that all of them read: redocly, openapi-typescript, oapi-codegen and kin-openapi.

// errorAnswer is how the pieces refer to the envelope of failures.
const errorAnswer = "#/components/schemas/ErrorAnswer"

// object is a decoded JSON object that keeps its order of keys.
type object struct {
	keys   []string
	values map[string]any
}

func newObject(pairs ...any) *object {
	o := &object{values: map[string]any{}}
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func (o *object) set(key string, v any) {
	if _, known := o.values[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

func (o *object) has(key string) bool {
	_, ok := o.values[key]
	return ok
}

// normalize rewrites a value of the document and everything below it. within is the key that holds
// the value.
func normalize(within string, v any) any {
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
			if within == "properties" { // oapi-codegen reads no boolean schemas
				v.values[key] = withoutBoolean(v.values[key])
			}
		}
		if within != "properties" {
			nameType(v)
		}
		return v
	}
	return v
}

// withoutBoolean writes the schemas true and false as objects.
func withoutBoolean(schema any) any {
	switch schema {
	case true:
		return newObject()
	case false:
		return newObject("not", newObject())
	}
	return schema
}

// nameType gives the type to a schema that has text values only and leaves it out: generators make
// "any" of it otherwise.
func nameType(o *object) {
	if o.has("type") {
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
		o.set("type", "string")
	}
}

// errorOf is the schema of one kind of failure, spelled out: linters judge the parts of an allOf
// alone. The pieces write it as an allOf of ErrorAnswer and what is special about its error. It is
// nil for other schemas.
func errorOf(o *object) *object {
	parts, ok := o.values["allOf"].([]any)
	if !ok || len(parts) != 2 {
		return nil
	}
	base, ok := parts[0].(*object)
	special, also := parts[1].(*object)
	if !ok || !also || base.values["$ref"] != errorAnswer {
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
			properties.set(key, own.values[key])
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
