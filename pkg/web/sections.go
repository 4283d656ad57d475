package web

import (
	"net/http"
	"strings"
	"sync"
)

// Sections is a mux for many routes that is quick to make: the routes of a section, whose paths
// begin with the same word, are registered when a request asks for the first of them. Routes whose
// paths begin with a wildcard are not for it.
type Sections struct {
	base     string // before the word
	other    http.HandlerFunc
	mu       sync.Mutex
	sections map[string]*section
}

// section is a list of routes, and the mux of them once it is made.
type section struct {
	routes []sectionRoute
	mux    *http.ServeMux
}

type sectionRoute struct {
	pattern string
	handler http.HandlerFunc
}

// NewSections returns a mux for paths below base; other takes what no route does. Its routes must
// be complete before the first request.
func NewSections(base string, other http.HandlerFunc) *Sections {
	return &Sections{base: base, other: other, sections: map[string]*section{}}
}

// HandleFunc adds a route, as http.ServeMux has them.
func (s *Sections) HandleFunc(pattern string, handler http.HandlerFunc) {
	name := s.name(pattern[strings.Index(pattern, "/"):])
	if s.sections[name] == nil {
		s.sections[name] = &section{}
	}
	s.sections[name].routes = append(s.sections[name].routes, sectionRoute{pattern, handler})
}

// name is the word that a path below base begins with, "" for other paths.
func (s *Sections) name(path string) string {
	rest, below := strings.CutPrefix(path, s.base+"/")
	if !below {
		return ""
	}
	word, _, _ := strings.Cut(rest, "/")
	return strings.TrimSuffix(word, "{$}")
}

// ServeHTTP implements http.Handler.
func (s *Sections) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if section := s.sections[s.name(r.URL.Path)]; section != nil {
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
