package index

import (
	"headless/pkg/cms/query"
	"headless/pkg/index/sortkey"
)

// Limits of the index of one document. They ensure that a change of status, which moves every row
// and unique value, fits into one transaction. They also keep change rows small.
const (
	MaxIndexedValues = 20 // rows of data fields; one less for each unique value after the first
	MaxCountedValues = 11 // of these, values that have a counter
	// Rows reserved for a list-valued field; longer lists are found without the index.
	ListReserve = 6
)

// DefaultPath is the path whose rows are in the default order.
const DefaultPath = "_"

// IndexedPath is a path that has index rows.
type IndexedPath struct {
	Path    string
	Parts   []string // the paths of a composite index; nil for a single path
	List    bool     // several values, one row each
	Counted bool     // equality has exact totals from counters
}

// IndexSpec defines which rows and counters the documents of one kind have.
type IndexSpec struct {
	Paths  []IndexedPath
	Order  []query.SortField // the default order
	Values func(doc any, path string) []query.Value

	OrderValues func(doc any, path string) []query.Value // values of the default order; nil: Values
}

// findPath returns the position of an indexed path, -1 if it has no rows.
func (s *IndexSpec) findPath(path string) int {
	for i := range s.Paths {
		if s.Paths[i].Path == path {
			return i
		}
	}
	return -1
}

// valueAt returns the value at a scalar path, the missing value if there is none.
func (s *IndexSpec) valueAt(doc any, path string) query.Value { return firstOf(s.Values(doc, path)) }

func firstOf(values []query.Value) query.Value {
	if len(values) > 0 {
		return values[0]
	}
	return query.Value{}
}

// orderKey encodes the default order of a document.
func (s *IndexSpec) orderKey(doc any) []byte {
	values := s.OrderValues
	if values == nil {
		values = s.Values
	}
	var key []byte
	for _, f := range s.Order {
		from := len(key)
		key = sortkey.Append(key, firstOf(values(doc, f.Path)), sortkey.MaxText/len(s.Order))
		if f.Desc {
			sortkey.Invert(key[from:])
		}
	}
	return key
}
