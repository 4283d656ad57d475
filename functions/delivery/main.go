// Command delivery is the function that answers browsers and CDNs under /delivery/v1.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/delivery"
)

func main() { function.Main(delivery.Start) }
