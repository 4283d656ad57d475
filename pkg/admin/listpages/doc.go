// Package listpages has the lists of a model's entries: tabs with counts, columns that readers
// choose, bulk actions and saved views.
package listpages
