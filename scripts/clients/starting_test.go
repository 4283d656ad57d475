package clients_test

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/scripts/cms/command"
	"headless/scripts/cms/importing"
	"headless/scripts/cms/starting"
	"headless/scripts/internal/service"
)

// startSite runs cms init below the example of a framework, whose npm packages it uses, and loads
// its content into a new service.
func startSite(t *testing.T, framework, template string) *site {
	t.Helper()
	root := service.Start(t)
	admin := service.SignIn(t, root)
	dir := filepath.Join(os.Getenv("SITES"), framework, "example", "start")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	initialize := starting.Command()
	initialize.SetArgs([]string{dir, "--framework", framework, "--template", template})
	initialize.SetOut(&bytes.Buffer{})
	if err := initialize.Execute(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CMS_URL", root)
	t.Setenv("CMS_TOKEN", admin.Token)
	load := importing.Command()
	command.ProfileFlag(load)
	load.SetArgs([]string{filepath.Join(dir, "content")})
	if err := load.Execute(); err != nil {
		t.Fatal(err)
	}
	key := admin.MakeKey(map[string]any{"name": "site", "kind": "publishable"})
	env := "CMS_URL=" + root + "\nCMS_PUBLIC_KEY=" + key.PublicKey + "\n"
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte(env), 0o600); err != nil {
		t.Fatal(err)
	}
	return &site{t, dir, append(os.Environ(), "ASTRO_TELEMETRY_DISABLED=1", "NEXT_TELEMETRY_DISABLED=1")}
}

// TestAstroStart builds the site that cms init writes for Astro.
func TestAstroStart(t *testing.T) {
	if os.Getenv("SITES") == "" {
		return // make test-sites
	}
	s := startSite(t, "astro", "blog")
	s.run("astro", "build")
	if page := s.file("dist/index.html"); !strings.Contains(page, `href="/posts/hello"`) ||
		!strings.Contains(page, "A quiet blog") {
		t.Errorf("the home page: %s", page)
	}
	if page := s.file("dist/posts/hello/index.html"); !strings.Contains(page, `<a href="/about">`) {
		t.Errorf("a post: %s", page)
	}
}

// TestNextStart builds and serves the site that cms init writes for Next.js.
func TestNextStart(t *testing.T) {
	if os.Getenv("SITES") == "" {
		return // make test-sites
	}
	s := startSite(t, "next", "marketing")
	s.run("next", "build")
	address := freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	s.serveNext(port)
	visitor := &http.Client{Timeout: 30 * time.Second}
	shows(t, visitor, "http://"+address+"/", `<a href="/plans">`)
	shows(t, visitor, "http://"+address+"/plans", "<table>")
	if status, _ := get(t, visitor, "http://"+address+"/unknown"); status != http.StatusNotFound {
		t.Errorf("an unknown path: %d", status)
	}
}
