package validation

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// maxPreviewURL is the length of a preview_url, in characters.
const maxPreviewURL = 2000

// checkPreviewURL checks the template of a model's preview URLs.
func checkPreviewURL(p cms.Problems, m *cms.Model) {
	if m.PreviewURL != "" {
		p.LimitLength("preview_url", m.PreviewURL, maxPreviewURL)
		PreviewURL(p, "preview_url", m.PreviewURL, "{locale}", "{slug}", "{id}", "{token}")
	}
}

// PreviewURL checks the template of URLs at path: https, or http on localhost, and only the known
// placeholders.
func PreviewURL(p cms.Problems, path, template string, known ...string) {
	filled := regexp.MustCompile(`\{[^{}]*\}`).ReplaceAllStringFunc(template, func(name string) string {
		if !slices.Contains(known, name) {
			p.Add(path, "has the unknown placeholder %s; known are %s", name, strings.Join(known, ", "))
		}
		return "x"
	})
	u, err := url.Parse(filled)
	local := err == nil && u.Scheme == "http" &&
		slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname())
	if err != nil || strings.ContainsAny(filled, "{} ") || u.Host == "" || u.User != nil ||
		u.Scheme != "https" && !local {
		p.Add(path, "must be an https address, or an http one on localhost")
	}
}
