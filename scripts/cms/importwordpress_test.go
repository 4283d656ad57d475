package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), "{{FILES}}", files)), 0o600); err != nil {
		t.Fatal(err)
	}
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
	if !strings.HasPrefix(body, "Some **bold** text and a [link](https://example.com/x).") || picture == "" ||
		!strings.Contains(body, "![A blue door](http") ||
		!strings.Contains(body, "/media/"+picture) || strings.Contains(body, "wp:") {
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
		team.Data["parent"] != about.ID || team.Data["menu_order"] != 2.0 {
		t.Errorf("about %+v, team %+v", about, team)
	}
	if r := imported(t, 1, "wordpress", file, "--model", "posts=articles"); r.Unchanged != 9 ||
		r.Created+r.Updated != 0 {
		t.Errorf("again: %+v", r)
	}
	expect(t, 1, "import", "wordpress", typesSchema)
	expect(t, 1, "import", "wordpress", file, "--model", "posts")
}
