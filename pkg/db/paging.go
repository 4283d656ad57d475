package db

// Paging asks for one page of a list.
type Paging struct {
	Page    int // from 1
	PerPage int
}

// Offset is how many items come before the page.
func (p Paging) Offset() int { return (p.Page - 1) * p.PerPage }

// Page is one page of a list.
type Page[T any] struct {
	Paging
	Items    []T
	Total    int
	Estimate bool   // Total is a lower bound rather than exact
	Next     string // cursor of the next page, "" at the end or if the list has no cursors
	Plan     any    // how the list was found, nil unless that was asked for
}

// PageOf cuts a page out of a complete list.
func PageOf[T any](all []T, p Paging) Page[T] {
	from := min(max(p.Offset(), 0), len(all))
	to := min(from+p.PerPage, len(all))
	return Page[T]{Paging: p, Items: all[from:to:to], Total: len(all)}
}
