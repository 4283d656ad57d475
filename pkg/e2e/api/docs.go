package api

import (
	"strings"
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
		if a := s.Bare().Fetch(t, path); a.Status != 200 || !strings.Contains(string(a.Raw), want) {
			t.Errorf("%s: %d without %q", path, a.Status, want)
		}
	}
	if a := s.Bare().Fetch(t, "/docs/nothing"); a.Status != 404 {
		t.Errorf("an unknown guide is %d", a.Status)
	}
}
