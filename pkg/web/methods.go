package web

import (
	"net/http"
	"slices"
	"strings"
)

// Methods are the routes of one path. They are a list, because a cold start makes those of all
// paths, and maps would cost it more.
type Methods[Route any] []MethodRoute[Route]

// MethodRoute is the route of one method.
type MethodRoute[Route any] struct {
	Method string
	Route  Route
}

// With adds a route, in place of an earlier one for the same method.
func (m Methods[Route]) With(method string, r Route) Methods[Route] {
	for i := range m {
		if m[i].Method == method {
			m[i].Route = r
			return m
		}
	}
	return append(m, MethodRoute[Route]{method, r})
}

// Of returns the route of a method; ok reports whether there is one.
func (m Methods[Route]) Of(method string) (route Route, ok bool) {
	for _, r := range m {
		if r.Method == method {
			return r.Route, true
		}
	}
	return route, false
}

// Allowed lists the methods for the Allow header: those with a route, HEAD if GET has one, and more.
func (m Methods[Route]) Allowed(more ...string) string {
	list := slices.Clone(more)
	for _, r := range m {
		list = append(list, r.Method)
		if r.Method == http.MethodGet {
			list = append(list, http.MethodHead)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
