package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/cms/client"
	"headless/scripts/cms/schema"
)

// TestDrift: manual changes after an apply show in plans and on the pages, until the
// next.
func TestDrift(t *testing.T) {
	c := use(t, serve(t))
	file := filepath.Join(t.TempDir(), "schema.json")
	models := func(more string) {
		t.Helper()
		text := `{"models":[{"slug":"posts","name":"Posts","fields":[{"name":"body","type":"text"}]}` +
			more + `]}`
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	}
	shown := func(want ...string) {
		t.Helper()
		text, err := os.ReadFile(file)
		must.Do(t, err)
		p, err := schema.MakePlan(c, text)
		must.Do(t, err)
		var got []string
		for _, d := range p.Drift {
			got = append(got, d.Op+" "+d.Path)
		}
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("drift %v, want %v", got, want)
		}
		for _, path := range []string{"/admin/models", "/admin/schema"} {
			if page := pageOf(t, c, path); strings.Contains(page,
				"Changed since a schema") != (len(want) > 0) {
				t.Errorf("%s: want a notice of %v: %s", path, want, page)
			}
		}
	}
	by := func(method, path string, body any) {
		t.Helper()
		must.Do(t, c.JSON(method, path, body, nil))
	}
	models("")
	by("POST", "/admin/models", map[string]any{"slug": "notes", "name": "Notes"})
	shown() // nothing was ever applied
	expect(t, 0, "schema", "apply", file)
	shown()
	by("PUT", "/admin/models/posts", map[string]any{"name": "Articles"})
	by("POST", "/admin/models", map[string]any{"slug": "pages", "name": "Pages"})
	by("DELETE", "/admin/models/notes", nil)
	by("POST", "/admin/locales", map[string]any{"code": "de", "name": "Deutsch"})
	shown("create locales.de", "delete models.notes", "create models.pages", "update models.posts")
	if text := output(t, 0, "schema", "plan", file); !strings.Contains(text, "models.posts (drift)") {
		t.Errorf("plan: %s", text)
	}
	by("PUT", "/admin/models/posts", map[string]any{"name": "Posts"}) // as it was
	shown("create locales.de", "delete models.notes", "create models.pages")
	expect(t, 0, "schema", "apply", file) // changes nothing: the present schema is accepted
	shown()
	models(`,{"slug":"x","name":"X"}`)
	expect(t, 0, "schema", "apply", file)
	shown()
}

// pageOf is a page of the admin area as browsers get it.
func pageOf(t *testing.T, c *client.Client, path string) string {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, c.Root+path, nil)
	must.Do(t, err)
	req.Header.Set("Accept", "text/html")
	req.Header.Set("Authorization", "Bearer "+c.Token)
	resp, err := http.DefaultClient.Do(req)
	must.Do(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", path, resp.Status, err)
	}
	return string(body)
}
