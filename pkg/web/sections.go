package web

import (
	"net/http"
	"strings"
	"sync"
)

// Sections is a mux for many routes that starts quickly. A section is the routes whose paths start
// with the same segment; its routes are registered at the first request for it. It does not support
// paths that start with a wildcard.
type Sections struct {
	base     string // path before the segment
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
	name := s.sectionOf(pattern[strings.Index(pattern, "/"):])
	if s.sections[name] == nil {
		s.sections[name] = &section{}
	}
	s.sections[name].routes = append(s.sections[name].routes, sectionRoute{pattern, handler})
}

// sectionOf returns the first segment of a path below base, "" for other paths.
func (s *Sections) sectionOf(path string) string {
	rest, below := strings.CutPrefix(path, s.base+"/")
	if !below {
		return ""
	}
	word, _, _ := strings.Cut(rest, "/")
	return strings.TrimSuffix(word, "{$}")
}

// ServeHTTP implements http.Handler.
func (s *Sections) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if section := s.sections[s.sectionOf(r.URL.Path)]; section != nil {
		s.muxOf(section).ServeHTTP(w, r)
		return
	}
	s.other(w, r)
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
