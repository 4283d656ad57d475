// Command dev runs the whole service on localhost on the embedded engines.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"headless/scripts/internal/localserver"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := localserver.Run(ctx, os.Getenv, os.Stdout, nil); err != nil {
		fmt.Fprintln(os.Stderr, "dev:", err)
		os.Exit(1)
	}
}
