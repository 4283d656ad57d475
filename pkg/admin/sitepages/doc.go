// Package sitepages has the pages of locales, settings, redirects and the purging of caches.
package sitepages
