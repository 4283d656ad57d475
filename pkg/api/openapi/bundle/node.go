package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// merge adds the keys of from to into, map by map. Two pieces may share a map, not a value;
// maps of anchors stay apart.
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
			return fmt.Errorf("line %d: %q is already there", key.Line, key.Value)
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

// flatten gives the keys and values of a mapping with "<<" resolved: own keys win over merged ones.
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

// writeJSON writes a node as JSON, keys in the order of the YAML.
func writeJSON(out *bytes.Buffer, n *yaml.Node) error {
	switch n.Kind {
	case yaml.AliasNode:
		return writeJSON(out, n.Alias)
	case yaml.MappingNode:
		out.WriteByte('{')
		pairs := flatten(n)
		for i := 0; i < len(pairs); i += 2 {
			if i > 0 {
				out.WriteByte(',')
			}
			key, err := json.Marshal(pairs[i].Value)
			if err != nil {
				return err
			}
			out.Write(key)
			out.WriteByte(':')
			if err := writeJSON(out, pairs[i+1]); err != nil {
				return err
			}
		}
		out.WriteByte('}')
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := writeJSON(out, item); err != nil {
				return err
			}
		}
		out.WriteByte(']')
	default:
		return writeScalar(out, n)
	}
	return nil
}

func writeScalar(out *bytes.Buffer, n *yaml.Node) error {
	var v any
	if err := n.Decode(&v); err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
