package template

import (
	"fmt"
	"regexp"
	"strings"
)

// Scope has the values of a template's names in one deployment.
type Scope struct {
	Parameters map[string]string // override the defaults
	Refs       map[string]string // by logical id, including pseudo parameters
	Attributes map[string]string // by "LogicalId.Attribute"
	Stored     map[string]string // parameters of Systems Manager, by name; nil: none is resolved
}

// Eval replaces the intrinsic functions in v. It returns an error for a name without a value in the
// scope.
func (t *Template) Eval(v any, s Scope) (any, error) {
	switch v := v.(type) {
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			r, err := t.Eval(e, s)
			if err != nil {
				return nil, err
			}
			out = append(out, r)
		}
		return out, nil
	case map[string]any:
		if len(v) == 1 {
			for name, arg := range v {
				if name == "Ref" || name == "Condition" || strings.HasPrefix(name, "Fn::") {
					return t.call(name, arg, s)
				}
			}
		}
		out := map[string]any{}
		for name, e := range v {
			r, err := t.Eval(e, s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out[name] = r
		}
		return out, nil
	}
	if text, ok := v.(string); ok {
		return s.resolve(text)
	}
	return v, nil
}

// stored is a reference to a parameter of Systems Manager.
var stored = regexp.MustCompile(`\{\{resolve:ssm:([^}]+)\}\}`)

// resolve replaces references to parameters of Systems Manager.
func (s Scope) resolve(text string) (any, error) {
	if s.Stored == nil {
		return text, nil
	}
	var failed error
	out := stored.ReplaceAllStringFunc(text, func(m string) string {
		name := stored.FindStringSubmatch(m)[1]
		value, ok := s.Stored[name]
		if !ok {
			failed = fmt.Errorf("template: nothing stores %s", name)
		}
		return value
	})
	return out, failed
}

// call evaluates one function.
func (t *Template) call(name string, arg any, s Scope) (any, error) {
	list, _ := arg.([]any)
	switch {
	case name == "Ref":
		return t.ref(fmt.Sprint(arg), s)
	case name == "Condition":
		return t.condition(fmt.Sprint(arg), s)
	case name == "Fn::GetAtt" && len(list) == 2:
		key := fmt.Sprintf("%v.%v", list[0], list[1])
		value, ok := s.Attributes[key]
		if !ok {
			return nil, fmt.Errorf("template: the attribute %s has no value", key)
		}
		return value, nil
	case name == "Fn::Sub":
		return t.sub(fmt.Sprint(arg), s)
	case name == "Fn::Equals" && len(list) == 2:
		a, err := t.Eval(list[0], s)
		if err != nil {
			return nil, err
		}
		b, err := t.Eval(list[1], s)
		return fmt.Sprint(a) == fmt.Sprint(b), err
	case name == "Fn::Not" && len(list) == 1:
		v, err := t.Eval(list[0], s)
		return v != true, err
	case name == "Fn::And" || name == "Fn::Or":
		for _, one := range list {
			v, err := t.Eval(one, s)
			if err != nil {
				return nil, err
			}
			if (v == true) == (name == "Fn::Or") {
				return v, nil
			}
		}
		return name == "Fn::And", nil
	case name == "Fn::If" && len(list) == 3:
		// Evaluate only the chosen branch: the other one may name resources that this deployment
		// does not have.
		holds, err := t.condition(fmt.Sprint(list[0]), s)
		if err != nil {
			return nil, err
		}
		if holds {
			return t.Eval(list[1], s)
		}
		return t.Eval(list[2], s)
	}
	return nil, fmt.Errorf("template: the function %s is not supported", name)
}

func (t *Template) ref(name string, s Scope) (any, error) {
	if value, ok := s.Parameters[name]; ok {
		return value, nil
	}
	if p, ok := asMap(t.Root["Parameters"])[name]; ok {
		value, ok := asMap(p)["Default"]
		if !ok {
			return nil, fmt.Errorf("template: the parameter %s has no value", name)
		}
		return value, nil
	}
	if value, ok := s.Refs[name]; ok {
		return value, nil
	}
	return nil, fmt.Errorf("template: %s has no value", name)
}

func (t *Template) condition(name string, s Scope) (bool, error) {
	body, ok := asMap(t.Root["Conditions"])[name]
	if !ok {
		return false, fmt.Errorf("template: no condition %s", name)
	}
	v, err := t.Eval(body, s)
	return v == true, err
}

var placeholder = regexp.MustCompile(`\$\{([^!}][^}]*)\}`)

func (t *Template) sub(text string, s Scope) (any, error) {
	var failed error
	out := placeholder.ReplaceAllStringFunc(text, func(m string) string {
		name := m[2 : len(m)-1]
		var v any
		var err error
		if resource, attribute, ok := strings.Cut(name, "."); ok {
			v, err = t.call("Fn::GetAtt", []any{resource, attribute}, s)
		} else {
			v, err = t.ref(name, s)
		}
		if err != nil {
			failed = err
		}
		return fmt.Sprint(v)
	})
	if failed != nil {
		return out, failed
	}
	return s.resolve(out)
}

// Stored returns the parameters of Systems Manager that the template makes, by name.
func (t *Template) Stored(s Scope) (map[string]string, error) {
	out := map[string]string{}
	for _, r := range t.Resources("AWS::SSM::Parameter") {
		v, err := t.Eval(r.Properties(), s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		p := asMap(v)
		out[fmt.Sprint(p["Name"])] = fmt.Sprint(p["Value"])
	}
	return out, nil
}
