package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/cms/client"
	"headless/scripts/internal/service"
)

const password = service.Password

// TestMain forgets the service that the developer's shell names.
func TestMain(m *testing.M) {
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "CMS_") {
			os.Unsetenv(name)
		}
	}
	os.Exit(m.Run())
}

// serve runs a service with an admin and gives its address.
func serve(t *testing.T) string { return service.Start(t) }

// use makes the commands that follow work on a service.
func use(t *testing.T, address string) *client.Client {
	t.Helper()
	t.Setenv("CMS_URL", address)
	t.Setenv("CMS_TOKEN", "")
	t.Setenv("CMS_EMAIL", service.Email)
	t.Setenv("CMS_PASSWORD", password)
	c, err := client.Connect("")
	must.Do(t, err)
	return c
}

func expect(t *testing.T, code int, args ...string) {
	t.Helper()
	if got := run(args); got != code {
		t.Fatalf("cms %s: exit %d, want %d", strings.Join(args, " "), got, code)
	}
}

// TestCopy applies a schema, exports a site, imports it into another and promotes it to a third.
func TestCopy(t *testing.T) {
	first, second, third := serve(t), serve(t), serve(t)
	c := use(t, first)
	dir := t.TempDir()
	schema := filepath.Join(dir, "schema.json")
	must.Do(t, os.WriteFile(schema,
		[]byte(`{"models":[{"slug":"posts","name":"Posts","localized":true,"fields":[{"name":"body","type":"text"}]},
		{"slug":"pages","name":"Pages","tree":true}]}`), 0o600))
	expect(t, 3, "schema", "plan", schema, "--exit-code", "--json")
	expect(t, 0, "schema", "apply", schema)
	expect(t, 0, "schema", "plan", schema, "--exit-code")
	var made struct{ ID string }
	must.Do(t, c.JSON("POST", "/admin/models/posts/entries",
		map[string]any{"title": "Hello", "status": "published", "data": map[string]any{"body": "text"}}, &made))
	must.Do(t, c.JSON("POST", "/admin/locales", map[string]any{"code": "de", "name": "Deutsch"}, nil))
	german := map[string]any{"title": "Hallo", "locale": "de", "translation_of": made.ID,
		"data": map[string]any{"body": "Text"}}
	must.Do(t, c.JSON("POST", "/admin/models/posts/entries", german, nil))
	var child, parent struct{ ID, Parent string } // the older one below the other
	for title, page := range map[string]any{"Child": &child, "Parent": &parent} {
		must.Do(t, c.JSON("POST", "/admin/models/pages/entries", map[string]any{"title": title}, page))
	}
	if child.ID > parent.ID {
		child, parent = parent, child
	}
	must.Do(t, c.JSON("PUT", "/admin/models/pages/entries/"+child.ID, map[string]any{"parent": parent.ID},
		nil))
	menu := map[string]any{"slug": "main", "items": map[string]any{"de": []any{
		map[string]any{"entry": map[string]any{"model": "posts", "id": made.ID}}}}}
	must.Do(t, c.JSON("POST", "/admin/menus", menu, nil))
	out := filepath.Join(dir, "export")
	expect(t, 0, "export", out)
	var noted []struct{ Subject, Address string }
	if err := c.JSON("GET", "/admin/activity?filter[event]=export.made", nil, &noted); err != nil ||
		len(noted) != 1 || noted[0].Subject != "content" || noted[0].Address == "" {
		t.Errorf("the export is recorded as %+v, %v", noted, err)
	}
	c = use(t, second)
	expect(t, 0, "import", out, "--dry-run")
	expect(t, 0, "import", out)
	expect(t, 0, "import", out, "--on-conflict", "fail") // nothing differs
	again := filepath.Join(dir, "again")
	expect(t, 0, "export", again)
	before, errBefore := os.ReadFile(filepath.Join(out, "menus.jsonl"))
	after, errAfter := os.ReadFile(filepath.Join(again, "menus.jsonl"))
	if err := errors.Join(errBefore, errAfter); err != nil || string(before) != string(after) {
		t.Errorf("the menus are %s, were %s, %v", after, before, err)
	}
	var copied struct {
		Title, Status string
		Version       int
		Translations  []struct{ Locale string }
	}
	err := c.JSON("GET", "/admin/models/posts/entries/"+made.ID+"?translations=true", nil, &copied)
	if err != nil || copied.Title != "Hello" || copied.Status != "published" ||
		copied.Version != 1 || len(copied.Translations) != 2 {
		t.Errorf("copied %+v, %v", copied, err)
	}
	if err := c.JSON("GET", "/admin/models/pages/entries/"+child.ID, nil, &child); err != nil ||
		child.Parent != parent.ID {
		t.Errorf("copied below %q, %v", child.Parent, err)
	}
	must.Do(t, c.JSON("PUT", "/admin/models/posts/entries/"+made.ID, map[string]any{"title": "Changed"}, nil))
	expect(t, 1, "import", out, "--on-conflict", "fail")
	expect(t, 0, "import", out) // the changed one is newer
	expect(t, 0, "promote", "--to", third)
	if err := use(t, third).JSON("GET", "/admin/models/posts/entries/"+made.ID, nil, &copied); err != nil ||
		copied.Title != "Changed" {
		t.Errorf("promoted %+v, %v", copied, err)
	}
}

func TestLogin(t *testing.T) {
	address := serve(t)
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("HOME", home)
	t.Setenv("CMS_URL", "")
	t.Setenv("CMS_TOKEN", "")
	t.Setenv("CMS_PASSWORD", "wrong password 1")
	expect(t, 1, "login", address, "--email", "root@example.com")
	t.Setenv("CMS_PASSWORD", password)
	said := written(t, &os.Stdout, func() { expect(t, 0, "login", address, "--email", "root@example.com") })
	if said != "Signed in to "+address+" as root@example.com.\n" {
		t.Errorf("it says %q", said)
	}
	file, err := client.SessionFile("")
	must.Do(t, err)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the session file: %v, %v", info, err)
	}
	expect(t, 0, "schema", "pull", "-o", filepath.Join(home, "schema.json"))
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"schema", "plan"}, {"nothing"}, {"export"}, {"promote"},
		{"import", "x", "--unknown"}} {
		expect(t, 2, args...)
	}
	expect(t, 0, "help")
}
