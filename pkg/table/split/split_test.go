package split

import (
	"testing"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/sim"
	"headless/pkg/table/tabletest"
)

func two() (main, apart *sim.Table) { return sim.New(sim.Options{}), sim.New(sim.Options{}) }

func TestConformance(t *testing.T) {
	for name, prefix := range map[string]string{"none apart": "none#", "all apart": ""} {
		t.Run(name, func(t *testing.T) {
			tabletest.Run(t, func(*testing.T) table.Table {
				main, apart := two()
				return New(main, apart, prefix)
			})
		})
	}
}

func TestBoth(t *testing.T) {
	main, apart := two()
	tab := New(main, apart, "L#")
	a, b := table.Item{Key: table.Key{Partition: "E#1", Sort: "a"}, Version: 1},
		table.Item{Key: table.Key{Partition: "L#1", Sort: "a"}, Version: 2}
	must.Do(t, tab.BatchWrite(t.Context(), []table.Item{a, b}, nil))
	items, err := tab.Get(t.Context(), table.Strong, b.Key, a.Key)
	if err != nil || items[0] == nil || items[1] == nil || items[0].Version != 2 || items[1].Version != 1 {
		t.Errorf("%v, %v", items, err)
	}
	if rows, err := main.Query(t.Context(), table.Range{Partition: "L#1"}); err != nil || len(rows) > 0 {
		t.Errorf("%d rows in the main table, %v", len(rows), err)
	}
	if err := tab.Write(t.Context(), []table.Op{{Item: a}, {Item: b}}); err == nil {
		t.Error("a write touched both tables")
	}
}
