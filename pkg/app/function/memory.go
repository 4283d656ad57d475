package function

import (
	"runtime/debug"
	"strconv"
)

// limitMemory makes the garbage collector work harder once the heap takes most of the function's
// memory. Until then GOGC, which the template sets, lets the heap grow far, so that a cold start
// does not collect at all.
func limitMemory(megabytes string) {
	if size, err := strconv.Atoi(megabytes); err == nil {
		debug.SetMemoryLimit(int64(size) << 20 * 3 / 5)
	}
}
