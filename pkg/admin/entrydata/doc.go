// Package entrydata reads the entries that pages and their JSON show: by the model and the id in
// the path, and as lists with filters, sorts and search.
package entrydata
