// Command sweeper is the function that repairs and retries what a crash or a lost message left
// undone. A schedule calls it.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/sweeper"
)

func main() { function.Main(sweeper.Start) }
