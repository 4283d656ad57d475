package template

import (
	"fmt"
	"strings"

	"headless/pkg/slice"
)

// Statement is one statement of an IAM policy, with all values resolved.
type Statement struct {
	Allow      bool // false: deny
	Actions    []string
	Resources  []string
	Conditions []Condition
}

// Condition compares a key of a request, such as dynamodb:LeadingKeys, with values.
type Condition struct {
	Operator string // such as ForAnyValue:StringLike
	Key      string
	Values   []string
}

// Statements returns the statements in the policies of a function about the actions of one service,
// such as dynamodb.
func (t *Template) Statements(function, service string, s Scope) ([]Statement, error) {
	r := asMap(asMap(t.Root["Resources"])[function])
	var out []Statement
	for _, policy := range asList(asMap(r["Properties"])["Policies"]) {
		for _, body := range t.statementsOf(policy) {
			if !strings.HasPrefix(fmt.Sprint(asList(body["Action"])[0]), service+":") {
				continue // it may name resources that this deployment does not have
			}
			v, err := t.Eval(body, s)
			if err != nil {
				return nil, fmt.Errorf("policies of %s: %w", function, err)
			}
			out = append(out, newStatement(asMap(v)))
		}
	}
	return out, nil
}

// statementsOf returns the statements of a policy that is part of the function or that it refers
// to.
func (t *Template) statementsOf(policy any) (out []map[string]any) {
	if id, ok := asMap(policy)["Ref"].(string); ok {
		policy = asMap(asMap(t.Root["Resources"])[id])["Properties"]
	}
	for _, v := range asList(policy) {
		m := asMap(v)
		if m["Effect"] != nil {
			out = append(out, m)
			continue
		}
		for _, name := range []string{"PolicyDocument", "Statement"} {
			if inner, ok := m[name]; ok {
				for _, part := range asList(inner) {
					out = append(out, t.statementsOf(part)...)
				}
			}
		}
	}
	return out
}

func newStatement(m map[string]any) Statement {
	s := Statement{Allow: m["Effect"] == "Allow", Actions: texts(m["Action"]), Resources: texts(m["Resource"])}
	for operator, keys := range asMap(m["Condition"]) {
		for key, values := range asMap(keys) {
			s.Conditions = append(s.Conditions, Condition{Operator: operator, Key: key, Values: texts(values)})
		}
	}
	return s
}

// asList returns v as a list, with one element if it is not a list: IAM allows both.
func asList(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

func texts(v any) []string {
	return slice.Map(asList(v), func(e any) string { return fmt.Sprint(e) })
}
