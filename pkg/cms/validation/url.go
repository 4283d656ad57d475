package validation

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"headless/pkg/cms"
)

// maxURLTemplate is the length of a model's url, in bytes.
const maxURLTemplate = 500

// urlParts finds the placeholders of a template.
var urlParts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^{}]*\}`) })

// urlPlaceholders are the placeholders of a template that every model knows.
var urlPlaceholders = []string{"{locale}", "{locale?}", "{slug}", "{id}", "{year}", "{month}", "{day}"}

// checkURL checks home and the template of the URLs of a model's entries on the site (extensions §8).
func checkURL(p cms.Problems, m *cms.Model) {
	if m.Home != "" && cms.SlugProblem(m.Home) != "" {
		p.Add("home", "%s", cms.SlugProblem(m.Home))
	}
	if m.Tree && m.Kind == cms.KindSingle {
		p.Add("tree", "is only for collections")
	}
	switch {
	case m.URL == "":
		return
	case len(m.URL) > maxURLTemplate:
		p.Add("url", "must have at most %d characters", maxURLTemplate)
		return
	case !strings.HasPrefix(m.URL, "/") && !strings.HasPrefix(m.URL, "https://") || strings.HasPrefix(m.URL, "//"):
		p.Add("url", "must begin with / or https://")
		return
	}
	known := urlPlaceholders
	if m.Tree {
		known = append(slices.Clone(known), "{path}")
	}
	for _, part := range urlParts().FindAllString(m.URL, -1) {
		if !slices.Contains(known, part) {
			p.Add("url", "knows %s only, not %s", strings.Join(known, ", "), part)
		}
	}
	plain := urlParts().ReplaceAllString(m.URL, "x")
	host, _, _ := strings.Cut(strings.TrimPrefix(m.URL, "https://"), "/")
	if _, err := url.Parse(plain); err != nil || host == "" && m.URL[0] != '/' ||
		strings.ContainsAny(plain, "{} \t\r\n\"<>\\^`|") {
		p.Add("url", "must be a path or URL such as /{locale}/posts/{slug}")
	}
}
