// Package homepages has the home page, the search over all entries, the logs, and the import of
// records.
package homepages
