// Command content is the function that answers requests for entries, and those that no other
// function takes.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/content"
)

func main() { function.Main(content.Start) }
