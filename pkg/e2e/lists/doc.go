// Package lists has the scenarios of lists: pages, filters, sort orders, included entries, search.
package lists
