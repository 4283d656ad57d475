package apikeys

import (
	"testing"
	"time"

	"headless/pkg/table"
)

// TestOpenReadsCursorKey opens requests in a process of a site without cursors, and then in one of a
// site with cursors.
func TestOpenReadsCursorKey(t *testing.T) {
	counting := table.NewCounting(openTable(t))
	for _, row := range []struct {
		name   string
		cursor float64 // read units of the first cursor after the first request
	}{{"the site has no cursors", 2}, {"another process has made one", 0}} {
		t.Run(row.name, func(t *testing.T) {
			process := New(counting, time.Now)
			for i, want := range []float64{3, 1} { // the configuration and the key of cursors, then its version
				counting.Reset()
				if _, err := process.Open(t.Context(), ""); err != nil {
					t.Fatal(err)
				}
				if got := counting.Snapshot().ReadUnits; got != want {
					t.Errorf("request %d reads %v units, want %v", i+1, got, want)
				}
			}
			counting.Reset()
			if _, err := process.EncodeCursor(t.Context(), nil, "position"); err != nil {
				t.Fatal(err)
			}
			if got := counting.Snapshot().ReadUnits; got != row.cursor {
				t.Errorf("a cursor reads %v units, want %v", got, row.cursor)
			}
		})
	}
}
