package web

import (
	"net/http"
	"slices"
	"strings"
)

// AllowedMethods lists the methods of a path for the Allow header: those with a route, HEAD if GET
// has one, and more.
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
