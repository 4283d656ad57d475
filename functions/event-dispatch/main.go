// Command event-dispatch is the function that turns committed events into deliveries. It reads the
// table's stream.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/dispatch"
)

func main() { function.Main(dispatch.Start) }
