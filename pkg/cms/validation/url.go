package validation

import (
	"net/url"
	"regexp"
	"strings"
	"sync"

	"headless/pkg/cms"
)

// maxURLTemplate is the length of a model's url, in bytes.
const maxURLTemplate = 500

// urlParts finds the placeholders of a template.
var urlParts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^{}]*\}`) })

// checkURL checks the template of the URLs of a model's entries on the site (extensions §8).
func checkURL(p cms.Problems, m *cms.Model) {
	switch {
	case m.URL == "":
		return
	case len(m.URL) > maxURLTemplate:
		p.Add("url", "must have at most %d characters", maxURLTemplate)
		return
	case !strings.HasPrefix(m.URL, "/") && !strings.HasPrefix(m.URL, "https://") ||
		strings.HasPrefix(m.URL, "//"):
		p.Add("url", "must begin with / or https://")
		return
	}
	for _, part := range urlParts().FindAllString(m.URL, -1) {
		if part != "{locale}" && part != "{slug}" && part != "{id}" {
			p.Add("url", "knows {locale}, {slug} and {id} only, not %s", part)
		}
	}
	plain := urlParts().ReplaceAllString(m.URL, "x")
	host, _, _ := strings.Cut(strings.TrimPrefix(m.URL, "https://"), "/")
	if _, err := url.Parse(plain); err != nil || host == "" && m.URL[0] != '/' ||
		strings.ContainsAny(plain, "{} \t\r\n\"<>\\^`|") {
		p.Add("url", "must be a path or URL such as /{locale}/posts/{slug}")
	}
}
