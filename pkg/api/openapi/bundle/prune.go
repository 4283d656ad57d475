package main

import (
	"slices"
	"strings"
)

// prune drops the components that nothing of the document refers to: the pieces under shared serve
// two documents. Security schemes stay, they are referred to by name.
func prune(doc *object) {
	components, ok := doc.values["components"].(*object)
	if !ok {
		return
	}
	used := map[string]bool{}
	follow(doc, doc.values["paths"], used)
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

// inline spells out what webhooks refer to and no path does: oapi-codegen drops such components and
// keeps the references.
func inline(doc *object, v any, used map[string]bool) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = inline(doc, v[i], used)
		}
		return list
	case *object:
		ref, _ := v.values["$ref"].(string)
		if target, ok := dig(doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...); ok &&
			ref != "" && !used[ref] {
			return inline(doc, target, used)
		}
		copied := newObject()
		for _, key := range v.keys {
			copied.set(key, inline(doc, v.values[key], used))
		}
		return copied
	}
	return v
}

// follow marks what a value refers to, and what that refers to.
func follow(doc *object, v any, used map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			follow(doc, item, used)
		}
	case *object:
		for _, key := range v.keys {
			follow(doc, v.values[key], used)
		}
		ref, _ := v.values["$ref"].(string)
		if ref == "" || used[ref] {
			return
		}
		used[ref] = true
		if target, ok := dig(doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...); ok {
			follow(doc, target, used)
		}
	}
}
