// Package hookpages has the pages of webhooks with their deliveries and attempts, and of replays.
package hookpages
