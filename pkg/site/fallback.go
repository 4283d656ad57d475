package site

import (
	"slices"

	"headless/pkg/cms"
)

// Chain returns the locales in which an entry is looked up, in order: the requested one, its
// fallback, the fallback of the fallback, and so on (extensions §3).
func (s *Site) Chain(code string) []string {
	chain := []string{code}
	for {
		l := s.Locale(chain[len(chain)-1])
		if l == nil || l.Fallback == nil || slices.Contains(chain, *l.Fallback) {
			return chain
		}
		chain = append(chain, *l.Fallback)
	}
}

// checkFallback reports the problems of a locale's fallback.
func checkFallback(p cms.Problems, s *Site, v *cms.Locale) {
	if v.Fallback == nil {
		return
	}
	switch l := s.Locale(*v.Fallback); {
	case l == nil:
		p.Add("fallback", "is not a locale of this site")
	case !l.IsActive:
		p.Add("fallback", "is not an active locale")
	case l.Code == v.Code || slices.Contains(s.Chain(l.Code), v.Code):
		p.Add("fallback", "leads back to this locale")
	}
}

// checkNoFallback returns CONFLICT if the locale is the fallback of another one.
func checkNoFallback(s *Site, code string) error {
	for _, l := range s.Locales {
		if l.Fallback != nil && *l.Fallback == code && l.Code != code {
			return cms.Errorf(cms.CodeConflict, "The locale %s is the fallback of %s.", code, l.Code)
		}
	}
	return nil
}
