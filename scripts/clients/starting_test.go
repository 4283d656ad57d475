package clients_test

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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
	for from, to := range map[string]any{"/offers": "/about", "/closed": nil} {
		status := map[bool]int{true: http.StatusGone, false: http.StatusFound}[to == nil]
		admin.Do("POST", "/admin/redirects", map[string]any{"from": from, "to": to, "status": status}, nil)
	}
	key := admin.MakeKey(map[string]any{"name": "site", "kind": "publishable"})
	env := "CMS_URL=" + root + "\nCMS_PUBLIC_KEY=" + key.PublicKey + "\n"
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte(env), 0o600); err != nil {
		t.Fatal(err)
	}
	return &site{t, dir, append(os.Environ(), "ASTRO_TELEMETRY_DISABLED=1", "NEXT_TELEMETRY_DISABLED=1")}
}

// TestAstroStart builds and serves the site that cms init writes for Astro.
func TestAstroStart(t *testing.T) {
	if os.Getenv("SITES") == "" {
		return // make test-sites
	}
	s := startSite(t, "astro", "blog")
	s.run("astro", "build")
	address := freeAddress(t)
	host, port, _ := net.SplitHostPort(address)
	server := exec.CommandContext(t.Context(), "node", "dist/server/entry.mjs")
	server.Dir, server.Env = s.dir, append(s.env, "HOST="+host, "PORT="+port)
	s.serve(server)
	checkStart(t, "http://"+address, map[string]string{
		"/": `href="/posts/hello"`, "/posts/hello": `<a href="/about">`})
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
	checkStart(t, "http://"+address, map[string]string{"/": `<a href="/plans">`, "/plans": "<table>"})
}

// checkStart looks at the pages of a new site, and at what it answers where there is none.
func checkStart(t *testing.T, base string, texts map[string]string) {
	t.Helper()
	visitor := &http.Client{Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for path, text := range texts {
		shows(t, visitor, base+path, text)
	}
	p := pages{t: t, base: base}
	p.answers(visitor, "/offers", http.StatusFound, "/about")
	p.answers(visitor, "/closed", http.StatusGone, "")
	p.answers(visitor, "/unknown", http.StatusNotFound, "")
}
