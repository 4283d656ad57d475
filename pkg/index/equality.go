package index

import (
	"headless/pkg/cms/query"
	"headless/pkg/index/sortkey"
	"headless/pkg/index/totals"
)

// equality is a filter, or several, whose matches are ranges of index rows: the rows of a path that
// have one of some values.
type equality struct {
	path string
	// Alternatives; each holds one value, or one for each part of a composite index.
	values  [][]query.Value
	list    bool
	counted bool
	covers  []int // the filters that it answers
}

func (e *equality) keyOf(i int) []byte {
	if len(e.values[i]) > 1 {
		return compositeKey(e.values[i])
	}
	return sortkey.Encode(e.values[i][0])
}

func (e *equality) counter(i int) string { return ValueCounter(e.path, e.values[i]...) }

// maxAlternatives is the largest number of values of an in filter that are looked up one by one.
const maxAlternatives = 20

// equality converts a filter to an equality. It returns false if the filter is none on an indexed
// path.
func (c *Collection) equality(f query.Filter) (equality, bool) {
	i := c.Spec.findPath(f.Path)
	if i < 0 || c.Spec.Paths[i].Parts != nil {
		return equality{}, false
	}
	p := &c.Spec.Paths[i]
	eq := equality{path: p.Path, list: p.List, counted: p.Counted}
	info, ok := c.Lookup(f.Path)
	if !ok {
		return equality{}, false
	}
	switch {
	case f.Op == query.OpNull && f.Values[0] == "true":
		eq.values = [][]query.Value{{{}}}
		return eq, true
	case f.Op != query.OpEq && f.Op != query.OpIn, len(f.Values) > maxAlternatives:
		return equality{}, false
	}
	var values []query.Value
	for _, s := range f.Values {
		if v, ok := query.ParseValue(info.Kind, s); ok {
			values = append(values, v)
		}
	}
	keys := map[string]bool{}
	for _, v := range distinct(values) {
		// Texts that differ only in case share their rows.
		if key := string(sortkey.Encode(v)); !keys[key] {
			keys[key] = true
			eq.values = append(eq.values, []query.Value{v})
		} else {
			eq.counted = false
		}
	}
	return eq, len(eq.values) > 0
}

// CountersOf returns the counters whose documents are those that match a filter; ok is false if it has
// no such counters. Documents with the counter unsure, if it is not "", may match too.
func (c *Collection) CountersOf(f query.Filter) (names []string, unsure string, ok bool) {
	eq, ok := c.equality(f)
	if !ok || !eq.counted {
		return nil, "", false
	}
	for i := range eq.values {
		names = append(names, eq.counter(i))
	}
	if eq.list {
		unsure = totals.Overflow + eq.path
	}
	return names, unsure, true
}

// equalities returns all equalities that filters give: single filters, and composite indexes.
func (c *Collection) equalities(filters []query.Filter) []equality {
	var all []equality
	single := map[string]int{}
	for i, f := range filters {
		if f.Op == query.OpEq {
			single[f.Path] = i
		}
		if eq, ok := c.equality(f); ok {
			eq.covers = []int{i}
			all = append(all, eq)
		}
	}
	for i := range c.Spec.Paths {
		p := &c.Spec.Paths[i]
		if eq, ok := c.composite(p, filters, single); ok {
			all = append(all, eq)
		}
	}
	return all
}

// composite returns the equality on a composite index. It returns false unless filters give a value
// for every part of it.
func (c *Collection) composite(p *IndexedPath, filters []query.Filter, single map[string]int) (equality, bool) {
	if p.Parts == nil {
		return equality{}, false
	}
	eq := equality{path: p.Path, counted: true}
	var values []query.Value
	for _, part := range p.Parts {
		i, ok := single[part]
		info, known := c.Lookup(part)
		if !ok || !known {
			return equality{}, false
		}
		v, ok := query.ParseValue(info.Kind, filters[i].Values[0])
		if !ok {
			return equality{}, false
		}
		values, eq.covers = append(values, v), append(eq.covers, i)
	}
	eq.values = [][]query.Value{values}
	return eq, true
}
