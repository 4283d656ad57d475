// Package template reads the parts of the SAM template that the local deployments need: resources,
// functions with their settings and events, and the values of intrinsic functions.
package template

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Template is a parsed template. Short forms (!Ref x) are converted to long forms ({"Ref": "x"}),
// so Root can be written as JSON.
type Template struct{ Root map[string]any }

// Load reads the template at path.
func Load(path string) (*Template, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Parse reads a template from its YAML text.
func Parse(text []byte) (*Template, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) != 1 {
		return nil, fmt.Errorf("template: one document expected")
	}
	v, err := plain(doc.Content[0])
	if err != nil {
		return nil, err
	}
	root, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("template: a mapping expected")
	}
	return &Template{Root: root}, nil
}

// plain converts a node to maps, lists and scalars.
func plain(n *yaml.Node) (any, error) {
	if n.Kind == yaml.AliasNode {
		return plain(n.Alias)
	}
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		return intrinsic(n)
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			v, err := plain(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			out[n.Content[i].Value] = v
		}
		return out, nil
	case yaml.SequenceNode:
		out := []any{}
		for _, c := range n.Content {
			v, err := plain(c)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	}
	// CloudFormation treats a date, such as the version of a policy, as text.
	if n.ShortTag() == "!!timestamp" {
		return n.Value, nil
	}
	var v any
	err := n.Decode(&v)
	return v, err
}

// intrinsic converts the short form of a function to the long form.
func intrinsic(n *yaml.Node) (any, error) {
	name := strings.TrimPrefix(n.Tag, "!")
	untagged := *n
	untagged.Tag = ""
	arg, err := plain(&untagged)
	if err != nil {
		return nil, err
	}
	switch name {
	case "Ref", "Condition":
		return map[string]any{name: arg}, nil
	case "GetAtt":
		if s, ok := arg.(string); ok {
			resource, attribute, _ := strings.Cut(s, ".")
			arg = []any{resource, attribute}
		}
	}
	return map[string]any{"Fn::" + name: arg}, nil
}

// Resources returns the logical ids and bodies of all resources of a type, in the order of their
// ids.
func (t *Template) Resources(kind string) []Resource {
	var out []Resource
	for id, v := range asMap(t.Root["Resources"]) {
		r := asMap(v)
		if r["Type"] == kind {
			out = append(out, Resource{ID: id, Body: r})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// Resource is one resource as written.
type Resource struct {
	ID   string
	Body map[string]any
}

// Properties returns the resource's properties as written, an empty map if there are none.
func (r Resource) Properties() map[string]any { return asMap(r.Body["Properties"]) }

// asMap returns v as a map, an empty one if it is not a map.
func asMap(v any) map[string]any {
	m, ok := v.(map[string]any)
	if !ok {
		return map[string]any{}
	}
	return m
}
