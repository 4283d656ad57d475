package index

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms/query"
	"headless/pkg/index/sortkey"
	"headless/pkg/slice"
)

// comparison returns the rows that match a filter that compares (lt, lte, gt, gte) on an indexed path,
// nil if there is no such filter.
func (c *Collection) comparison(filters []query.Filter) *valueRange {
	for _, f := range filters {
		i := c.Spec.findPath(f.Path)
		if i < 0 || c.Spec.Paths[i].List {
			continue
		}
		info, ok := c.Lookup(f.Path)
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

// match reports whether a record meets the filters. known is false if its body must be read first.
func (c *Collection) match(r *Record, filters []query.Filter) (ok, known bool, err error) {
	unknown := false
	for _, f := range filters {
		values, known, err := c.valuesAt(r, f.Path)
		if err != nil {
			return false, true, err
		}
		if !known {
			unknown = true
			continue
		}
		info, found := c.Lookup(f.Path)
		if !found || !f.MatchValues(info.Kind, values, sortkey.CompareText) {
			return false, true, nil
		}
	}
	return !unknown, !unknown, nil
}

// matcher decides which records a query lists.
type matcher struct {
	sorter
	filters []query.Filter
	labels  *Labels // that records must have; nil: any
}

// keepMatching keeps the records that meet the filters, reading the bodies of records whose rows lack
// the values.
func (m *matcher) keepMatching(ctx context.Context, records []*Record) ([]*Record, error) {
	if len(m.filters) == 0 {
		return m.withLabels(ctx, records)
	}
	var unread []*Record
	drop := map[*Record]bool{}
	for _, r := range records {
		ok, known, err := m.c.match(r, m.filters)
		if err != nil {
			return nil, err
		}
		if !known {
			unread = append(unread, r)
		} else if !ok {
			drop[r] = true
		}
	}
	if err := m.matchBodies(ctx, unread, drop); err != nil {
		return nil, err
	}
	if len(drop) > 0 {
		records = slices.DeleteFunc(slices.Clone(records), func(r *Record) bool { return drop[r] })
	}
	return m.withLabels(ctx, records)
}

// matchBodies reads the bodies of records, and adds those that do not meet the filters to drop.
func (m *matcher) matchBodies(ctx context.Context, records []*Record, drop map[*Record]bool) error {
	return m.each(ctx, records, func(r *Record) error {
		if r.Item == nil {
			drop[r] = true
			return nil
		}
		ok, _, err := m.c.match(r, m.filters)
		if err != nil {
			return err
		}
		if !ok {
			drop[r] = true
			return nil
		}
		return m.keepKey(r)
	})
}

// withLabels keeps the records whose documents have one of the labels that the query asks for.
func (m *matcher) withLabels(ctx context.Context, records []*Record) ([]*Record, error) {
	if m.labels == nil || len(records) == 0 {
		return records, nil
	}
	if m.probed += len(records); m.probed > maxProbes+LoadChunk {
		return nil, ErrNotIndexed
	}
	held, err := m.c.Held(ctx, slice.Map(records, func(r *Record) uuid.UUID { return r.ID }))
	if err != nil {
		return nil, err
	}
	kept := records[:0:0]
	for i, r := range records {
		if _, ok := m.labels.Counts[held[i].Space][held[i].Label()]; ok {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

// matchHits reads the documents of hits and keeps those that match in some spaces.
func (m *matcher) matchHits(ctx context.Context, records []*Record, spaces []string) ([]*Record, error) {
	var matching []*Record
	err := m.each(ctx, records, func(r *Record) error {
		ok, err := m.c.locate(r, spaces)
		if err != nil || !ok {
			return err
		}
		if ok, _, err = m.c.match(r, m.filters); err != nil || !ok {
			return err
		}
		matching = append(matching, r)
		return m.keepKey(r)
	})
	return matching, err
}

// keepKey computes the key of a record whose body may be dropped.
func (m *matcher) keepKey(r *Record) error {
	key := r.key
	known, err := m.setKey(r)
	if known {
		r.sortKey, r.key = r.key, key
	}
	return err
}
