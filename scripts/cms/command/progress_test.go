package command

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress draws at most ten bars a second, and none without a terminal.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := &Progress{out: &out, label: "posts", Total: 4}
		p.Add(1)
		p.Add(1) // just now
		time.Sleep(barEvery)
		p.Add(1)
		p.End()
		bars := []string{"", "posts [#######.......................] 25%",
			"posts [######################........] 75%", ""}
		if want := strings.Join(bars, clearLine); out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	})
	hidden := &Progress{label: "posts", Total: UnknownTotal}
	hidden.Add(1)
	hidden.End()
}
