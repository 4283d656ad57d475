// Package entrydata reads the entries that pages and their JSON show: one entry by the model and id
// in the path, or a list with filters, sort order and search.
package entrydata
