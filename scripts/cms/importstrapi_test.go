package main

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// packed is the folder testdata/strapi as strapi export writes it.
func packed(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "export.tar.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	zip := gzip.NewWriter(f)
	archive := tar.NewWriter(zip)
	if err := archive.AddFS(os.DirFS("testdata/strapi")); err != nil {
		t.Fatal(err)
	}
	for _, w := range []interface{ Close() error }{archive, zip, f} {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

func TestImportStrapi(t *testing.T) {
	c := use(t, serve(t))
	file := packed(t)
	r := imported(t, 1, "strapi", file, "--model", "articles=posts")
	if r.Created != 5 || r.Failed != 1 { // the bytes of gone.png are not in the export
		t.Errorf("report: %+v", r)
	}
	for source, reason := range map[string]string{
		"plugin::users-permissions.role": "belongs to", "api::article.article.secret": "password",
		"api::article.article.author":     "not taken",
		"api::category.category.articles": "other side",
	} {
		if !r.leftOut(source, reason) {
			t.Errorf("%s: %s is not in the report: %+v", source, reason, r.LeftOut)
		}
	}
	hello := entryOf(t, c, "posts", "en", "hello")
	cover, _ := hello.Data["cover"].(string)
	want := map[string]any{
		"intro": "In short", "kind": "news", "stars": 4.5, "cover": cover,
		"category": entryOf(t, c, "categories", "en", "news").ID,
		"seo":      map[string]any{"metaTitle": "For search engines"},
		"body":     "## Head\n\nSome **bold** and a [link](https://example.com)\n\n- one",
		"sections": []any{map[string]any{"type": "shared_quote", "text": "Words"},
			map[string]any{"type": "shared_picture", "big": true, "file": cover}},
	}
	if !reflect.DeepEqual(hello.Data, want) || cover == "" {
		t.Errorf("hello: %v, want %v", hello.Data, want)
	}
	if hello.Title != "Hello" || hello.Status != "published" || len(hello.Translations) != 2 {
		t.Errorf("hello: %+v", hello)
	}
	if german := entryOf(t, c, "posts", "de", "hallo"); german.Status != "draft" {
		t.Errorf("german: %+v", german)
	}
	if home := entryOf(t, c, "homepage", "en", "welcome"); home.Data["text"] != "Some *text*" {
		t.Errorf("home: %+v", home)
	}
	if r := imported(t, 1, "strapi", file, "--model", "articles=posts"); r.Unchanged != 5 ||
		r.Created+r.Updated != 0 {
		t.Errorf("again: %+v", r)
	}
	expect(t, 1, "import", "strapi", typesSchema)
}
