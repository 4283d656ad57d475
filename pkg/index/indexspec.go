package index

import (
	"headless/pkg/cms/query"
	"headless/pkg/index/sortkey"
)

// Limits of the index of one document. They keep a change of status, which moves every row, and
// of every unique value within one transaction, and change rows small.
const (
	MaxIndexedValues = 20 // rows of data fields, one less for each unique value from the second on
	MaxCountedValues = 11 // of these, with a counter for each value
	// Rows kept free for a list-valued field; longer lists are found without the index.
	ListReserve = 6
)

// DefaultPath is the path whose rows stand in the default order.
const DefaultPath = "_"

// IndexedPath is a path that has index rows.
type IndexedPath struct {
	Path    string
	Parts   []string // the paths of a composite index; nil for a single path
	List    bool     // several values, one row each
	Counted bool     // equality has exact totals from counters
}

// IndexSpec tells how the documents of one kind are listed.
type IndexSpec struct {
	Paths  []IndexedPath
	Order  []query.SortField // the default order
	Values func(doc any, path string) []query.Value

	OrderValues func(doc any, path string) []query.Value // what the default order is made of; nil: Values
}

// find gives the position of an indexed path, -1 where it has no rows.
func (s *IndexSpec) find(path string) int {
	for i := range s.Paths {
		if s.Paths[i].Path == path {
			return i
		}
	}
	return -1
}

// value is the one value at a scalar path, the missing value where there is none.
func (s *IndexSpec) value(doc any, path string) query.Value { return firstOf(s.Values(doc, path)) }

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
