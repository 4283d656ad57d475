package search

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/site"
)

// DecodeFilters reads the filters of a list from an object such as {"status": "draft",
// "data.price": {"gt": 5}}, as whoever may see drafts filters. What is wrong with it is added to p
// under filter. Where m is nil, the fields cannot be checked and nothing is read.
func DecodeFilters(p cms.Problems, m *site.Model, v any) (filters []cms.Filter) {
	object, ok := v.(map[string]any)
	if !ok {
		p.Add("filter", "must be an object")
		return nil
	}
	if m == nil {
		return nil
	}
	known := m.WithDrafts()
	add := func(name string, v any) {
		f, err := cms.ParseFilter(name, filterText(v))
		if err == nil {
			err = cms.ValidateFilter(known, f)
		}
		var refused *cms.Error
		switch {
		case errors.As(err, &refused):
			p.Add("filter", "%s", refused.Message)
		case err != nil:
			p.Add("filter", "%s", err)
		default:
			filters = append(filters, f)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		ops, ok := object[name].(map[string]any)
		if !ok {
			add("filter["+name+"]", object[name])
			continue
		}
		for _, op := range slices.Sorted(maps.Keys(ops)) {
			add("filter["+name+"]["+op+"]", ops[op])
		}
	}
	return filters
}

// filterText is a JSON value as the address of a list has it.
func filterText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = filterText(item)
		}
		return strings.Join(parts, ",")
	}
	return fmt.Sprint(v)
}
