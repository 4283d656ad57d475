package ahead

import (
	"testing"

	"headless/pkg/content"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/table"
)

// TestSpotOf reads keys that their rooms made, and others as they make them.
func TestSpotOf(t *testing.T) {
	for key, want := range map[table.Key]spot{
		content.MemberKey("m", "e"):             {model: "m", entry: "e"},
		tree.Key("e"):                           {entry: "e"},
		{Partition: db.ChangesPartition("m.3")}: {model: "m", moves: true},
		{Partition: index.RowPartition("m.3#de#published", index.DefaultPath)}: {model: "m", keyLocale: "de"},
		{Partition: "S#m#de#a#b", Sort: "s"}:                                   {model: "m", keyLocale: "de"},
		{Partition: "HAD#m#de#a", Sort: "h"}:                                   {model: "m", keyLocale: "de", trail: true},
		{Partition: "FORMER#m", Sort: "e"}:                                     {model: "m", entry: "e", trail: true},
	} {
		if got, ok := spotOf(key); !ok || got != want {
			t.Errorf("%q: %+v, %t, not %+v", key, got, ok, want)
		}
	}
	if got, ok := spotOf(table.Key{Partition: "U#m#de#f#h", Sort: "u"}); ok {
		t.Errorf("a unique value: %+v", got)
	}
}
