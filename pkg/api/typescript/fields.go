package typescript

import (
	"cmp"
	"encoding/json"
	"strings"

	"headless/pkg/cms"
)

// shape makes the types of fields, either for reads, with or without includes, or for writes.
type shape struct {
	write bool
	names map[string]string // names of models by slug; for reads
}

// objectType returns the type of an object of fields. Every field is optional: drafts are incomplete,
// and a query may select fields. included is the type of the include paths that begin here.
func (s shape) objectType(fields []cms.Field, included, indent string, extra ...string) string {
	var b strings.Builder
	b.WriteString("{\n")
	inner := indent + "  "
	for _, member := range extra {
		b.WriteString(inner + member + ";\n")
	}
	for i := range fields {
		f := &fields[i]
		if about := comment(f); about != "" {
			b.WriteString(inner + "/** " + about + " */\n")
		}
		b.WriteString(inner + f.Name + "?: " + s.fieldType(f, included, inner) + ";\n")
	}
	b.WriteString(indent + "}")
	return b.String()
}

// comment returns the help or the label of a field on one line.
func comment(f *cms.Field) string {
	about := cmp.Or(f.Help, f.Label)
	if f.IsShared() {
		about = strings.TrimPrefix(about+": the same in all translations", ": ")
	}
	return strings.ReplaceAll(strings.Join(strings.Fields(about), " "), "*/", "* /")
}

func (s shape) fieldType(f *cms.Field, included, indent string) string {
	if s.write {
		return s.valueType(f, included, indent) + " | null"
	}
	return s.valueType(f, included, indent)
}

// valueType returns the type of a value that is not null.
func (s shape) valueType(f *cms.Field, included, indent string) string {
	switch f.Type {
	case cms.TypeNumber:
		return "number"
	case cms.TypeBoolean:
		return "boolean"
	case cms.TypeDate:
		return "ISODate"
	case cms.TypeDateTime:
		return "ISODateTime"
	case cms.TypeSelect:
		return union(f.Options)
	case cms.TypeMultiSelect:
		return "(" + union(f.Options) + ")[]"
	case cms.TypeJSON:
		return "JSONValue"
	case cms.TypeMedia, cms.TypeRelation:
		return s.reference(f, included)
	case cms.TypeGroup:
		return s.objectType(f.Fields, includesBelow(included, f), indent)
	case cms.TypeList:
		return s.objectType(f.Fields, includesBelow(included, f), indent) + "[]"
	case cms.TypeBlocks:
		return "(" + s.kinds(f, included, indent) + ")[]"
	case cms.TypeRichText:
		switch {
		case s.write:
			return "string"
		case len(f.Fields) == 0:
			return "Texts<T>"
		}
		return "Texts<T," + s.kinds(f, included, indent) + ">"
	}
	return "string"
}

// includesBelow returns the type of the include paths that begin inside a field.
func includesBelow(included string, f *cms.Field) string {
	if included == "" {
		return ""
	}
	return "Below<" + included + ", " + quote(f.Name) + ">"
}

// reference returns the type of a reference: an id, or the entry or file if it is included, null if
// that no longer exists.
func (s shape) reference(f *cms.Field, included string) string {
	id, objects := "ID", []string{"IncludedMedia"}
	if len(f.Models) > 0 {
		id = "{ model: " + union(f.Models) + "; id: ID }"
	}
	if s.write {
		return many(f, id)
	}
	if f.Type == cms.TypeRelation {
		objects = nil
		for _, slug := range f.Targets() {
			if name, ok := s.names[slug]; ok {
				objects = append(objects, name+"Related<"+includesBelow(included, f)+", T>")
			}
		}
	}
	switch {
	case len(objects) > 0:
	case len(f.Models) > 0:
		return many(f, id)
	default:
		return many(f, "string") // the file does not describe the model
	}
	if !f.Many {
		objects = append(objects, "null")
	}
	return many(f, "Resolved<"+included+", "+quote(f.Name)+", "+strings.Join(objects, " | ")+", "+id+">")
}

func many(f *cms.Field, one string) string {
	if !f.Many {
		return one
	}
	if strings.HasPrefix(one, "{") {
		return "(" + one + ")[]"
	}
	return one + "[]"
}

// kinds returns the union of the block types of a field by the key type.
func (s shape) kinds(f *cms.Field, included, indent string) string {
	var b strings.Builder
	b.WriteString("\n")
	for i := range f.Fields {
		block := &f.Fields[i]
		b.WriteString(indent + "  | " + s.objectType(block.Fields, includesBelow(included, f), indent+"    ",
			"type: "+quote(block.Name)) + "\n")
	}
	b.WriteString(indent)
	return b.String()
}

// quote returns a string literal. JSON strings are TypeScript literals too.
func quote(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic("typescript: a text cannot be encoded: " + err.Error())
	}
	return string(raw)
}
