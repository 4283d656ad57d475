// Command search is the function that answers searches over all models.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/search"
)

func main() { function.Main(search.Start) }
