package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

var docsScenarios = []scenario{
	{name: "docs/pages", run: guidePages},
}

// guidePages reads the guides that the service serves.
func guidePages(t *testing.T, s *suite) {
	for path, want := range map[string]string{
		"/docs":                                 `href="/docs/webhooks"`,
		"/docs/delivery":                        `id="what-a-purge-costs"`,
		"/docs/search?q=Idempotency-Key+repeat": `href="/docs/`,
		"/docs/api.md":                          "# The content API",
		"/docs/style.css":                       "prefers-color-scheme",
		"/llms.txt":                             s.target.BaseURL + "/docs/api.md",
		"/llms-full.txt":                        "# Webhooks: a guide",
	} {
		status, body := readGuide(t, s, path)
		if status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d without %q", path, status, want)
		}
	}
	if status, _ := readGuide(t, s, "/docs/nothing"); status != 404 {
		t.Errorf("an unknown guide is %d", status)
	}
}

func readGuide(t *testing.T, s *suite, path string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.target.BaseURL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(raw)
}
