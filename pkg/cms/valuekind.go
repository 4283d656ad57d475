package cms

// ValueKind tells how the values at a path compare.
type ValueKind int

// The kinds of value. Across kinds, values sort in this order, the missing one last.
const (
	ValueMissing ValueKind = iota
	ValueBool
	ValueNumber
	ValueTime // dates and timestamps: an instant
	ValueText
	ValueID // of a path: ids; a Value itself is then ValueText
	// Of a path: at or below a json field, or block types that disagree; each value has its own
	// kind.
	ValueAny
	ValueObject // a group, or a JSON object: there or not there, equal to nothing
)

// String names the kind for error messages.
func (k ValueKind) String() string {
	return [...]string{"missing", "boolean", "number", "date", "text", "id", "any", "object"}[k]
}
