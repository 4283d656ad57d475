package clients_test

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/scripts/cms/command"
	"headless/scripts/cms/importing"
	"headless/scripts/cms/starting"
	"headless/scripts/internal/service"
)

// started is a site that cms init wrote, with the service that has its content.
type started struct {
	*site
	template string
	root     string // of the service
	admin    *service.Admin
}

// startSite runs cms init below the example of a framework, whose npm packages it uses, and loads
// its content into a new service.
func startSite(t *testing.T, framework, template string) started {
	t.Helper()
	root := service.Start(t)
	admin := service.SignIn(t, root)
	example := filepath.Join(os.Getenv("SITES"), framework, "example")
	dir := filepath.Join(example, "start")
	must.Do(t, os.RemoveAll(dir))
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	initialize := starting.Command()
	initialize.SetArgs([]string{dir, "--framework", framework, "--template", template})
	initialize.SetOut(&bytes.Buffer{})
	must.Do(t, initialize.Execute())
	installed := packagesOf(t, example)
	for name, version := range packagesOf(t, dir) {
		if installed[name] != version {
			t.Errorf("the site needs %s %s, and the test has %q", name, version, installed[name])
		}
	}
	t.Setenv("CMS_URL", root)
	t.Setenv("CMS_TOKEN", admin.Token)
	load := importing.Command()
	command.ProfileFlag(load)
	load.SetArgs([]string{filepath.Join(dir, "content")})
	must.Do(t, load.Execute())
	for from, to := range map[string]any{"/offers": "/about", "/closed": nil} {
		status := map[bool]int{true: http.StatusGone, false: http.StatusFound}[to == nil]
		admin.Do("POST", "/admin/redirects", map[string]any{"from": from, "to": to, "status": status}, nil)
	}
	key := admin.MakeKey(map[string]any{"name": "site", "kind": "publishable"})
	env := "CMS_URL=" + root + "\nCMS_PUBLIC_KEY=" + key.PublicKey + "\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, ".env"), []byte(env), 0o600))
	return started{&site{t, dir, append(os.Environ(), "ASTRO_TELEMETRY_DISABLED=1", "NEXT_TELEMETRY_DISABLED=1")},
		template, root, admin}
}

// TestAstroStart checks, builds and serves the sites that cms init writes for Astro.
func TestAstroStart(t *testing.T) {
	if os.Getenv("SITES") == "" {
		return // make test-sites
	}
	for _, template := range []string{"blog", "marketing"} {
		t.Run(template, func(t *testing.T) {
			s := startSite(t, "astro", template)
			s.run("astro", "check")
			s.run("astro", "build")
			address := freeAddress(t)
			host, port, _ := net.SplitHostPort(address)
			server := exec.CommandContext(t.Context(), "node", "dist/server/entry.mjs")
			server.Dir, server.Env = s.dir, append(s.env, "HOST="+host, "PORT="+port)
			s.serve(server)
			s.check("http://" + address)
		})
	}
}

// TestNextStart builds and serves the sites that cms init writes for Next.js. The build checks their types.
func TestNextStart(t *testing.T) {
	if os.Getenv("SITES") == "" {
		return // make test-sites
	}
	for _, template := range []string{"blog", "marketing"} {
		t.Run(template, func(t *testing.T) {
			s := startSite(t, "next", template)
			s.run("next", "build")
			address := freeAddress(t)
			_, port, _ := net.SplitHostPort(address)
			s.serveNext(port)
			s.check("http://" + address)
		})
	}
}

// check looks at the pages of a new site, at previews, and at what it answers where there is nothing.
func (s started) check(base string) {
	t := s.t
	t.Helper()
	visitor := &http.Client{Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for path, texts := range map[string]map[string][]string{
		"blog": {
			"/":            {`href="/posts/hello"`, " 400w", `alt="A hut`, `content="Notes on making things."`},
			"/posts/hello": {`<a href="/about">`, " 1600w", `alt="A hut`, "Why this blog exists.</p>"}},
		"marketing": {
			"/":      {`<a href="/plans">`, " 400w", `alt="A red cup`, "<blockquote>"},
			"/plans": {"<table>"}},
	}[s.template] {
		for _, text := range texts {
			shows(t, visitor, base+path, text)
		}
	}
	p := pages{t: t, base: base}
	p.answers(visitor, "/offers", http.StatusFound, "/about")
	p.answers(visitor, "/closed", http.StatusGone, "")
	p.answers(visitor, "/unknown", http.StatusNotFound, "")
	s.checkPreviews(base)
}

// checkPreviews opens links to previews of the home page, and of an entry that was never published, while they are
// valid and after they have ended.
func (s started) checkPreviews(base string) {
	t := s.t
	t.Helper()
	visitor := &http.Client{Timeout: 30 * time.Second}
	var home []struct{ ID string }
	s.admin.Do("GET", "/admin/models/pages/entries?filter[slug]=home", nil, &home)
	s.admin.Do("PUT", "/admin/models/pages/entries/"+home[0].ID+"/draft", map[string]any{"title": "A draft"}, nil)
	model := map[string]string{"blog": "posts", "marketing": "pages"}[s.template]
	var made struct{ ID string }
	var files []struct{ ID string }
	s.admin.Do("GET", "/admin/media", nil, &files)
	data := map[string]any{"cover": files[0].ID}
	field := "data.cover"
	if s.template == "marketing" {
		data, field = map[string]any{"blocks": []any{map[string]any{"type": "hero", "picture": files[0].ID}}},
			"data.blocks.0.picture"
	}
	s.admin.Do("POST", "/admin/models/"+model+"/entries", map[string]any{"title": "Never seen", "data": data}, &made)
	for at, want := range map[string]struct{ title, published, place string }{
		"/admin/models/pages/entries/" + home[0].ID: {"A draft", "<h1>", ""},
		"/admin/models/" + model + "/entries/" + made.ID: {"Never seen", "There is no such page", `data-cms="` + model + "/" +
			made.ID + "#" + field},
	} {
		var link struct{ URL string }
		s.admin.Do("POST", at+"/preview", map[string]any{}, &link)
		local, ok := strings.CutPrefix(link.URL, "http://localhost:4321/")
		if !ok {
			t.Fatalf("a link to a preview is %s", link.URL)
		}
		address := base + "/" + local
		for _, text := range []string{"<h1>" + want.title, "This is a preview.", "<title>" + want.title + "</title>",
			s.root + "/assets/preview.js", "noindex", want.place} {
			shows(t, visitor, address, text)
		}
		s.admin.Do("DELETE", at+"/preview", nil, nil)
		for _, address := range []string{address, base + "/" + local[:strings.Index(local, "=")] + "=wrong"} {
			shows(t, visitor, address, want.published)
			shows(t, visitor, address, "has ended")
			if _, page := get(t, visitor, address); strings.Contains(page, "<h1>"+want.title) {
				t.Errorf("%s still shows the draft", address)
			}
		}
		if status, _ := get(t, visitor, address); status != map[bool]int{true: 200, false: 404}[want.published == "<h1>"] {
			t.Errorf("after the end of the link: %d", status)
		}
	}
}
