package clients_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"headless/pkg/docs"
	"headless/pkg/must"
	"headless/scripts/internal/service"
)

// guideFile is a file of a site in a guide: its name, and the block below it.
var guideFile = regexp.MustCompile("(?s)\n`([^`\n]+)`\n\n```[a-z]+\n(.+?)```\n")

// guideCommands is a block of commands in a guide.
var guideCommands = regexp.MustCompile("(?s)\n```sh\n(.+?)```\n")

// guide is the site of a guide in a folder of its own.
type guide struct {
	site
	name     string
	commands []string // those of the page, one after the other
}

// openGuide writes the files of a guide to a new folder below that of its npm packages in GUIDES: Nuxt does not find
// packages through a link.
func openGuide(t *testing.T, name string, env ...string) *guide {
	t.Helper()
	installed, err := filepath.EvalSymlinks(filepath.Join(os.Getenv("GUIDES"), name))
	must.Do(t, err)
	dir, err := os.MkdirTemp(installed, "site")
	must.Do(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	g := &guide{site: site{t, dir, append(os.Environ(), env...)}, name: name}
	text := docs.Text(name)
	for _, file := range guideFile.FindAllStringSubmatch(text, -1) {
		at := filepath.Join(g.dir, file[1])
		must.Do(t, os.MkdirAll(filepath.Dir(at), 0o755))
		must.Do(t, os.WriteFile(at, []byte(file[2]), 0o600))
	}
	if page, locked := packagesOf(t, g.dir), packagesOf(t, installed); !maps.Equal(page, locked) {
		t.Errorf("the guide for %s takes the packages %v, and the test has %v", name, page, locked)
	}
	for _, block := range guideCommands.FindAllStringSubmatch(text, -1) {
		for _, line := range strings.Split(strings.ReplaceAll(block[1], "\\\n", ""), "\n") {
			if line != "" {
				g.commands = append(g.commands, line)
			}
		}
	}
	return g
}

// packagesOf returns the npm packages of a folder, with their versions.
func packagesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	var file struct{ Dependencies, DevDependencies map[string]string }
	raw, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if os.IsNotExist(err) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &file)
	}
	must.Do(t, err)
	all := map[string]string{}
	maps.Copy(all, file.Dependencies)
	maps.Copy(all, file.DevDependencies)
	return all
}

// shell returns the command of the page that begins with some words, with parts of it replaced.
func (g *guide) shell(begins string, replace ...string) *exec.Cmd {
	g.t.Helper()
	for _, command := range g.commands {
		if strings.HasPrefix(command, begins) {
			cmd := exec.CommandContext(g.t.Context(), "sh", "-c", "exec "+strings.NewReplacer(replace...).Replace(command))
			cmd.Dir, cmd.Env = g.dir, g.env
			return cmd
		}
	}
	g.t.Fatalf("the guide for %s has no command %q", g.name, begins)
	return nil
}

// runs runs a command of the page.
func (g *guide) runs(begins string, replace ...string) {
	g.t.Helper()
	if out, err := g.shell(begins, replace...).CombinedOutput(); err != nil {
		g.t.Fatalf("%s: %v\n%s", begins, err, out)
	}
}

// TestGuideEleventy builds the site of the guide for Eleventy, with more posts than one answer holds.
func TestGuideEleventy(t *testing.T) {
	if os.Getenv("GUIDES") == "" {
		return // make test-sites
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
	g := openGuide(t, "eleventy", "CMS_URL="+root, "CMS_PUBLIC_KEY="+key.PublicKey)
	g.runs("npx eleventy")
	for name, text := range map[string]string{"index.html": `<a href="/posts/hello/">Hello</a>`,
		"posts/hello/index.html": "<strong>bold</strong>", "posts/another-100/index.html": "<h1>Another</h1>"} {
		if page := g.file("_site/" + name); !strings.Contains(page, text) {
			t.Errorf("%s has no %s: %s", name, text, page)
		}
	}
}

// TestGuideHugo builds the site of the guide for Hugo, and again after a webhook.
func TestGuideHugo(t *testing.T) {
	if os.Getenv("GUIDES") == "" {
		return // make test-sites
	}
	version, err := os.ReadFile("../tools/python/hugo.in")
	_, v, _ := strings.Cut(strings.TrimSpace(string(version)), "==")
	if err != nil || !strings.Contains(docs.Text("hugo"), "Hugo "+v+".\n") {
		t.Errorf("the guide has another version than %s (%v)", version, err)
	}
	s := startGuide(t, "hugo", "PATH="+filepath.Join(os.Getenv("GUIDES"), "hugo", "bin")+":"+os.Getenv("PATH"))
	for range 100 { // more than one answer holds
		addPost(s.admin, "Another", "Text")
	}
	s.runs("hugo")
	has := func(name string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if page := s.file("public" + name); !strings.Contains(page, text) {
				t.Errorf("%s has no %s: %s", name, text, page)
			}
		}
	}
	has("/index.html", "<h1>Start</h1>")
	has("/company/jobs/index.html", "<h1>Jobs</h1>", "About <em>Jobs</em>", `href="mailto:hello@example.com"`,
		`href="/de/firma/stellen" hreflang="de"`)
	has("/de/firma/stellen/index.html", `<html lang="de">`, `href="/company/jobs" hreflang="en"`)
	has("/posts/hello/index.html", `alt="A dot"`, " 400w")
	has("/posts/another-100/index.html", "<h1>Another</h1>")
	has("/contact/index.html", `name="email"`, "/api/v1/forms/contact/submit")
	has("/_redirects", "/offers /company 302")
	s.buildsAgain("hugo")
	has("/posts/hello/index.html", "<h1>Hello again</h1>")
}

// TestGuideAstro builds and serves the site of the guide for Astro.
func TestGuideAstro(t *testing.T) { guideOf(t, "astro", "dist/client/news/index.html") }

// TestGuideNext builds and serves the site of the guide for Next.js.
func TestGuideNext(t *testing.T) { guideOf(t, "next", ".next/server/app/news.html") }

// TestGuideNuxt builds and serves the site of the guide for Nuxt.
func TestGuideNuxt(t *testing.T) { guideOf(t, "nuxt", ".output/public/news/index.html") }

// TestGuideSvelteKit builds and serves the site of the guide for SvelteKit.
func TestGuideSvelteKit(t *testing.T) { guideOf(t, "sveltekit", "build/prerendered/news.html") }

// guideOf follows a guide to a site that npm builds, one of whose files is the page of the news.
func guideOf(t *testing.T, name, news string) {
	t.Helper()
	if os.Getenv("GUIDES") == "" {
		return // make test-sites
	}
	s := startGuide(t, name)
	s.runs("curl -sS -f -H")
	s.runs("npm run build")
	if page := s.file(news); !strings.Contains(page, "Hello") {
		t.Errorf("the news: %s", page)
	}
	s.buildsAgain("npm run build")
	s.serves()
}

// guideSite is the site of a guide, and its service.
type guideSite struct {
	*guide
	pages
}

// startGuide opens a guide on a service with content.
func startGuide(t *testing.T, name string, env ...string) guideSite {
	t.Helper()
	root := service.Start(t)
	admin := service.SignIn(t, root)
	address := freeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	base := "http://localhost:" + port
	content := addContent(t, admin, base+"{path}?preview={token}")
	addCover(t, root, admin, content.post)
	public := admin.MakeKey(map[string]any{"name": "site", "kind": "publishable"})
	secret := admin.MakeKey(map[string]any{"name": "types", "scopes": []string{"read"}})
	g := openGuide(t, name, append(env, "CMS_URL="+root, "CMS_PUBLIC_KEY="+public.PublicKey, "KEY="+secret.PublicKey,
		"SECRET="+secret.Secret, "TOKEN="+admin.Token, "ORIGIN="+base, "HOST=127.0.0.1", "PORT="+port)...)
	return guideSite{g, pages{t, base, root, admin, content}}
}

// serves starts the server of the site, and looks at its pages, its form and its picture.
func (s guideSite) serves() {
	t := s.guide.t
	t.Helper()
	s.serve(s.shell("node ", "node node_modules/", "node ../node_modules/"))
	visitor := &http.Client{Timeout: 30 * time.Second}
	shows(t, visitor, s.base+"/news", "Hello again")
	shows(t, visitor, s.base+"/posts/hello", "<strong>bold</strong>")
	for _, text := range []string{`alt="A dot"`, `src="` + s.root + "/media/", " 400w"} {
		shows(t, visitor, s.base+"/posts/hello", text)
	}
	var link struct{ URL string }
	s.admin.Do("POST", "/admin/models/posts/entries/"+s.content.post+"/preview", map[string]any{}, &link)
	for _, field := range []string{"cover", "body"} {
		shows(t, s.editor(), link.URL, `data-cms="posts/`+s.content.post+"#data."+field+`"`)
	}
	action := s.root + "/api/v1/forms/contact/submit"
	shows(t, visitor, s.base+"/contact", `action="`+action+`"`)
	shows(t, visitor, s.base+"/contact", `name="email"`)
	answer, err := visitor.PostForm(action, map[string][]string{"email": {"ada@example.com"}})
	must.Do(t, err)
	if answer.Body.Close(); answer.StatusCode >= 300 {
		t.Errorf("the form: %s", answer.Status)
	}
	s.check()
}

// buildsAgain registers the webhook of the guide, changes a post, and builds the site once the webhook is called.
func (s guideSite) buildsAgain(build string) {
	t := s.guide.t
	t.Helper()
	called := make(chan struct{}, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called <- struct{}{} }))
	t.Cleanup(hook.Close)
	s.runs("curl -sS -f -X POST", "https://build.example.com/hook", hook.URL,
		`"bundle_seconds": 30`, `"bundle_seconds": 1`)
	s.admin.Do("PUT", "/admin/models/posts/entries/"+s.content.post, map[string]any{"title": "Hello again"}, nil)
	select {
	case <-called:
	case <-time.After(time.Minute):
		t.Fatal("no build was started")
	}
	s.runs(build)
}

// addCover gives a post a picture, whose id it returns.
func addCover(t *testing.T, root string, admin *service.Admin, post string) string {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "dot.png")
	if err == nil {
		err = png.Encode(file, image.NewGray(image.Rect(0, 0, 800, 400)))
	}
	must.Do(t, errors.Join(err, form.WriteField("alt", "A dot"), form.Close()))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, root+"/admin/media", &body)
	must.Do(t, err)
	for name, value := range map[string]string{"Content-Type": form.FormDataContentType(), "Accept": "application/json",
		"Authorization": "Bearer " + admin.Token} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	must.Do(t, err)
	defer resp.Body.Close()
	var answer struct{ Data struct{ ID string } }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || answer.Data.ID == "" {
		t.Fatalf("no picture: %s %v", resp.Status, err)
	}
	admin.Do("PUT", "/admin/models/posts/entries/"+post,
		map[string]any{"data": map[string]any{"cover": answer.Data.ID}}, nil)
	return answer.Data.ID
}
