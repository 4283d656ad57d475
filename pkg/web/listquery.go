package web

import (
	"errors"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
)

const (
	// DefaultPerPage is how many items a page of a list has where the request does not say.
	DefaultPerPage = 25
	// maxPage keeps the offset of a page within an int.
	maxPage = 1_000_000_000
)

// Page reads page and per_page of a list: page is 1 and per_page DefaultPerPage where they are not
// given, and per_page is at most maxPerPage. Values other than positive whole numbers are
// BAD_REQUEST (decisions §3).
func Page(q url.Values, maxPerPage int) (page, perPage int, err error) {
	if page, err = positive(q, "page", 1); err != nil {
		return 0, 0, err
	}
	perPage, err = positive(q, "per_page", DefaultPerPage)
	return page, min(perPage, maxPerPage), err
}

func positive(q url.Values, name string, otherwise int) (int, error) {
	if !q.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.Atoi(q.Get(name)) // the largest int when there are too many digits
	if n < 1 || err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, cms.Errorf(cms.CodeBadRequest, "%s must be a positive integer.", name)
	}
	return min(n, maxPage), nil
}

// IsFilter reports whether a parameter is meant as a filter of a list, well formed or not.
func IsFilter(name string) bool { return name == "filter" || strings.HasPrefix(name, "filter[") }

// Filters yields the name and value of each filter of a list, in the order of the names.
func Filters(q url.Values) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for _, name := range slices.Sorted(maps.Keys(q)) {
			if !IsFilter(name) {
				continue
			}
			for _, value := range q[name] {
				if !yield(name, value) {
					return
				}
			}
		}
	}
}
