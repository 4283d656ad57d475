// Command dev runs the whole service on localhost on the embedded engines.
package main

import (
	"context"
	"os"

	"headless/scripts/internal/localserver"
	"headless/scripts/internal/program"
)

func main() {
	program.Main("dev", func(ctx context.Context) error { return localserver.Run(ctx, os.Getenv, os.Stdout, nil) })
}
