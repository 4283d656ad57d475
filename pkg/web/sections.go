package web

import (
	"net/http"
	"strings"
	"sync"
)

// Sections is a mux for many routes that starts quickly. A section is the routes whose paths start with the same
// segment and, if it is no wildcard, the same second one; its routes are registered at the first request for it. So it
// can have /files/folders/{id} beside /files/{id}/edit, which http.ServeMux refuses. It does not support paths that
// start with a wildcard.
type Sections struct {
	base     string // path before the segments
	other    http.HandlerFunc
	mu       sync.Mutex
	sections map[string]*section
}

// section is a list of routes, and their mux after the first request.
type section struct {
	routes []sectionRoute
	mux    *http.ServeMux
}

type sectionRoute struct {
	pattern string
	handler http.HandlerFunc
}

// NewSections returns a mux for paths below base. other answers requests that match no route. All
// routes must be added before the first request.
func NewSections(base string, other http.HandlerFunc) *Sections {
	return &Sections{base: base, other: other, sections: map[string]*section{}}
}

// HandleFunc adds a route, like http.ServeMux.
func (s *Sections) HandleFunc(pattern string, handler http.HandlerFunc) {
	first, name := s.sectionsOf(pattern[strings.Index(pattern, "/"):])
	if strings.Contains(name, "{") {
		name = first
	}
	if s.sections[name] == nil {
		s.sections[name] = &section{}
	}
	s.sections[name].routes = append(s.sections[name].routes, sectionRoute{pattern, handler})
}

// sectionsOf returns the first segment of a path below base, and the first two, "" for other paths.
func (s *Sections) sectionsOf(path string) (first, both string) {
	rest, below := strings.CutPrefix(path, s.base+"/")
	if !below {
		return "", ""
	}
	first, rest, _ = strings.Cut(rest, "/")
	second, _, _ := strings.Cut(rest, "/")
	first = strings.TrimSuffix(first, "{$}")
	return first, strings.TrimSuffix(first+"/"+second, "/")
}

// ServeHTTP implements http.Handler.
func (s *Sections) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	first, both := s.sectionsOf(r.URL.Path)
	if section := s.sections[both]; section != nil {
		if mux := s.muxOf(section); both == first || hasRoute(mux, r) {
			mux.ServeHTTP(w, r)
			return
		}
	}
	if section := s.sections[first]; section != nil {
		s.muxOf(section).ServeHTTP(w, r)
		return
	}
	s.other(w, r)
}

// hasRoute reports whether a mux has a route for a request, beside that of all paths.
func hasRoute(mux *http.ServeMux, r *http.Request) bool {
	_, pattern := mux.Handler(r)
	return pattern != "/"
}

func (s *Sections) muxOf(section *section) *http.ServeMux {
	s.mu.Lock()
	defer s.mu.Unlock()
	if section.mux == nil {
		section.mux = http.NewServeMux()
		section.mux.HandleFunc("/", s.other)
		for _, r := range section.routes {
			section.mux.HandleFunc(r.pattern, r.handler)
		}
	}
	return section.mux
}
