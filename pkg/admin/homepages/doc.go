// Package homepages has the home page, search over everything, the logs, and the import of records.
package homepages
