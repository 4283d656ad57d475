// Package hookpages has the pages of webhooks with their deliveries and attempts.
package hookpages
