package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/cms/client"
)

// fileServer serves the one picture of the test data under any name but gone.png.
func fileServer(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/gone.png") {
			http.NotFound(w, r)
			return
		}
		http.ServeFile(w, r, "testdata/markdown/images/dot.png")
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// withFiles is a copy of an export whose files are on a server.
func withFiles(t *testing.T, name, files string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	must.Do(t, err)
	file := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "{{FILES}}", files)), 0o600))
	return file
}

func TestImportWordPress(t *testing.T) {
	c := use(t, serve(t))
	file := withFiles(t, "wordpress.xml", fileServer(t))
	r := imported(t, 1, "wordpress", file, "--model", "posts=articles")
	// One author, 2 categories, a tag, 2 posts, 2 pages, a file. gone.png is not there any more.
	if r.Created != 9 || r.Failed != 1 {
		t.Errorf("report: %+v", r)
	}
	for source, reason := range map[string]string{
		"comments": "no comments", "nav_menu_item": "configuration", "page 30": "private",
		"custom field mood": "no text field",
		"shortcode gallery": "stays", "taxonomy nav_menu": "only categories",
	} {
		if !r.leftOut(source, reason) {
			t.Errorf("%s: %s is not in the report: %+v", source, reason, r.LeftOut)
		}
	}
	hello := entryOf(t, c, "articles", "en", "hello")
	body, _ := hello.Data["body"].(string)
	picture, _ := hello.Data["image"].(string)
	if hello.Title != "Hello & welcome" || hello.Data["excerpt"] != "In short" ||
		hello.SEO["description"] != "For search engines" ||
		hello.PublishedAt == nil || !strings.HasPrefix(*hello.PublishedAt, "2026-03-04T09:30") ||
		len(hello.Translations) != 2 {
		t.Errorf("hello: %+v", hello)
	}
	team := entryOf(t, c, "pages", "en", "team")
	if !strings.HasPrefix(body,
		"Some **bold** text and a [link](https://example.com/x) to [us](cms://entry/"+team.ID+"#us).") || picture == "" ||
		!strings.Contains(body, "![A blue door](cms://media/"+picture+")") || strings.Contains(body, "wp:") {
		t.Errorf("body: %s", body)
	}
	if author := entryOf(t, c, "authors", "en", "ann"); hello.Data["author"] != author.ID ||
		author.Data["email"] != "ann@example.com" {
		t.Errorf("author: %+v", author)
	}
	if german := entryOf(t, c, "articles", "de", "hello"); german.Data["body"] != "Der erste Absatz.\n\nDer *zweite*." {
		t.Errorf("german: %+v", german)
	}
	about := entryOf(t, c, "pages", "en", "about")
	if team := entryOf(t, c, "pages", "en", "team"); about.Status != "draft" ||
		team.Data["parent"] != about.ID || team.Data["menu_order"] != json.Number("2") {
		t.Errorf("about %+v, team %+v", about, team)
	}
	if r := imported(t, 1, "wordpress", file, "--model", "posts=articles"); r.Unchanged != 9 ||
		r.Created+r.Updated != 0 {
		t.Errorf("again: %+v", r)
	}
	expect(t, 1, "import", "wordpress", typesSchema)
	expect(t, exitUsage, "import", "wordpress", file, "--model", "posts")
}

// TestImportWordPressRedirects: old addresses lead to the new ones if the model has a template
// of addresses, and files' pages to the files.
func TestImportWordPressRedirects(t *testing.T) {
	c := use(t, serve(t))
	file := withFiles(t, "wordpress.xml", fileServer(t))
	r := imported(t, 1, "wordpress", file)
	if !r.leftOut("redirects to posts", "has no url") || r.Redirects != 1 {
		t.Errorf("without addresses: %+v", r)
	}
	for model, url := range map[string]string{"posts": "/{locale}/blog/{slug}", "pages": "/about/{slug}"} {
		must.Do(t, c.JSON("PUT", "/admin/models/"+model, map[string]any{"url": url}, nil))
	}
	for range 2 { // again: the same redirects
		if r = imported(t, 1, "wordpress", file); r.Redirects != 3 || r.Created+r.Updated != 0 {
			t.Errorf("with addresses: %+v", r)
		}
		got := map[string]string{}
		err := client.Each(c, "/admin/redirects", map[string][]string{}, func(r map[string]any) error {
			got[r["from"].(string)] = r["to"].(string)
			return nil
		})
		must.Do(t, err)
		picture := entryOf(t, c, "posts", "en", "hello").Data["image"].(string)
		if len(got) != 3 || got["/2026/03/hello/"] != "/en/blog/hello" ||
			got["/de/2026/03/hello/"] != "/de/blog/hello" || // /about/team keeps its place
			!strings.Contains(got["/2026/03/hello/door/"], "/media/"+picture) {
			t.Errorf("redirects: %v", got)
		}
	}
	dry := imported(t, 0, "wordpress", file, "--dry-run")
	if dry.Redirects != 0 {
		t.Errorf("a dry run: %+v", dry)
	}
}

// TestImportWPML takes languages and translations as WPML writes them, and those of pages whose
// parent is a translation, too.
func TestImportWPML(t *testing.T) {
	c := use(t, serve(t))
	r := imported(t, 0, "wordpress", "testdata/wpml.xml")
	english, portuguese := entryOf(t, c, "pages", "en", "services"),
		entryOf(t, c, "pages", "pt-BR", "servicos")
	if r.Created != 3 || len(english.Translations) != 2 || len(portuguese.Translations) != 2 ||
		portuguese.Title != "Serviços" {
		t.Errorf("%+v: %+v, %+v", r, english, portuguese)
	}
	child := entryOf(t, c, "pages", "pt-BR", "design")
	if child.Data["parent"] != portuguese.ID || len(child.Translations) > 1 {
		t.Errorf("a page without a translation: %+v", child)
	}
}

// TestWordPressWithoutIDs: items that have no id are told apart by their other marks.
func TestWordPressWithoutIDs(t *testing.T) {
	c := use(t, serve(t))
	file := filepath.Join(t.TempDir(), "export.xml")
	item := func(n string) string {
		return `<item><title>Post ` + n + `</title><link>https://example.com/?p=` + n +
			`</link><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>`
	}
	text := `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><link>https://example.com</link>` +
		`<wp:base_site_url>https://example.com</wp:base_site_url>` + item("1") + item("2") + item("3") +
		`</channel></rss>`
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	if r := imported(t, 0, "wordpress", file); r.Created != 3 || r.Updated != 0 {
		t.Errorf("%+v", r)
	}
	var posts []shown
	if err := c.JSON(http.MethodGet, "/admin/models/posts/entries", nil, &posts); err != nil ||
		len(posts) != 3 {
		t.Errorf("%d posts, %v", len(posts), err)
	}
}
