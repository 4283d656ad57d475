package openapi

import (
	"slices"

	"headless/pkg/cms"
	"headless/pkg/slice"
)

// shape makes the schemas of fields: for reading, with or without resolved includes, or for
// writing.
type shape struct {
	read  bool
	names map[string]string // of models, by slug; for reads
}

// objectSchema returns the schema of an object with some fields. In responses any field may be missing:
// drafts are incomplete, and fields= selects keys.
func (s shape) objectSchema(fields []cms.Field) tree {
	properties := tree{}
	for i := range fields {
		properties[fields[i].Name] = s.fieldSchema(&fields[i])
	}
	schema := tree{"type": "object", "properties": properties}
	if !s.read {
		schema["additionalProperties"] = false
	}
	return schema
}

func (s shape) fieldSchema(f *cms.Field) tree {
	schema := s.valueSchema(f)
	if !s.read {
		schema = nullable(schema)
	}
	if about := f.Help; about != "" {
		schema["description"] = about
	} else if f.Label != "" {
		schema["description"] = f.Label
	}
	return schema
}

// nullable adds null to a schema: null clears a value.
func nullable(schema tree) tree {
	name, ok := schema["type"].(string)
	if !ok {
		return tree{"anyOf": []any{schema, tree{"type": "null"}}}
	}
	schema["type"] = []any{name, "null"}
	if values, ok := schema["enum"].([]any); ok {
		schema["enum"] = append(slices.Clone(values), nil)
	}
	return schema
}

// valueSchema returns the schema of a non-null value.
func (s shape) valueSchema(f *cms.Field) tree {
	switch f.Type {
	case cms.TypeNumber:
		return s.withLimits(f, tree{"type": "number"}, "minimum", "maximum")
	case cms.TypeBoolean:
		return tree{"type": "boolean"}
	case cms.TypeSelect:
		return options(f)
	case cms.TypeMultiSelect:
		return s.list(f, options(f))
	case cms.TypeJSON:
		return tree{"title": "Any JSON value"}
	case cms.TypeMedia, cms.TypeRelation:
		return s.references(f)
	case cms.TypeGroup:
		return s.objectSchema(f.Fields)
	case cms.TypeList:
		return s.list(f, s.objectSchema(f.Fields))
	case cms.TypeBlocks:
		return s.list(f, s.blocks(f))
	}
	text := tree{"type": "string"}
	if s.read && f.Type == cms.TypeRichText {
		return tree{"anyOf": []any{text, tree{"type": "array", "items": s.partsSchema(f)}}}
	}
	if format := f.Type.Info().Format; format != "" {
		text["format"] = format
	}
	if f.IsText() {
		return s.withLimits(f, text, "minLength", "maxLength")
	}
	return text
}

// withLimits adds min and max of a field to schemas for writing. Stored values may be older than these
// limits.
func (s shape) withLimits(f *cms.Field, schema tree, least, most string) tree {
	if !s.read && f.Min != nil {
		schema[least] = *f.Min
	}
	if !s.read && f.Max != nil {
		schema[most] = *f.Max
	}
	return schema
}

func (s shape) list(f *cms.Field, items tree) tree {
	return s.withLimits(f, tree{"type": "array", "items": items}, "minItems", "maxItems")
}

func options(f *cms.Field) tree { return oneOf(f.Options) }

// oneOf returns the schema of one of some strings.
func oneOf(list []string) tree {
	return tree{"type": "string", "enum": slice.Map(list, func(o string) any { return o })}
}

// references returns the schema of an id or, when it is included, of its target. It is null if the
// target no longer exists.
func (s shape) references(f *cms.Field) tree {
	id := reference("Id")
	if len(f.Models) > 0 {
		id = tree{"type": "object", "required": []any{"model", "id"}, "additionalProperties": false,
			"properties": tree{"model": oneOf(f.Models), "id": reference("Id")}}
	}
	if !s.read {
		switch {
		case f.Many:
			return s.list(f, id)
		case len(f.Models) > 0:
			return id
		}
		return tree{"type": "string", "format": "uuid"}
	}
	choices := []any{id}
	if f.Type == cms.TypeMedia {
		choices = append(choices, reference("IncludedFile"))
	} else {
		unseen := false
		for _, slug := range f.Targets() {
			if name, ok := s.names[slug]; ok {
				choices = append(choices, reference(name+"Related"))
			} else if !unseen { // once, for all models that the reader may not see
				unseen = true
				choices = append(choices, tree{"type": "object", "required": []any{"id"},
					"properties": tree{"id": reference("Id")}})
			}
		}
	}
	if f.Many {
		return tree{"type": "array", "items": tree{"anyOf": choices}}
	}
	return tree{"anyOf": append(choices, tree{"type": "null"})}
}

// blocks returns the schema of a block, which is one of the block types and has the discriminator
// type.
func (s shape) blocks(f *cms.Field) tree {
	kinds := s.kinds(f)
	if len(kinds) == 1 { // linters warn of a choice of one
		return kinds[0].(tree)
	}
	return tree{"oneOf": kinds}
}

// partsSchema returns the schema of a part of a text.
func (s shape) partsSchema(f *cms.Field) tree {
	text := tree{"type": "object", "required": []any{"type", "text"}, "properties": tree{
		"type": tree{"type": "string", "const": cms.TextPart}, "text": tree{"type": "string"}}}
	if len(f.Fields) == 0 {
		return text
	}
	return tree{"oneOf": append([]any{text}, s.kinds(f)...)}
}

// kinds returns the schemas of the block types of a field.
func (s shape) kinds(f *cms.Field) []any {
	kinds := make([]any, len(f.Fields))
	for i := range f.Fields {
		kind := s.objectSchema(f.Fields[i].Fields)
		objectAt(kind, "properties")["type"] = tree{"type": "string", "const": f.Fields[i].Name}
		kind["required"] = []any{"type"}
		kinds[i] = kind
	}
	return kinds
}

// includedFile returns the schema of an included media file.
func includedFile() tree {
	pixels := tree{"type": []any{"integer", "null"}}
	return tree{
		"description": "A media file when it is included.", "type": "object",
		"required": []any{"id", "url", "alt"},
		"properties": tree{
			"id": reference("Id"), "url": tree{"type": "string", "format": "uri"},
			"alt": tree{"type": "string"}, "name": tree{"type": "string"},
			"mime": tree{"type": "string"}, "width": pixels, "height": clone(pixels),
		},
	}
}
