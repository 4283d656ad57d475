// Package webhooks wires the delivery of events to webhooks, for the functions and the embedded
// server.
package webhooks

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/url"
	"slices"

	"headless/pkg/app"
	"headless/pkg/hooks"
	"headless/pkg/hooks/webhook"
	"headless/pkg/queue"
)

// New returns the use cases of webhooks on a store and a queue.
func New(cfg app.Config, st *hooks.Store, q queue.Queue, log *slog.Logger) (*hooks.Deliveries, error) {
	schedule, err := webhook.NewSchedule(cfg.WebhookRetrySchedule...)
	if err != nil {
		return nil, fmt.Errorf("WEBHOOK_RETRY_SCHEDULE: %w", err)
	}
	return &hooks.Deliveries{
		Store: st, Client: NewClient(cfg), Schedule: schedule,
		Queue: q, Rand: rand.Float64, Log: log,
		SiteURL: cfg.SiteURL,
	}, nil
}

// NewClient returns the client that sends webhooks, with the hosts that it refuses.
func NewClient(cfg app.Config) *webhook.Client {
	return webhook.NewClient(webhook.Policy{AllowInsecure: cfg.WebhookAllowInsecure,
		OwnHosts: OwnHosts(cfg)}, webhook.Options{})
}

// NewFetcher returns the client that reads files from addresses that a caller names. It never reads
// from loopback or private networks, whatever webhooks may do, except from UPLOAD_FROM_URL_ALLOW.
func NewFetcher(cfg app.Config) *webhook.Client {
	return webhook.NewClient(webhook.Policy{Exceptions: cfg.UploadFromURLAllow,
		OwnHosts: OwnHosts(cfg)}, webhook.Options{})
}

// OwnHosts returns the host names of the service itself: that of SITE_URL (with its port if the
// host is this machine), that of the embedded server, and those of OWN_HOSTS.
func OwnHosts(cfg app.Config) []string {
	own := slices.Clone(cfg.OwnHosts)
	if cfg.Port != "" && cfg.Port != "0" {
		own = append(own, net.JoinHostPort("localhost", cfg.Port))
	}
	if u, err := url.Parse(cfg.SiteURL); err == nil && u.Hostname() != "" {
		host := u.Host
		if ip := net.ParseIP(u.Hostname()); ip == nil && u.Hostname() != "localhost" {
			host = u.Hostname()
		}
		own = append(own, host)
	}
	return own
}
