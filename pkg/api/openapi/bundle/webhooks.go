package main

import (
	"headless/pkg/api/openapi/component"
	"headless/pkg/slice"
)

// inlineWebhooks replaces references in webhooks to components that no path uses. oapi-codegen drops such
// components but keeps the references.
func inlineWebhooks(doc object) {
	if hooks, ok := doc["webhooks"]; ok {
		doc["webhooks"] = inline(doc, hooks, component.Used(doc, doc["paths"]))
	}
}

func inline(doc object, v any, used map[string]bool) any {
	switch v := v.(type) {
	case []any:
		return slice.Map(v, func(v any) any { return inline(doc, v, used) })
	case object:
		if ref, ok := v["$ref"].(string); ok && !used[ref] {
			return inline(doc, component.At(doc, ref), used)
		}
		copied := object{}
		for key, item := range v {
			copied[key] = inline(doc, item, used)
		}
		return copied
	}
	return v
}
