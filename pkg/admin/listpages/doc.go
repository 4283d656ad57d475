// Package listpages has the lists of a model's entries: tabs with counts, columns that users choose, bulk actions,
// saved views, and the files with entries for spreadsheets and translators.
package listpages
