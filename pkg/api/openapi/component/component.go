// Package component finds the components of an OpenAPI document, which is a decoded JSON object.
package component

import (
	"maps"
	"strings"
)

// EachRef calls visit for every reference in a value.
func EachRef(v any, visit func(ref string)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			EachRef(item, visit)
		}
	case map[string]any:
		for key, item := range v {
			if ref, ok := item.(string); ok && key == "$ref" {
				visit(ref)
			} else {
				EachRef(item, visit)
			}
		}
	}
}

// At returns the object to which a reference such as "#/components/schemas/Entry" leads, nil if there is none.
func At(document map[string]any, ref string) map[string]any {
	at := document
	for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		at, _ = at[part].(map[string]any)
	}
	return at
}

// Used returns the references in a value and in the components to which they lead.
func Used(document map[string]any, v any) map[string]bool {
	used := map[string]bool{}
	var follow func(ref string)
	follow = func(ref string) {
		if !used[ref] {
			used[ref] = true
			EachRef(At(document, ref), follow)
		}
	}
	EachRef(v, follow)
	return used
}

// Prune drops the components to which nothing refers. Security schemes stay: they are referred to by name.
func Prune(document map[string]any) {
	rest := maps.Clone(document)
	delete(rest, "components")
	used := Used(document, rest)
	for kind, group := range At(document, "#/components") {
		if kind != "securitySchemes" {
			maps.DeleteFunc(group.(map[string]any),
				func(name string, _ any) bool { return !used["#/components/"+kind+"/"+name] })
		}
	}
}
