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
	// defaultPerPage is the number of items on a page if the request does not say.
	defaultPerPage = 25
	// maxPage keeps the offset of a page in the range of int.
	maxPage = 1_000_000_000
)

// Query reads a query string. BAD_REQUEST if it is malformed: [url.URL.Query] leaves out what it
// cannot read, so that a request would be answered as if it had no such parameter.
func Query(raw string) (url.Values, error) {
	q, err := url.ParseQuery(raw)
	if err != nil {
		return nil, cms.Errorf(cms.CodeBadRequest,
			"The query string is malformed: percent signs, & and ; in a value must be percent-encoded.")
	}
	return q, nil
}

// Page reads page and per_page of a list. The defaults are 1 and defaultPerPage, and per_page is at
// most maxPerPage. BAD_REQUEST for values that are not positive integers (decisions §3).
func Page(q url.Values, maxPerPage int) (page, perPage int, err error) {
	if page, err = Positive(q, "page", 1); err != nil {
		return 0, 0, err
	}
	perPage, err = Positive(q, "per_page", defaultPerPage)
	return page, min(perPage, maxPerPage), err
}

// Positive reads a parameter that is a positive integer. Error: BAD_REQUEST.
func Positive(q url.Values, name string, otherwise int) (int, error) {
	if !q.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(q.Get(name), 10, 64) // takes no sign; returns the largest for too many digits
	if n < 1 || err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, cms.Errorf(cms.CodeBadRequest, "%s must be a positive integer.", name)
	}
	return int(min(n, maxPage)), nil
}

// Flag reads a parameter that is true or false; left out it is false. Error: BAD_REQUEST.
func Flag(q url.Values, name string) (bool, error) {
	v, ok := q[name]
	if ok && (len(v) > 1 || v[0] != "true" && v[0] != "false") {
		return false, cms.Errorf(cms.CodeBadRequest, "%s must be true or false.", name)
	}
	return ok && v[0] == "true", nil
}

// CheckRepeated returns BAD_REQUEST for a known parameter that takes one value and has several. Filters
// take several. Handlers refuse several tokens of previews as they refuse a wrong one.
func CheckRepeated(q url.Values, known []string) error {
	for _, name := range known {
		if len(q[name]) > 1 && !IsFilter(name) && name != "preview" {
			return cms.Errorf(cms.CodeBadRequest, "Send the parameter %s once.", name)
		}
	}
	return nil
}

// IsFilter reports whether a parameter is meant as a filter of a list, even if it is malformed.
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
