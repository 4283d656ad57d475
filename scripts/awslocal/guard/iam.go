package guard

import (
	"fmt"
	"slices"
	"strings"

	"headless/scripts/internal/template"
)

// isAllowed reports whether a statement allows the access and none denies it.
func isAllowed(policies []template.Statement, a access, arn string) bool {
	found := false
	for _, s := range policies {
		if !applies(s, a, arn) {
			continue
		}
		if !s.Allow {
			return false
		}
		found = true
	}
	return found
}

func applies(s template.Statement, a access, arn string) bool {
	return arn != "" && slices.Contains(s.Actions, "dynamodb:"+a.action) &&
		slices.Contains(s.Resources, arn) &&
		!slices.ContainsFunc(s.Conditions, func(c template.Condition) bool { return !holds(c, a.keys) })
}

// The condition operators that the template uses. As in IAM, "for any value" does not match if
// there are no keys.
const (
	anyLike    = "ForAnyValue:StringLike"
	anyNotLike = "ForAnyValue:StringNotLike"
)

// understood returns an error if a statement has another kind of condition.
func understood(s template.Statement) error {
	for _, c := range s.Conditions {
		if c.Key != "dynamodb:LeadingKeys" || c.Operator != anyLike && c.Operator != anyNotLike {
			return fmt.Errorf("guard: the condition %s on %s is not supported", c.Operator, c.Key)
		}
	}
	return nil
}

// holds reports whether a condition on the leading keys is true.
func holds(c template.Condition, keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		like := slices.ContainsFunc(c.Values, func(pattern string) bool { return matches(pattern, key) })
		return like == (c.Operator == anyLike)
	})
}

// matches compares a key with a pattern, whose only wildcard is a * at its end.
func matches(pattern, key string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(key, prefix)
	}
	return pattern == key
}
