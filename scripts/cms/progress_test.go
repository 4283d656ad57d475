package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress draws at most ten bars a second, and none where nobody looks.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := &progress{out: &out, label: "posts", total: 4}
		p.add(1)
		p.add(1) // just now
		time.Sleep(barEvery)
		p.add(1)
		p.end()
		bars := []string{"", "posts [#######.......................] 25%",
			"posts [######################........] 75%", ""}
		if want := strings.Join(bars, clearLine); out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	})
	hidden := &progress{label: "posts", total: unknownTotal}
	hidden.add(1)
	hidden.end()
}
