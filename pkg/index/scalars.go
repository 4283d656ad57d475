package index

import (
	"encoding/binary"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/index/sortkey"
)

// maxScalars is the largest size of the scalars in an index row, in bytes. Values that do not fit
// are read from the document.
const maxScalars = 220

// Scalars encodes the values of the indexed paths, which filters may need, as far as they fit. For
// each path it writes the position, the number of values, and the values. It leaves out times of the
// default order, which the keys of all rows hold.
func (s *IndexSpec) Scalars(doc any) []byte {
	var dst []byte
	for i := range s.Paths {
		p := &s.Paths[i]
		if p.Parts != nil {
			continue
		}
		values := s.Values(doc, p.Path)
		if len(values) > 100 || s.inOrder(p.Path, values) {
			continue
		}
		from := len(dst)
		dst = append(dst, byte(i), byte(len(values)))
		for _, v := range values {
			dst = appendScalar(dst, v)
		}
		if len(dst) > maxScalars {
			dst = dst[:from]
		}
	}
	return dst
}

// inRow returns the values at a path that the row of a record holds; ok is false if it does not hold them.
func (s *IndexSpec) inRow(r *Record, path string) (values []query.Value, ok bool) {
	i := s.findPath(path)
	if i < 0 {
		return nil, false
	}
	if values, ok = scalarValues(r.scalars, i); ok || r.row == "" {
		return values, ok
	}
	return s.timeInOrder(s.rowOrder(r), path)
}

// inOrder reports whether timeInOrder returns these values of a path.
func (s *IndexSpec) inOrder(path string, values []query.Value) bool {
	return slices.ContainsFunc(s.Order, func(f query.SortField) bool { return f.Path == path }) &&
		(len(values) == 0 || len(values) == 1 && values[0].Kind == cms.ValueTime)
}

// timeInOrder returns the time at a path in an encoded default order, or none if it is missing there. ok is
// false if the order does not have the path, or another kind of value.
func (s *IndexSpec) timeInOrder(order, path string) (values []query.Value, ok bool) {
	for _, f := range s.Order {
		b := []byte(order)
		if f.Desc {
			sortkey.Invert(b)
		}
		n := sortkey.Len(string(b))
		switch {
		case f.Path != path:
			order = order[n:]
			continue
		case b[0] == sortkey.TagTime:
			values = []query.Value{scalar(cms.ValueTime, b[1:n])}
		}
		return values, b[0] == sortkey.TagTime || b[0] == sortkey.TagMissing
	}
	return nil, false
}

func appendScalar(dst []byte, v query.Value) []byte {
	var raw []byte
	switch v.Kind {
	case cms.ValueBool:
		raw = []byte{0}
		if v.Bool {
			raw[0] = 1
		}
	case cms.ValueNumber:
		raw = sortkey.AppendNumber(nil, v.Number)
		if len(v.Number.Digits) > sortkey.MaxDigits || v.Number.Exp > 1<<14 || v.Number.Exp < -1<<14 {
			raw = make([]byte, maxScalars) // too long to be exact: read it from the document
		}
	case cms.ValueTime:
		raw = sortkey.AppendTime(nil, v.Time)
	case cms.ValueText:
		raw = []byte(v.Text)
	}
	dst = append(dst, byte(v.Kind))
	dst = binary.AppendUvarint(dst, uint64(len(raw)))
	return append(dst, raw...)
}

// scalarValues returns the values of the path at a position. ok is false if the row does not hold
// them.
func scalarValues(b []byte, position int) (values []query.Value, ok bool) {
	for len(b) >= 2 {
		found, n := int(b[0]) == position, int(b[1])
		b = b[2:]
		for range n {
			kind := cms.ValueKind(b[0])
			size, w := binary.Uvarint(b[1:])
			raw := b[1+w : 1+w+int(size)]
			b = b[1+w+int(size):]
			if found {
				values = append(values, scalar(kind, raw))
			}
		}
		if found {
			return values, true
		}
	}
	return nil, false
}

func scalar(kind cms.ValueKind, raw []byte) query.Value {
	v := query.Value{Kind: kind}
	switch kind {
	case cms.ValueBool:
		v.Bool = raw[0] == 1
	case cms.ValueNumber:
		v.Number = sortkey.ParseNumber(raw)
	case cms.ValueTime:
		v.Time = sortkey.ParseTime(raw)
	case cms.ValueText:
		v.Text = string(raw)
	}
	return v
}
