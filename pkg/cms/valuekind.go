package cms

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
