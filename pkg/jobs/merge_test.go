package jobs_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/jobs"
	"headless/pkg/site"
	"headless/pkg/table"
)

// TestTextMerger finds that the texts of a model are merged at the turn of one of its events, and
// left alone until then.
func TestTextMerger(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	if err := (&site.Locales{Store: w.store.Site}).EnsureDefault(ctx); err != nil {
		t.Fatal(err)
	}
	m, err := (&site.Models{Store: w.store.Site}).Create(ctx, tester,
		map[string]any{"slug": "notes", "name": "Notes"})
	if err != nil {
		t.Fatal(err)
	}
	pending := func() int {
		rows, err := w.table.Query(ctx, table.Range{Partition: "Q#" + site.IndexName(m.ID, 1)})
		if err != nil {
			t.Fatal(err)
		}
		return len(rows)
	}
	entries := &editing.Entries{Store: w.store.Content}
	merger := jobs.TextMerger{Store: w.store.Content, Log: quiet}
	merged := false
	for n := 1; !merged && n < 1000; n++ {
		if _, err := entries.Create(ctx, tester, "notes", map[string]any{"title": fmt.Sprintf("Note %d", n)}); err != nil {
			t.Fatal(err)
		}
		rows, err := w.store.Outbox(ctx, 100_000)
		if err != nil {
			t.Fatal(err)
		}
		merger.After(ctx, rows)
		turn := false
		for _, row := range rows {
			e, err := db.DecodePendingEvent(row)
			if err != nil {
				t.Fatal(err)
			}
			turn = turn || e.Model == "notes" && uuid.MustParse(e.ID)[15]%32 == 0
		}
		if merged = turn; !turn && pending() != n {
			t.Fatalf("%d texts are pending, want %d", pending(), n)
		}
	}
	if left := pending(); !merged || left != 1 { // what remains is the state of the merges
		t.Errorf("merged %v, %d rows are left", merged, left)
	}
}
