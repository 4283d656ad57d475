package index

import (
	"strings"

	"headless/pkg/cms/query"
	"headless/pkg/index/sortkey"
)

// The order of a list. A record's key is the encoded values of the sort fields, then its default
// order, then its id. If the first sort field descends, the list is in the reverse order of the
// keys. All strategies give the same keys, so a cursor works with any of them.

// order is the order of a list.
type order struct {
	c    *Collection
	sort []query.SortField // nil: the default order
}

func (o *order) reverse() bool { return len(o.sort) > 0 && o.sort[0].Desc }

// path returns the path whose rows are in the order of the first sort field.
func (o *order) path() string {
	if len(o.sort) == 0 {
		return DefaultPath
	}
	return o.sort[0].Path
}

// group returns the beginning of a key that is equal for all records of a group: those with the
// same first value, which are sorted together.
func group(key string) string { return key[:sortkey.Len(key)] }

// setKey computes the key of a record. ok is false if its body must be read first.
func (o *order) setKey(r *Record) (ok bool, err error) {
	var key []byte
	for _, f := range o.sort {
		values, ok, err := o.c.valuesAt(r, f.Path)
		if !ok || err != nil {
			return false, err
		}
		var v query.Value
		if len(values) > 0 {
			v = values[0]
		}
		from := len(key)
		key = sortkey.Append(key, v, sortkey.MaxText)
		if f.Desc != o.sort[0].Desc {
			sortkey.Invert(key[from:])
		}
	}
	order, ok, err := o.c.orderOf(r)
	if !ok || err != nil {
		return false, err
	}
	r.key = string(key) + order + string(r.ID[:])
	return true, nil
}

// orderOf returns the encoded default order of a record, from its row (between value and id) or its
// body.
func (c *Collection) orderOf(r *Record) (order string, ok bool, err error) {
	if r.row != "" {
		return c.Spec.rowOrder(r), true, nil
	}
	if r.Item == nil {
		return "", false, nil
	}
	if err := c.Decoded(r); err != nil {
		return "", false, err
	}
	return string(c.Spec.orderKey(r.Doc)), true, nil
}

// rowOrder returns the encoded default order in the row of a record: between value and id.
func (s *IndexSpec) rowOrder(r *Record) string {
	from := 0
	for range s.rowValues(r.path) {
		from += sortkey.Len(r.row[from:])
	}
	return r.row[from : len(r.row)-len(r.ID)]
}

// rowValues returns how many encoded values the rows of a path start with.
func (s *IndexSpec) rowValues(path string) int {
	if strings.HasPrefix(path, DefaultPath) { // with a label or without
		return 0
	}
	if i := s.findPath(path); i >= 0 && s.Paths[i].Parts != nil {
		return len(s.Paths[i].Parts)
	}
	return 1
}
