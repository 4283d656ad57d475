// Package localserver runs the whole service on localhost on the embedded engines: make dev and cms
// dev.
package localserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"golang.org/x/net/netutil"

	"headless/pkg/app"
	"headless/pkg/app/embedded"
)

// maxConnections are served at a time; others wait to be accepted.
const maxConnections = 4096

// Run serves until ctx ends. getenv gives the configuration.
func Run(ctx context.Context, getenv func(string) string, stdout io.Writer) error {
	cfg, err := app.FromEnv(getenv)
	if err != nil {
		return err
	}
	if getenv("WEBHOOK_ALLOW_INSECURE") == "" {
		cfg.WebhookAllowInsecure = true // this server is for local use
	}
	if getenv("LOG_LEVEL") == "" {
		cfg.LogLevel = 4 // warnings: the terminal belongs to the developer
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", cfg.Port))
	if err != nil {
		return err
	}
	listener = netutil.LimitListener(listener, maxConnections)
	server, err := embedded.New(cfg, cfg.Logger())
	if err != nil {
		return err
	}
	defer func() {
		if err := server.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "closing:", err)
		}
	}()
	hs := &http.Server{Handler: server, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- hs.Serve(listener) }()
	server.Made.Greet(stdout, cfg.SiteURL)

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := hs.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
