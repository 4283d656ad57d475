// Package pump delivers the events of Lambda's event sources: records of a table's stream, messages
// of queues, schedules.
package pump

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Filter is one pattern of an event source mapping's FilterCriteria.
type Filter map[string]any

// ParseFilter reads a pattern. It supports exact values and {"prefix": …}, and returns an error for
// other operators.
func ParseFilter(pattern string) (Filter, error) {
	var f Filter
	if err := json.Unmarshal([]byte(pattern), &f); err != nil {
		return nil, err
	}
	return f, check(map[string]any(f))
}

func check(v any) error {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if err := check(e); err != nil {
				return err
			}
		}
	case []any:
		for _, e := range v {
			if operator, ok := e.(map[string]any); ok && (len(operator) != 1 || operator["prefix"] == nil) {
				return fmt.Errorf("pump: filter %v is not supported", operator)
			}
		}
	default:
		return fmt.Errorf("pump: a filter holds objects and lists, not %v", v)
	}
	return nil
}

// Matches reports whether an event, decoded from JSON, has one of the values at each path of the
// pattern.
func (f Filter) Matches(event map[string]any) bool { return matches(map[string]any(f), event) }

func matches(pattern, value any) bool {
	switch pattern := pattern.(type) {
	case map[string]any:
		object, ok := value.(map[string]any)
		if !ok {
			return false
		}
		for name, p := range pattern {
			if !matches(p, object[name]) {
				return false
			}
		}
		return true
	case []any:
		for _, p := range pattern {
			if operator, ok := p.(map[string]any); ok {
				prefix, _ := operator["prefix"].(string)
				if text, ok := value.(string); ok && strings.HasPrefix(text, prefix) {
					return true
				}
			} else if p == value {
				return true
			}
		}
	}
	return false
}
