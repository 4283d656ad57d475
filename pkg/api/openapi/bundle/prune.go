package main

import (
	"slices"
	"strings"

	"headless/pkg/slice"
)

// prune drops unused components, since the files under shared serve several documents. Security
// schemes stay: they are referred to by name.
func prune(doc *object) {
	components, ok := doc.values["components"].(*object)
	if !ok {
		return
	}
	used := map[string]bool{}
	markUsed(doc, doc.values["paths"], used)
	if hooks, ok := doc.values["webhooks"]; ok {
		doc.values["webhooks"] = inline(doc, hooks, used)
	}
	for _, kind := range components.keys {
		group, ok := components.values[kind].(*object)
		if !ok || kind == "securitySchemes" {
			continue
		}
		group.keys = slices.DeleteFunc(group.keys,
			func(name string) bool { return !used["#/components/"+kind+"/"+name] })
	}
}

// inline replaces references in webhooks to components that no path uses. oapi-codegen drops such
// components but keeps the references.
func inline(doc *object, v any, used map[string]bool) any {
	switch v := v.(type) {
	case []any:
		return slice.Map(v, func(v any) any { return inline(doc, v, used) })
	case *object:
		ref, _ := v.values["$ref"].(string)
		if target, ok := dig(doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...); ok &&
			ref != "" && !used[ref] {
			return inline(doc, target, used)
		}
		copied := newObject()
		for _, key := range v.keys {
			copied.setKey(key, inline(doc, v.values[key], used))
		}
		return copied
	}
	return v
}

// markUsed marks the components that a value refers to, recursively.
func markUsed(doc *object, v any, used map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			markUsed(doc, item, used)
		}
	case *object:
		for _, key := range v.keys {
			markUsed(doc, v.values[key], used)
		}
		ref, _ := v.values["$ref"].(string)
		if ref == "" || used[ref] {
			return
		}
		used[ref] = true
		if target, ok := dig(doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...); ok {
			markUsed(doc, target, used)
		}
	}
}
