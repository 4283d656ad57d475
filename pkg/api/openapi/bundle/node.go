package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// merge adds the keys of from to into, map by map. Two files may share a map, but not a value. Maps
// with anchors are not merged.
func merge(into, from *yaml.Node) error {
	for i := 0; i < len(from.Content); i += 2 {
		key, value := from.Content[i], from.Content[i+1]
		known := lookup(into, key.Value)
		switch {
		case strings.HasPrefix(key.Value, "x-"):
		case known == nil:
			into.Content = append(into.Content, key, value)
		case known.Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
			if err := merge(known, value); err != nil {
				return err
			}
		default:
			return fmt.Errorf("line %d: %q is already defined", key.Line, key.Value)
		}
	}
	return nil
}

func lookup(m *yaml.Node, key string) *yaml.Node {
	for i := 0; i < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// flatten returns the keys and values of a mapping with "<<" resolved. Own keys win over merged
// ones.
func flatten(m *yaml.Node) []*yaml.Node {
	var pairs []*yaml.Node
	for i := 0; i < len(m.Content); i += 2 {
		key, value := m.Content[i], m.Content[i+1]
		if key.Tag != "!!merge" {
			pairs = append(pairs, key, value)
			continue
		}
		merged := flatten(value.Alias)
		for j := 0; j < len(merged); j += 2 {
			if lookup(m, merged[j].Value) == nil {
				pairs = append(pairs, merged[j], merged[j+1])
			}
		}
	}
	return pairs
}

// decodeNode converts a node to objects, lists and plain values.
func decodeNode(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.AliasNode:
		return decodeNode(n.Alias)
	case yaml.MappingNode:
		o := newObject()
		pairs := flatten(n)
		for i := 0; i < len(pairs); i += 2 {
			v, err := decodeNode(pairs[i+1])
			if err != nil {
				return nil, err
			}
			o.setKey(pairs[i].Value, v)
		}
		return o, nil
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			v, err := decodeNode(item)
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	}
	var v any
	return v, n.Decode(&v)
}

// writeJSON writes a value as JSON, with keys in the order of the YAML.
func writeJSON(out *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case *object:
		out.WriteByte('{')
		for i, key := range v.keys {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := writeScalar(out, key); err != nil {
				return err
			}
			out.WriteByte(':')
			if err := writeJSON(out, v.values[key]); err != nil {
				return err
			}
		}
		out.WriteByte('}')
		return nil
	case []any:
		out.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := writeJSON(out, item); err != nil {
				return err
			}
		}
		out.WriteByte(']')
		return nil
	}
	return writeScalar(out, v)
}

func writeScalar(out *bytes.Buffer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
