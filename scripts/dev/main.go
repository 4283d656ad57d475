// Command dev runs the whole service on localhost on the embedded engines.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"headless/pkg/app"
	"headless/pkg/app/embedded"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Getenv, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "dev:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, getenv func(string) string, stdout io.Writer) error {
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
	server, err := embedded.New(cfg, cfg.Logger())
	if err != nil {
		return err
	}
	defer func() {
		if err := server.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "dev: closing:", err)
		}
	}()
	hs := &http.Server{Handler: server, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- hs.Serve(listener) }()
	greet(stdout, cfg, server)

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

// greet says where the service is and how to get in.
func greet(stdout io.Writer, cfg app.Config, server *embedded.Server) {
	fmt.Fprintf(stdout, "ready %s/api/v1 %s/admin\n", cfg.SiteURL, cfg.SiteURL)
	switch first := server.First; {
	case first.Created && first.Password != "":
		fmt.Fprintf(stdout, "\nSign in at %s/admin as %s with the password %s (shown this once)\n", cfg.SiteURL, first.Email, first.Password)
	case first.Created:
		fmt.Fprintf(stdout, "\nSign in at %s/admin as %s with the password in ADMIN_PASSWORD\n", cfg.SiteURL, first.Email)
	}
	if key := server.Demo; key != nil {
		fmt.Fprintf(stdout, "\nRead the demo content:\n\n  curl -H 'X-API-Key: %s' -H 'X-API-Secret: %s' '%s/api/v1/posts?include=author,image&per_page=2'\n\n",
			key.PublicKey, key.Secret, cfg.SiteURL)
	}
}
