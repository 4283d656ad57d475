// Package hooks has the scenarios of webhooks: events, signatures, retries, bundles, builds of static sites.
package hooks
