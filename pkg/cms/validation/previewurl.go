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

// checkPreviewURL checks the template of preview URLs: https, or http on localhost, and only the
// four known placeholders.
func checkPreviewURL(p cms.Problems, m *cms.Model) {
	if m.PreviewURL == "" {
		return
	}
	const path = "preview_url"
	checkLength(p, path, m.PreviewURL, maxPreviewURL)
	filled := regexp.MustCompile(`\{[^{}]*\}`).ReplaceAllStringFunc(m.PreviewURL, func(name string) string {
		if !slices.Contains([]string{"{locale}", "{slug}", "{id}", "{token}"}, name) {
			p.Add(path, "has the unknown placeholder %s; known are {locale}, {slug}, {id} and {token}", name)
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
