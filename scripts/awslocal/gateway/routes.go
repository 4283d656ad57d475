// Package gateway converts HTTP requests to the events of API Gateway's HTTP API (payload 2.0), and
// responses back to HTTP.
package gateway

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// DefaultRoute matches requests that no other route matches.
const DefaultRoute = "$default"

// Route sends the requests of a method and path to a function.
type Route struct {
	Method   string // ANY for all
	Path     string // with {name} for one segment and {name+} for the rest; DefaultRoute's is "$default"
	Function string
	segments []string
}

// Key returns the name of the route in API Gateway.
func (r Route) Key() string {
	if r.Path == DefaultRoute {
		return DefaultRoute
	}
	return r.Method + " " + r.Path
}

// Routes is a route table.
type Routes []Route

// NewRoutes sorts routes by API Gateway's precedence: a full match before a greedy variable,
// literal segments before variables from left to right, a method before ANY. Two equal routes are
// an error.
func NewRoutes(routes []Route) (Routes, error) {
	out := slices.Clone(routes)
	for i := range out {
		out[i].Method = strings.ToUpper(out[i].Method)
		out[i].segments = strings.Split(strings.TrimPrefix(out[i].Path, "/"), "/")
		if len(out[i].Path) > 1 && strings.HasSuffix(out[i].Path, "/") {
			return nil, fmt.Errorf("gateway: the route %s ends in a slash, which API Gateway refuses", out[i].Key())
		}
	}
	slices.SortStableFunc(out, compare)
	for i := 1; i < len(out); i++ {
		if out[i].Key() == out[i-1].Key() {
			return nil, fmt.Errorf("gateway: two routes %s", out[i].Key())
		}
	}
	return out, nil
}

func compare(a, b Route) int {
	if c := cmp.Compare(a.rank(), b.rank()); c != 0 {
		return c
	}
	for i := range min(len(a.segments), len(b.segments)) {
		if c := cmp.Compare(segmentRank(a.segments[i]), segmentRank(b.segments[i])); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(len(b.segments), len(a.segments)); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Path, b.Path); c != 0 {
		return c
	}
	return cmp.Compare(methodRank(a.Method), methodRank(b.Method))
}

// rank is 0 for a route without a greedy variable, 1 for a route with one, 2 for the default route.
func (r Route) rank() int {
	switch {
	case r.Path == DefaultRoute:
		return 2
	case segmentRank(r.segments[len(r.segments)-1]) == 2:
		return 1
	}
	return 0
}

func segmentRank(s string) int {
	switch {
	case strings.HasSuffix(s, "+}"):
		return 2
	case strings.HasPrefix(s, "{"):
		return 1
	}
	return 0
}

func methodRank(m string) int {
	if m == "ANY" {
		return 1
	}
	return 0
}

// Match returns the route of a request and its path variables. The path must be decoded, as in API
// Gateway. A slash at its end is ignored for matching (the function still sees it), and no route
// may end in one.
func (rs Routes) Match(method, path string) (Route, map[string]string, bool) {
	segments := strings.Split(strings.TrimSuffix(strings.TrimPrefix(path, "/"), "/"), "/")
	for _, r := range rs {
		if r.Method != "ANY" && r.Path != DefaultRoute && r.Method != method {
			continue
		}
		if variables, ok := r.match(segments); ok {
			return r, variables, true
		}
	}
	return Route{}, nil, false
}

func (r Route) match(segments []string) (map[string]string, bool) {
	if r.Path == DefaultRoute {
		return nil, true
	}
	var variables map[string]string
	set := func(pattern, value string) {
		if variables == nil {
			variables = map[string]string{}
		}
		variables[strings.Trim(pattern, "{+}")] = value
	}
	for i, pattern := range r.segments {
		if i >= len(segments) {
			return nil, false
		}
		switch segmentRank(pattern) {
		case 2:
			rest := strings.Join(segments[i:], "/")
			set(pattern, rest)
			return variables, rest != ""
		case 1:
			if segments[i] == "" {
				return nil, false
			}
			set(pattern, segments[i])
		default:
			if segments[i] != pattern {
				return nil, false
			}
		}
	}
	return variables, len(segments) == len(r.segments)
}
