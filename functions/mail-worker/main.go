// Command mail-worker is the function that sends notification mail. It reads the mail queue.
package main

import (
	"headless/pkg/app/function"
	"headless/pkg/app/function/mailworker"
)

func main() { function.Main(mailworker.Start) }
