package index

import (
	"context"
	"slices"

	"headless/pkg/cms/query"
	"headless/pkg/index/sortkey"
)

// valueRange is a range of the index rows of a path.
type valueRange struct{ path, from, to string }

// comparison returns the rows that match a filter of the query that compares (lt, lte, gt, gte) on an
// indexed path, nil if there is no such filter.
func (l *lister) comparison() *valueRange {
	for _, f := range l.q.Filters {
		i := l.c.Spec.findPath(f.Path)
		if i < 0 || l.c.Spec.Paths[i].List {
			continue
		}
		info, ok := l.c.Lookup(f.Path)
		if !ok {
			continue
		}
		v, ok := query.ParseValue(info.Kind, f.Values[0])
		if !ok {
			continue
		}
		from, to := "", string([]byte{sortkey.TagMissing})
		key := string(sortkey.Encode(v))
		switch f.Op {
		case query.OpLt, query.OpLte:
			// Values that are too long for a key share the key of their beginning: the filter
			// decides.
			to = sortkey.After(key)
		case query.OpGt, query.OpGte:
			from = key
		default:
			continue
		}
		return &valueRange{f.Path, from, to}
	}
	return nil
}

// byRange streams the rows of a range.
func (l *lister) byRange(r valueRange) *merged {
	m := &merged{}
	for _, space := range l.spaces {
		m.streams = append(m.streams, &stream{t: l.db.Table, space: space, path: r.path,
			from: r.from, to: r.to, chunk: maxChunk})
	}
	return m
}

// match reports whether a record meets the filters. known is false if its body must be read first.
func (l *lister) match(r *Record) (ok, known bool, err error) {
	unknown := false
	for _, f := range l.q.Filters {
		values, known, err := l.c.valuesAt(r, f.Path)
		if err != nil {
			return false, true, err
		}
		if !known {
			unknown = true
			continue
		}
		info, found := l.c.Lookup(f.Path)
		if !found || !f.MatchValues(info.Kind, values, sortkey.CompareText) {
			return false, true, nil
		}
	}
	return !unknown, !unknown, nil
}

// keepMatching keeps the records that meet the filters, reading the bodies of records whose rows lack
// the values.
func (l *lister) keepMatching(ctx context.Context, records []*Record) ([]*Record, error) {
	if len(l.q.Filters) == 0 {
		return l.withLabels(ctx, records)
	}
	var bodies []*Record
	drop := map[*Record]bool{}
	for _, r := range records {
		ok, known, err := l.match(r)
		if err != nil {
			return nil, err
		}
		if !known {
			bodies = append(bodies, r)
		} else if !ok {
			drop[r] = true
		}
	}
	if err := l.matchBodies(ctx, bodies, drop); err != nil {
		return nil, err
	}
	if len(drop) > 0 {
		records = slices.DeleteFunc(slices.Clone(records), func(r *Record) bool { return drop[r] })
	}
	return l.withLabels(ctx, records)
}
