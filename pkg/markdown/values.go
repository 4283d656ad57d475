package markdown

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
)

// readValues reads the content of a block: YAML without anchors, aliases, tags and merge keys. The
// types of the fields decide what a plain scalar is. problem is "" if the content can be read.
func readValues(fields []cms.Field, content []byte) (values map[string]any, problem string) {
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var document yaml.Node
	err := decoder.Decode(&document)
	if errors.Is(err, io.EOF) || err == nil && len(document.Content) == 0 {
		return map[string]any{}, ""
	}
	if err == nil && decoder.Decode(new(yaml.Node)) != io.EOF {
		err = errors.New("it has more than one document")
	}
	if err != nil {
		return nil, "cannot be read as YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")
	}
	v, err := readNode(document.Content[0], &cms.Field{Type: cms.TypeGroup, Fields: fields}, cms.MaxDepth)
	if err != nil {
		return nil, err.Error()
	}
	if v == nil {
		return map[string]any{}, ""
	}
	values, ok := v.(map[string]any)
	if !ok {
		return nil, "must hold the names of fields and their values"
	}
	return values, ""
}

// Errors of a node, to be followed by nothing: they are problems of a block.
var (
	errDepth    = errors.New("is nested too deeply")
	errNotPlain = errors.New("must not hold anchors, aliases, tags and merge keys of YAML")
	errKey      = errors.New("must hold texts as keys")
)

// readNode returns the JSON value of a node, which is a value of the field: one of a list if it is
// inside a sequence. f is nil for a key that no field has.
func readNode(n *yaml.Node, f *cms.Field, depth int) (any, error) {
	if depth == 0 {
		return nil, errDepth
	}
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return nil, errNotPlain
	}
	switch n.Kind {
	case yaml.MappingNode:
		return readMapping(n, f, depth)
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			var err error
			if list[i], err = readNode(item, f, depth-1); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return readScalar(n, f), nil
}

func readMapping(n *yaml.Node, f *cms.Field, depth int) (any, error) {
	object := make(map[string]any, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind == yaml.AliasNode || key.Anchor != "" || key.Style&yaml.TaggedStyle != 0 ||
			key.Tag == "!!merge":
			return nil, errNotPlain
		case key.Kind != yaml.ScalarNode:
			return nil, errKey
		}
		if _, twice := object[key.Value]; twice {
			return nil, fmt.Errorf("has the key %q twice", cms.Shorten(key.Value))
		}
		object[key.Value] = n.Content[i+1]
	}
	var fields []cms.Field
	open := f != nil && f.Type == cms.TypeJSON // all values below are JSON, too
	if f != nil {
		kind := object["type"]
		if node, ok := kind.(*yaml.Node); ok {
			kind = node.Value
		}
		fields = f.FieldsOf(map[string]any{"type": kind})
	}
	for key, node := range object {
		below := cms.FieldNamed(fields, key)
		if open {
			below = f
		}
		v, err := readNode(node.(*yaml.Node), below, depth-1)
		if err != nil {
			return nil, err
		}
		if object[key] = v; v == nil && below != nil && !open {
			delete(object, key)
		}
	}
	return object, nil
}

// readScalar returns the value of a scalar. A plain one is null if YAML says so, else what the type
// of the field asks for, if it can be that. Every other one is a text.
func readScalar(n *yaml.Node, f *cms.Field) any {
	plain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if !plain || f == nil {
		return n.Value
	}
	_, isNumber := query.ParseDecimal(n.Value)
	switch {
	case n.Tag == "!!null":
		return nil
	case (f.Type == cms.TypeBoolean || f.Type == cms.TypeJSON) && n.Tag == "!!bool":
		return strings.EqualFold(n.Value, "true")
	case (f.Type == cms.TypeNumber || f.Type == cms.TypeJSON) && isNumber:
		return json.Number(n.Value)
	}
	return n.Value
}
