package api

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// Guides has the scenarios of the guides that the service shows.
var Guides = []kit.Scenario{
	{Name: "docs/pages", Run: guidePages},
}

// guidePages reads the guides that the service serves.
func guidePages(t *testing.T, s *kit.Suite) {
	for path, want := range map[string]string{
		"/docs":                                 `href="/docs/webhooks"`,
		"/docs/delivery":                        `id="what-a-purge-costs"`,
		"/docs/search?q=Idempotency-Key+repeat": `href="/docs/`,
		"/docs/api.md":                          "# The content API",
		"/docs/style.css":                       "prefers-color-scheme",
		"/llms.txt":                             s.Target.BaseURL + "/docs/api.md",
		"/llms-full.txt":                        "# Webhooks: a guide",
	} {
		a := s.Bare().Fetch(t, path)
		a.HasStatus(t, path, 200)
		a.Contains(t, path, want)
	}
	s.Bare().Fetch(t, "/docs/nothing").HasStatus(t, "an unknown guide", 404)
}
