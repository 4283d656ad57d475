package function

import (
	"runtime/debug"
	"strconv"
)

// limitMemory makes the collector work harder once the heap takes most of the function's memory:
// GOGC in the template lets it grow far before, so that a cold start collects nothing.
func limitMemory(megabytes string) {
	if size, err := strconv.Atoi(megabytes); err == nil {
		debug.SetMemoryLimit(int64(size) << 20 * 3 / 5)
	}
}
