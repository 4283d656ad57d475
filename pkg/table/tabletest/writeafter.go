package tabletest

import (
	"fmt"
	"testing"

	"headless/pkg/table"
)

// testWriteAfter checks that stages are stored with the operations, and that operations whose conditions fail are not applied.
func testWriteAfter(t *testing.T, tab table.Table) {
	var first []table.Item
	for i := range 60 {
		first = append(first, item("stage", fmt.Sprintf("%03d", i), "x"))
	}
	stages := [][]table.Item{first, nil, {item("stage", "last", "y")}}
	entity := table.Op{Kind: table.Put, Item: item("entity", "e", "z"), If: table.Absent}
	if err := tab.WriteAfter(t.Context(), stages, []table.Op{entity}); err != nil {
		t.Fatal(err)
	}
	staged, err := tab.Query(t.Context(), table.Range{Partition: "stage"})
	if err != nil || len(staged) != 61 {
		t.Errorf("%d items of the stages are stored (%v), want 61", len(staged), err)
	}
	entity.Item.Body = []byte("again")
	wantFailing(t, tab.WriteAfter(t.Context(), stages, []table.Op{put(item("entity", "other", "z")), entity}), 1)
	got, err := tab.Get(t.Context(), table.Strong, key("entity", "e"), key("entity", "other"))
	if err != nil {
		t.Fatal(err)
	}
	if got[0] == nil || string(got[0].Body) != "z" || got[1] != nil {
		t.Errorf("a refused write was applied: %v", got)
	}
}
