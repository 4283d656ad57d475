package cms

import (
	"slices"
	"strings"
)

// FieldType names the type of a model's field (decisions §9).
type FieldType string

// The field types of a model.
const (
	TypeText        FieldType = "text"
	TypeTextarea    FieldType = "textarea"
	TypeRichText    FieldType = "richtext" // Markdown
	TypeNumber      FieldType = "number"
	TypeBoolean     FieldType = "boolean"
	TypeDate        FieldType = "date"
	TypeDateTime    FieldType = "datetime"
	TypeEmail       FieldType = "email"
	TypeURL         FieldType = "url"
	TypeSelect      FieldType = "select"
	TypeMultiSelect FieldType = "multiselect"
	TypeJSON        FieldType = "json"
	TypeMedia       FieldType = "media"
	TypeRelation    FieldType = "relation"
	TypeGroup       FieldType = "group" // one object of Fields
	TypeList        FieldType = "list"  // a list of groups of Fields
	// A list of typed groups; Fields lists the block types, each a group.
	TypeBlocks FieldType = "blocks"
)

// FieldTypeInfo describes a type: how its values behave and how forms and documents present them.
type FieldTypeInfo struct {
	Type       FieldType
	Name, Help string // for people who define a model
	Input      string // kind of the input in forms (see ui.Field); "": the form builds its own
	Kind       ValueKind
	Text       bool   // free text: min, max and pattern apply
	Long       bool   // several lines: neither indexed nor a column in lists
	Side       bool   // forms show it in the side column
	Format     string // of a JSON string, in OpenAPI documents
	// Problem returns what is wrong with a value that is a JSON string, "" if it is valid. A nil
	// Problem accepts any string.
	Problem func(f *Field, s string) string
}

// fieldTypes has every type, in the order of the documentation. A new type whose values are JSON
// strings needs only its constant and its entry here. Others also need a case in dataCheck.value,
// in the forms of entries, and in the schemas for OpenAPI and TypeScript.
var fieldTypes = [...]FieldTypeInfo{
	{Type: TypeText, Name: "Text", Help: "One line, such as a subtitle.", Input: "text", Kind: ValueText, Text: true},
	{Type: TypeTextarea, Name: "Long text", Help: "Plain text of several lines.",
		Input: "textarea", Kind: ValueText, Text: true, Long: true},
	{Type: TypeRichText, Name: "Rich text", Help: "Headings, links and pictures, kept as Markdown.",
		Input: "markdown", Kind: ValueText, Text: true, Long: true},
	{Type: TypeNumber, Name: "Number", Help: "A price, a length, a rank.", Input: "number", Kind: ValueNumber},
	{Type: TypeBoolean, Name: "Yes or no", Help: "A box to tick.", Input: "checkbox", Kind: ValueBool, Side: true},
	{Type: TypeDate, Name: "Date", Help: "A day without a time.",
		Input: "date", Kind: ValueTime, Side: true, Format: "date", Problem: dateProblem},
	{Type: TypeDateTime, Name: "Date and time", Help: "An instant, such as the start of an event.",
		Input: "datetime", Kind: ValueTime, Side: true, Format: "date-time", Problem: timeProblem},
	{Type: TypeEmail, Name: "E-mail address", Help: "An address to write to.",
		Input: "email", Kind: ValueText, Text: true, Format: "email", Problem: emailProblem},
	{Type: TypeURL, Name: "Web address", Help: "A link to another site.",
		Input: "url", Kind: ValueText, Text: true, Format: "uri", Problem: urlProblem},
	{Type: TypeSelect, Name: "Choice", Help: "One of some words that you list.",
		Input: "select", Kind: ValueText, Side: true, Problem: optionProblem},
	{Type: TypeMultiSelect, Name: "Several choices", Help: "Any number of some words that you list.",
		Input: "checks", Kind: ValueText, Side: true, Problem: optionProblem},
	{Type: TypeJSON, Name: "JSON", Help: "Data of your own for programs.", Input: "json", Kind: ValueAny},
	{Type: TypeMedia, Name: "Picture or file", Help: "From the library.",
		Kind: ValueID, Side: true, Problem: idProblem},
	{Type: TypeRelation, Name: "Relation", Help: "Leads to entries of a model.",
		Kind: ValueID, Side: true, Problem: idProblem},
	{Type: TypeGroup, Name: "Group", Help: "Fields that belong together.", Kind: ValueObject},
	{Type: TypeList, Name: "List", Help: "The same fields, as often as needed.", Kind: ValueObject},
	{Type: TypeBlocks, Name: "Blocks", Help: "A page built of pieces of different types.", Kind: ValueObject},
}

// FieldTypes lists every type in the order of the documentation.
func FieldTypes() []FieldType {
	types := make([]FieldType, len(fieldTypes))
	for i := range fieldTypes {
		types[i] = fieldTypes[i].Type
	}
	return types
}

// Info describes a type. All fields are empty for an unknown type. Do not change the result.
func (t FieldType) Info() *FieldTypeInfo {
	for i := range fieldTypes {
		if fieldTypes[i].Type == t {
			return &fieldTypes[i]
		}
	}
	return &FieldTypeInfo{}
}

// IsText reports whether the value is free text: text, textarea, richtext, email and url.
func (f *Field) IsText() bool { return f.Type.Info().Text }

// Kind returns how the field's values compare.
func (f *Field) Kind() ValueKind { return f.Type.Info().Kind }

// IsReference reports whether the value is the id of a media file or an entry, or a list of them.
func (f *Field) IsReference() bool { return f.Type == TypeMedia || f.Type == TypeRelation }

// Targets returns the slugs of the models that a relation leads to.
func (f *Field) Targets() []string {
	if len(f.Models) > 0 {
		return f.Models
	}
	return []string{f.Model}
}

// Target returns the id in one value of a reference, and the slug of its model: the field's, or the one
// that a value of a relation to several models names (extensions §12). Both are "" for other values,
// and the slug is "" for a file.
func (f *Field) Target(v any) (model, id string) {
	switch v := v.(type) {
	case string:
		if len(f.Models) == 0 {
			return f.Model, v
		}
	case map[string]any:
		if len(f.Models) > 0 {
			model, _ = v["model"].(string)
			id, _ = v["id"].(string)
		}
	}
	return model, id
}

// HasFields reports whether the field has fields of its own: group, list and blocks.
func (f *Field) HasFields() bool {
	return f.Type == TypeGroup || f.Type == TypeList || f.Type == TypeBlocks
}

// HasBlockTypes reports whether the fields of the field are block types: of blocks, and of a richtext
// with blocks in its text (extensions §12).
func (f *Field) HasBlockTypes() bool {
	return f.Type == TypeBlocks || f.Type == TypeRichText && len(f.Fields) > 0
}

// IsList reports whether the value is a list: multiselect, list, blocks, and references with Many.
func (f *Field) IsList() bool {
	return f.Type == TypeMultiSelect || f.Type == TypeList || f.Type == TypeBlocks || f.IsReference() && f.Many
}

// IsScalar reports whether the value is one plain value, which can be sorted by, unique and
// indexed. A single reference is a scalar: its id.
func (f *Field) IsScalar() bool {
	kind := f.Kind()
	return kind != ValueAny && kind != ValueObject && !f.IsList()
}

// IsShort reports whether the value, or each value of a list, is short enough for an index row and
// a table cell.
func (f *Field) IsShort() bool {
	info := f.Type.Info()
	return info.Kind != ValueAny && info.Kind != ValueObject && !info.Long
}

// FormatProblem returns what is wrong with the format of a text of the field, "" if it is valid.
func (f *Field) FormatProblem(s string) string {
	if problem := f.Type.Info().Problem; problem != nil {
		return problem(f, s)
	}
	return ""
}

func unless(ok bool, problem string) string {
	if ok {
		return ""
	}
	return problem
}

func emailProblem(_ *Field, s string) string {
	return unless(ValidEmail(s), "must be an e-mail address")
}

func urlProblem(_ *Field, s string) string {
	return unless(ValidURL(s), "must be an absolute http or https address")
}

func dateProblem(_ *Field, s string) string {
	_, ok := ParseDate(s)
	return unless(ok, "must be a date of the form 2026-01-31")
}

func timeProblem(_ *Field, s string) string {
	_, ok := ParseDateTime(s)
	return unless(ok, "must be a timestamp of the form 2026-01-31T12:00:00Z")
}

func idProblem(_ *Field, s string) string { return unless(IsUUID(s), "must be an id (UUID)") }

func optionProblem(f *Field, s string) string {
	if slices.Contains(f.Options, s) {
		return ""
	}
	return "must be one of: " + Shorten(strings.Join(f.Options, ", "))
}

// ValueKind says how the values at a path compare.
type ValueKind int

// The kinds of value. Across kinds, values sort in this order, the missing one last.
const (
	ValueMissing ValueKind = iota
	ValueBool
	ValueNumber
	ValueTime // dates and timestamps: an instant
	ValueText
	ValueID // kind of a path: ids; their Values are of kind ValueText
	// Kind of a path: at or below a json field, or in block types with different kinds. Each Value
	// has its own kind.
	ValueAny
	ValueObject // a group, or a JSON object: only present or missing, and equal to nothing
)

// String names the kind for error messages.
func (k ValueKind) String() string {
	return [...]string{"missing", "boolean", "number", "date", "text", "id", "any", "object"}[k]
}
