package clients_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/scripts/internal/service"
)

// site is an example site in the folder where its npm packages are.
type site struct {
	t   *testing.T
	dir string
	env []string
}

// openSite copies the sources of an example to where scripts/tools/sites.sh has installed its
// packages, below SITES, and the package of this folder as npm packs it.
func openSite(t *testing.T, name string, env ...string) *site {
	t.Helper()
	dir := filepath.Join(os.Getenv("SITES"), name, "example")
	for _, made := range []string{"app", "src", "dist", ".next", ".astro", "node_modules/.astro"} {
		must.Do(t, os.RemoveAll(filepath.Join(dir, made)))
	}
	overwrite(t, filepath.Join(name, "example"), dir)
	unpack(t, name, filepath.Join(dir, "node_modules", "headless-"+name))
	return &site{t, dir,
		append(os.Environ(), append(env, "ASTRO_TELEMETRY_DISABLED=1", "NEXT_TELEMETRY_DISABLED=1")...)}
}

// overwrite copies a folder over another one.
func overwrite(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.Command("cp", "-R", from+"/.", to).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
}

// unpack makes the npm package of a folder, and puts it where npm would install it.
func unpack(t *testing.T, name, to string) {
	t.Helper()
	packed := t.TempDir()
	pack := exec.Command("npm", "pack", "--silent", "--pack-destination", packed)
	pack.Dir = name
	if out, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("npm pack: %v %s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(packed, "*.tgz"))
	if err != nil || len(files) != 1 {
		t.Fatalf("npm packed %v %v", files, err)
	}
	must.Do(t, errors.Join(os.RemoveAll(to), os.MkdirAll(to, 0o755)))
	out, err := exec.Command("tar", "-xzf", files[0], "--strip-components", "1", "-C", to).CombinedOutput()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(to, "README.md")); err != nil {
		t.Error(err)
	}
}

// command is a program of the site's packages, or of the folder's above it.
func (s *site) command(name string, args ...string) *exec.Cmd {
	program := filepath.Join(s.dir, "node_modules", ".bin", name)
	if _, err := os.Stat(program); err != nil {
		program = filepath.Join(s.dir, "..", "node_modules", ".bin", name)
	}
	cmd := exec.CommandContext(s.t.Context(), program, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

// run runs a program of the site's packages and returns its output.
func (s *site) run(name string, args ...string) string {
	s.t.Helper()
	out, err := s.command(name, args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// serveNext serves a site that Next.js has built, until the test ends.
func (s *site) serveNext(port string) {
	s.t.Helper()
	s.serve(s.command("next", "start", "--hostname", "127.0.0.1", "--port", port))
}

// serve runs the server of a site until the test ends.
func (s *site) serve(server *exec.Cmd) {
	s.t.Helper()
	server.WaitDelay = 5 * time.Second
	var said strings.Builder
	server.Stdout, server.Stderr = &said, &said
	must.Do(s.t, server.Start())
	s.t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait() // it was killed
		if s.t.Failed() {
			s.t.Log(said.String())
		}
	})
}

// file is a file of the built site, "" if there is none.
func (s *site) file(name string) string {
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return string(text)
}

// TestAstro builds the example for Astro twice: of everything, and of what changed. Then it serves the pages
// that are rendered on demand.
func TestAstro(t *testing.T) {
	if os.Getenv("SITES") == "" {
		return // make test-sites
	}
	root := service.Start(t)
	admin := service.SignIn(t, root)
	key := admin.MakeKey(map[string]any{"name": "site", "kind": "publishable"})
	address := freeAddress(t)
	host, port, _ := net.SplitHostPort(address)
	s := openSite(t, "astro", "CMS_URL="+root, "CMS_PUBLIC_KEY="+key.PublicKey, "HOST="+host, "PORT="+port)
	base := "http://localhost:" + port
	content := addContent(t, admin, base+"{path}?preview={token}")
	cover := addCover(t, root, admin, content.post)
	gone := addPost(admin, "Gone soon", "Text")
	addPost(admin, "Stays", "Text")
	s.run("astro", "check") // the types of the package
	s.run("astro", "build")
	file := root + "/media/" + cover
	picture := `srcset="` + file + "?w=400&fm=auto 400w, " + file + `?w=800&fm=auto 800w"`
	page := s.file("dist/client/archive/index.html")
	for _, text := range []string{"<strong>bold</strong>", "Gone soon", picture, `alt="A dot"`} {
		if !strings.Contains(page, text) {
			t.Errorf("the archive has no %s: %s", text, page)
		}
	}

	admin.Do("PUT", "/admin/models/posts/entries/"+content.post, map[string]any{"title": "Hello again"}, nil)
	admin.Do("DELETE", "/admin/models/posts/entries/"+gone, nil, nil)
	admin.Do("PUT", "/admin/media/"+cover, map[string]any{"alt": "A black dot"}, nil)
	said := s.run("astro", "build")
	for _, text := range []string{"posts: 2 changes, 2 entries", "media: 1 changes, 1 entries"} {
		if !strings.Contains(said, text) {
			t.Errorf("the second build did not read the changes alone, %s: %s", text, said)
		}
	}
	if page := s.file("dist/client/archive/index.html"); !strings.Contains(page, "Hello again") ||
		!strings.Contains(page, "Stays") || strings.Contains(page, "Gone soon") ||
		!strings.Contains(page, `alt="A black dot"`) {
		t.Errorf("the archive after the changes: %s", page)
	}

	server := exec.CommandContext(t.Context(), "node", "dist/server/entry.mjs")
	server.Dir, server.Env = s.dir, s.env
	s.serve(server)
	p := pages{t, base, root, admin, content}
	p.check()
	p.bars()
}

// TestNext builds and serves the example for Next.js: its pages follow changes by the webhook.
func TestNext(t *testing.T) {
	if os.Getenv("SITES") == "" {
		return // make test-sites
	}
	root := service.Start(t)
	admin := service.SignIn(t, root)
	address := freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	base := "http://localhost:" + port // as Next.js names itself in redirects
	content := addContent(t, admin, base+"/api/draft?preview={token}&path={path}")
	key := admin.MakeKey(map[string]any{"name": "site", "scopes": []string{"read"}})
	var hook struct{ Secret string }
	admin.Do("POST", "/admin/webhooks", map[string]any{"name": "Next.js", "url": "http://" +
		address + "/api/webhook", "events": []string{"*"}}, &hook)
	s := openSite(t, "next", "CMS_URL="+root, "CMS_KEY="+key.PublicKey, "CMS_SECRET="+key.Secret,
		"CMS_WEBHOOK_SECRET="+hook.Secret)
	s.run("next", "build")
	s.serveNext(port)

	visitor := &http.Client{Timeout: 30 * time.Second}
	shows(t, visitor, base+"/posts/hello", "<h1>Hello</h1>")
	admin.Do("PUT", "/admin/models/posts/entries/"+content.post, map[string]any{"title": "Hello again"}, nil)
	shows(t, visitor, base+"/posts/hello", "<h1>Hello again</h1>")
	p := pages{t, base, root, admin, content}
	p.check()
	p.bars()

	p.sideBySide()
	wrong := base + "/api/draft?preview=x&path=/company/jobs"
	if status, _ := get(t, visitor, wrong); status != http.StatusForbidden {
		t.Errorf("a wrong token: %d", status)
	}
	if resp, err := visitor.Post("http://"+address+"/api/webhook", "application/json",
		strings.NewReader(`{"event":"entry.updated"}`)); err != nil {
		t.Error(err)
	} else if resp.Body.Close(); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a webhook without a signature: %s", resp.Status)
	}
}

// freeAddress is an address on this machine where nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	defer l.Close()
	return l.Addr().String()
}

func get(t *testing.T, c *http.Client, address string) (status int, text string) {
	t.Helper()
	resp, err := c.Get(address)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, comment.ReplaceAllString(string(raw), "")
}

// comment is what frameworks write between the parts of a page.
var comment = regexp.MustCompile("<!--.*?-->")

// shows waits until a page shows a text.
func shows(t *testing.T, c *http.Client, address, text string) {
	t.Helper()
	var status int
	var page string
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if status, page = get(t, c, address); strings.Contains(page, text) {
			return
		}
	}
	t.Fatalf("%s never shows %q: %d %s", address, text, status, page)
}
