package function

import (
	"runtime/debug"
	"strconv"
)

// limitMemory makes the garbage collector run more often when the heap uses most of the function's
// memory. Below that, GOGC from the template lets the heap grow far, so that a cold start does not
// collect at all.
func limitMemory(megabytes string) {
	if size, err := strconv.Atoi(megabytes); err == nil {
		debug.SetMemoryLimit(int64(size) << 20 * 3 / 5)
	}
}
