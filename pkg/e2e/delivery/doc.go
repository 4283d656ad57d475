// Package delivery has the scenarios of the delivery API: caches, purges, sync, sitemaps and feeds.
package delivery
