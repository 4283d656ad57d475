// Package sitepages has the pages of locales, settings, menus, redirects and the purging of caches.
package sitepages
