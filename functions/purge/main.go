// Command purge is the function that hands purges over to the CDN in front of the delivery API. It
// reads the table's stream.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/purge"
)

func main() { function.Main(purge.Start) }
