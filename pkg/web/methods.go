package web

import (
	"net/http"
	"slices"
	"strings"
)

// AllowedMethods lists the methods of an address for the Allow header: those that have a route,
// HEAD where GET has one, and more.
func AllowedMethods[Route any](routes map[string]Route, more ...string) string {
	list := slices.Clone(more)
	for method := range routes {
		list = append(list, method)
		if method == http.MethodGet {
			list = append(list, http.MethodHead)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
