package table_test

import (
	"context"
	"testing"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

// TestGetVersions reads rows of which eventual reads show an older version, or none: it never returns these, and reads
// at half the price only where all versions are known.
func TestGetVersions(t *testing.T) {
	old, now := sim.New(sim.Options{}), sim.New(sim.Options{})
	put := func(to table.Table, sort string, version int64) {
		t.Helper()
		item := table.Item{Key: table.Key{Partition: "p", Sort: sort}, Version: version}
		must.Do(t, to.BatchWrite(t.Context(), []table.Item{item}, nil))
	}
	put(old, "same", 3)
	put(old, "late", 4)
	for sort, version := range map[string]int64{"same": 3, "late": 5, "new": 1} {
		put(now, sort, version)
	}
	for name, test := range map[string]struct {
		sorts    []string
		versions []int64
		want     []int64 // 0: there is no row
		units    float64
	}{
		"none":          {nil, nil, nil, 0},
		"known":         {[]string{"same"}, []int64{3}, []int64{3}, 0.5},
		"stale":         {[]string{"same", "late", "new"}, []int64{3, 5, 1}, []int64{3, 5, 1}, 3*0.5 + 2},
		"changed since": {[]string{"late", "same"}, []int64{2, 3}, []int64{5, 3}, 2*0.5 + 1},
		"deleted":       {[]string{"gone", "same"}, []int64{2, 3}, []int64{0, 3}, 2*0.5 + 1},
		"some unknown":  {[]string{"same", "late", "new"}, []int64{3, 0, 0}, []int64{3, 5, 1}, 3},
		"all unknown":   {[]string{"late", "gone"}, []int64{0, 0}, []int64{5, 0}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			counting := table.NewCounting(lateReads{now, old})
			keys := make([]table.Key, len(test.sorts))
			for i, sort := range test.sorts {
				keys[i] = table.Key{Partition: "p", Sort: sort}
			}
			items, err := table.GetVersions(t.Context(), counting, keys, test.versions)
			must.Do(t, err)
			for i, want := range test.want {
				got := int64(0)
				if items[i] != nil {
					got = items[i].Version
				}
				if got != want {
					t.Errorf("%s has version %d, want %d", test.sorts[i], got, want)
				}
			}
			if got := counting.Snapshot().ReadUnits; got != test.units {
				t.Errorf("it reads %v units, want %v", got, test.units)
			}
		})
	}
}

// lateReads is a table whose eventual reads see an older one.
type lateReads struct {
	table.Table
	old table.Table
}

func (t lateReads) Get(ctx context.Context, how table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	if how == table.Eventual {
		return t.old.Get(ctx, how, keys...)
	}
	return t.Table.Get(ctx, how, keys...)
}
