package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"headless/pkg/docs"
	"headless/scripts/internal/service"
)

// guideFile is a file of a site in a guide: its name, and the block below it.
var guideFile = regexp.MustCompile("(?s)\n`([^`\n]+)`\n\n```[a-z]+\n(.+?)```\n")

// TestEleventy builds the site of the guide for Eleventy, which is installed in ELEVENTY, with more
// posts than one answer holds.
func TestEleventy(t *testing.T) {
	installed := os.Getenv("ELEVENTY")
	if installed == "" {
		return // make test-sites
	}
	dir := t.TempDir()
	for _, file := range guideFile.FindAllStringSubmatch(docs.Text("eleventy"), -1) {
		name := filepath.Join(dir, file[1])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(file[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	modules := filepath.Join(installed, "node_modules")
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	root := service.Start(t)
	admin := service.SignIn(t, root)
	admin.Do("POST", "/admin/models", map[string]any{"slug": "posts", "name": "Posts", "fields": []any{
		map[string]any{"name": "body", "type": "richtext"}}}, nil)
	addPost(admin, "Hello", "This is **bold**.")
	for range 100 {
		addPost(admin, "Another", "Text")
	}
	key := admin.MakeKey(map[string]any{"name": "site", "kind": "publishable"})
	build := exec.CommandContext(t.Context(), filepath.Join(modules, ".bin", "eleventy"))
	build.Dir, build.Env = dir, append(os.Environ(), "CMS_URL="+root, "CMS_PUBLIC_KEY="+key.PublicKey)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, text := range map[string]string{"index.html": `<a href="/posts/hello/">Hello</a>`,
		"posts/hello/index.html": "<strong>bold</strong>", "posts/another-100/index.html": "<h1>Another</h1>"} {
		page, err := os.ReadFile(filepath.Join(dir, "_site", name))
		if err != nil || !strings.Contains(string(page), text) {
			t.Errorf("%s has no %s: %s, %v", name, text, page, err)
		}
	}
}
