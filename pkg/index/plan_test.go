package index

import (
	"reflect"
	"testing"

	"headless/pkg/cms/query"
)

// ofText is an equality on one text.
func ofText(path string, counted bool) *equality {
	return &equality{path: path, values: [][]query.Value{{{}}}, counted: counted, covers: []int{0}}
}

func TestPlanOf(t *testing.T) {
	sku, note := ofText("sku", true), ofText("note", false)
	ordered := shape{page: 26, rows: true}
	sorted := shape{page: 26, sorts: 1, rows: true}
	twice := shape{page: 26, sorts: 2, rows: true}
	unsorted := shape{page: 26, sorts: 1}
	price := &valueRange{path: "price"}
	compared := shape{page: 26, sorts: 1, rows: true, compared: price}
	for _, c := range []struct {
		name string
		q    shape
		n    counted
		want []step
	}{
		{"no filter", ordered, counted{total: 100_000, all: 100_000}, []step{{way: planWalk, rows: 26}}},
		{"nothing matches", ordered, counted{best: sku, total: 0, all: 100_000}, []step{{way: planNothing}}},
		{"a rare value", ordered, counted{best: sku, rows: 10, total: 10, all: 100_000},
			[]step{{way: planWalk, equality: sku, rows: 26}}},
		{"a frequent value", ordered, counted{best: sku, rows: 50_000, total: 50_000, all: 100_000},
			[]step{{way: planWalk, rows: 52}}},
		{"a rare value, sorted", sorted, counted{best: sku, rows: 10, total: 10, all: 100_000},
			[]step{{way: planCollect, equality: sku, rows: 10}}},
		{"a frequent value, sorted", sorted, counted{best: sku, rows: 50_000, total: 50_000, all: 100_000},
			[]step{{way: planWalk, rows: 52}}},
		{"a frequent value, sorted by two fields", twice, counted{best: sku, rows: 50_000, total: 50_000, all: 100_000},
			[]step{{way: planWalk, rows: 52}}},
		{"a value with another filter", ordered, counted{best: sku, rows: 10, total: -1, all: 100_000},
			[]step{{way: planCollect, equality: sku, rows: 10}}},
		{"a value that is not counted", ordered, counted{best: note, rows: 100_000, total: -1, all: 100_000},
			[]step{{way: planCollect, equality: note, rows: 100_000}, {way: planCount, rows: 100_000}}},
		{"a comparison", compared, counted{total: -1, all: 100_000},
			[]step{{way: planCollect, compared: price, rows: 100_000}, {way: planCount, rows: 100_000}}},
		{"no rows for the filter, few entries", unsorted, counted{total: -1, all: MaxCollect},
			[]step{{way: planCollect, rows: MaxCollect}}},
		{"no rows for the filter", ordered, counted{total: -1, all: MaxCollect + 1},
			[]step{{way: planCount, rows: MaxCollect + 1}}},
		{"no rows for filter and order", unsorted, counted{total: -1, all: MaxCollect + 1}, nil},
		{"no rows for the filter, two sorts", twice, counted{total: -1, all: MaxCollect + 1}, nil},
	} {
		if got := planOf(c.q, c.n); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestCheapest(t *testing.T) {
	sku, color, note := *ofText("sku", true), *ofText("color", true), *ofText("note", false)
	tags := equality{path: "tags", values: [][]query.Value{{{}}, {{}}}, list: true, counted: true, covers: []int{0}}
	for _, c := range []struct {
		name    string
		eqs     []equality
		counts  []int
		filters int
		want    counted
	}{
		{"no filter", nil, []int{7}, 0, counted{total: 7, all: 7}},
		{"no equality", nil, []int{7}, 1, counted{total: -1, all: 7}},
		{"a counted equality", []equality{sku}, []int{7, 2, 0}, 1, counted{best: &sku, rows: 2, total: 2, all: 7}},
		{"with another filter", []equality{sku}, []int{7, 2, 0}, 2, counted{best: &sku, rows: 2, total: -1, all: 7}},
		{"the fewest rows", []equality{sku, color}, []int{7, 5, 0, 3, 0}, 2,
			counted{best: &color, rows: 3, total: -1, all: 7}},
		{"not counted", []equality{note}, []int{7, 0, 0}, 1, counted{best: &note, rows: 7, total: -1, all: 7}},
		{"one of two texts of a list", []equality{tags}, []int{7, 2, 3, 0}, 1,
			counted{best: &tags, rows: 5, total: -1, all: 7}},
		{"more values than rows", []equality{tags}, []int{7, 2, 3, 1}, 1, counted{total: -1, all: 7}},
	} {
		if got := cheapest(c.eqs, c.counts, c.filters); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestPlanRefused(t *testing.T) {
	var plan Plan
	c := &Collection{Spec: &IndexSpec{}, Fixed: func(_, _ string) (string, bool) { return "", false }}
	l := newLister(nil, &bodies{c: c}, []string{"s"},
		ListQuery{Sort: []query.SortField{{Path: "data.note"}}, Plan: &plan}, "", nil)
	_, err := l.runPlan(t.Context(), counted{total: -1, all: MaxCollect + 1})
	if want := (Plan{Way: planRefused, Rows: MaxCollect + 1}); err != ErrNotIndexed || plan != want {
		t.Errorf("%v, plan %+v, want %+v", err, plan, want)
	}
}
