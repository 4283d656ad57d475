package function

import (
	"runtime/debug"
	"testing"
)

// TestLimitMemory takes the size from Lambda's variable, and sets no limit without it.
func TestLimitMemory(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	limitMemory("")
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("without a size: %d", got)
	}
	limitMemory("512")
	if got := debug.SetMemoryLimit(-1); got < 300<<20 || got > 400<<20 {
		t.Errorf("of 512 MB: %d", got)
	}
}
