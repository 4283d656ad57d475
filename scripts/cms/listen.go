package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"headless/pkg/hooks"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

// forwardTimeout is how long a local receiver may take to answer a delivery.
const forwardTimeout = 15 * time.Second

func listenCommand() *cobra.Command {
	var to string
	var events []string
	cmd := &cobra.Command{
		Use: "listen", Short: "Forward webhooks to a program on this machine", Args: cobra.NoArgs,
		Long: "Post the deliveries of a service to an address on this machine, signed like those of a webhook, until " +
			"Ctrl+C.\n" + "The secret is printed first. Without --forward-to the deliveries are only listed.",
		Example: "  cms listen --forward-to http://localhost:4321/api/webhook --events 'entry.*'",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if to != "" {
				if err := client.CheckAddress(to); err != nil {
					return fmt.Errorf("--forward-to: %w", err)
				}
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			c, err := client.Connect(command.Profile(cmd))
			if err == nil {
				err = listen(ctx, c, to, events)
			}
			return command.Failed(err)
		},
	}
	cmd.Flags().StringVar(&to, "forward-to", "", "address of the receiver")
	cmd.Flags().StringSliceVar(&events, "events", []string{"*"}, "kinds of events, such as entry.*")
	return cmd
}

// listen makes a listener and forwards its deliveries until ctx ends. Then it deletes the listener.
func listen(ctx context.Context, c *client.Client, to string, events []string) error {
	var l hooks.WebhookWithSecret
	if err := c.JSON(http.MethodPost, "/admin/webhooks", map[string]any{"name": programName(), "listen": true,
		"events": events}, &l); err != nil {
		return err
	}
	path := "/admin/webhooks/" + url.PathEscape(l.ID)
	defer func() { _ = c.JSON(http.MethodDelete, path, nil, nil) }() // it ends by itself, too
	if _, err := fmt.Fprintln(command.Stdout, "listening; the secret of the signatures is", l.Secret); err != nil {
		return err
	}
	for after := ""; ; {
		var waiting []hooks.Heard
		err := untilDone(ctx, func() error {
			return c.JSON(http.MethodGet, path+"/poll?after="+url.QueryEscape(after), nil, &waiting)
		})
		if err != nil || ctx.Err() != nil {
			return err
		}
		for _, d := range waiting {
			fmt.Fprintf(command.Stdout, "%s  %-24s %s\n", time.Now().Format(time.TimeOnly), d.Event, forward(ctx, to, d))
			after = d.ID
		}
	}
}

// untilDone runs a request that may wait. It returns nil at once when ctx ends.
func untilDone(ctx context.Context, request func() error) error {
	done := make(chan error, 1)
	go func() { done <- request() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return nil
	}
}

// forward posts a delivery and says what the receiver answered.
func forward(ctx context.Context, to string, d hooks.Heard) string {
	if to == "" {
		return d.ID
	}
	ctx, cancel := context.WithTimeout(ctx, forwardTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(d.Body))
	if err != nil {
		return err.Error()
	}
	for name, value := range d.Headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err
		}
		return "not delivered: " + err.Error()
	}
	defer resp.Body.Close()
	return resp.Status
}
