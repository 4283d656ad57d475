// Command webhook-worker is the function that sends deliveries to their receivers. It reads the
// webhook queue.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/webhookworker"
)

func main() { function.Main(webhookworker.Start) }
