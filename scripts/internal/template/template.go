// Package template reads the parts of the SAM template that the local deployments need: resources,
// functions with their settings and events, and the values of intrinsic functions.
package template

import (
	"fmt"
	"os"
	"slices"
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
	useLongForms(&doc)
	t := &Template{}
	if err := doc.Decode(&t.Root); err != nil {
		return nil, err
	}
	return t, nil
}

// useLongForms replaces the short forms of functions in a node. CloudFormation treats a date, such as the version of a
// policy, as text.
func useLongForms(n *yaml.Node) {
	for _, below := range n.Content {
		useLongForms(below)
	}
	name, isShort := strings.CutPrefix(n.Tag, "!")
	switch {
	case n.Tag == "!!timestamp":
		n.Tag = "!!str"
		return
	case !isShort || strings.HasPrefix(name, "!"):
		return
	}
	arg := *n
	if arg.Tag = ""; name == "GetAtt" && n.Kind == yaml.ScalarNode {
		resource, attribute, _ := strings.Cut(n.Value, ".")
		arg = yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{textNode(resource), textNode(attribute)}}
	}
	if name != "Ref" && name != "Condition" {
		name = "Fn::" + name
	}
	*n = yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{textNode(name), &arg}}
}

func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
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
	slices.SortFunc(out, func(a, b Resource) int { return strings.Compare(a.ID, b.ID) })
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
