package main

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"headless/pkg/must"
)

// packed is a folder as strapi export writes it.
func packed(t *testing.T, dir string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "export.tar.gz")
	f, err := os.Create(file)
	must.Do(t, err)
	zip := gzip.NewWriter(f)
	archive := tar.NewWriter(zip)
	must.Do(t, archive.AddFS(os.DirFS(dir)))
	for _, w := range []interface{ Close() error }{archive, zip, f} {
		must.Do(t, w.Close())
	}
	return file
}

func TestImportStrapi(t *testing.T) {
	c := use(t, serve(t))
	file := packed(t, "testdata/strapi")
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
		"intro": "In short", "kind": "news", "stars": json.Number("4.5"), "cover": cover,
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
	said := written(t, &os.Stderr, func() { expect(t, 1, "import", "strapi", typesSchema) })
	if !strings.Contains(said, "no Strapi export") {
		t.Errorf("of another file it says %q", said)
	}
}

// TestImportStrapi4 takes an export of version 4, where each locale is an entity of its own and
// names the others, and takes it again without the translations: the same entry.
func TestImportStrapi4(t *testing.T) {
	c := use(t, serve(t))
	r := imported(t, 0, "strapi", packed(t, "testdata/strapi4"))
	if r.Created != 6 || !r.leftOut("plugin::i18n.locale", "belongs to") ||
		!r.leftOut("api::tag.tag.recipes", "other side") {
		t.Errorf("report: %+v", r)
	}
	soup := entryOf(t, c, "recipes", "en", "soup")
	quick, cheap := entryOf(t, c, "tags", "en", "quick"), entryOf(t, c, "tags", "en", "cheap")
	photos, _ := soup.Data["photos"].([]any)
	want := map[string]any{"text": "Boil **it**.", "vegan": true, "photos": photos,
		"tags": []any{cheap.ID, quick.ID},
		"steps": []any{map[string]any{"label": "Cut", "minutes": json.Number("5")},
			map[string]any{"label": "Boil", "minutes": json.Number("20")}}}
	if !reflect.DeepEqual(soup.Data, want) || len(photos) != 1 || soup.Status != "published" ||
		len(soup.Translations) != 3 {
		t.Errorf("soup: %+v", soup)
	}
	if german := entryOf(t, c, "recipes", "de", "suppe"); german.Status != "draft" ||
		cheap.Status != "draft" {
		t.Errorf("drafts: %+v, %+v", german, cheap)
	}
	alone := t.TempDir()
	must.Do(t, os.CopyFS(alone, os.DirFS("testdata/strapi4")))
	for _, name := range []string{"entities/entities_00001.jsonl", "links/links_00001.jsonl"} {
		file := filepath.Join(alone, name)
		text, err := os.ReadFile(file)
		must.Do(t, err)
		var kept []string
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(line, "localizations") && !strings.Contains(line, `"locale":"de"`) &&
				!strings.Contains(line, `"locale":"fr"`) {
				kept = append(kept, line)
			}
		}
		must.Do(t, os.WriteFile(file, []byte(strings.Join(kept, "")), 0o600))
	}
	if r := imported(t, 0, "strapi", packed(t, alone)); r.Created != 0 {
		t.Errorf("without translations: %+v", r)
	}
}

// TestImportStrapiStarter imports a real export, of which most files were removed.
func TestImportStrapiStarter(t *testing.T) {
	c := use(t, serve(t))
	file := packed(t, "testdata/strapi-starter")
	r := imported(t, 1, "strapi", file)
	const entries, files, lost = 20, 2, 20
	if r.Created != entries+files || r.Failed != lost {
		t.Errorf("report: %+v", r)
	}
	about := entryOf(t, c, "pages", "en", "about")
	if about.Title != "About" || about.SEO["title"] != "About" ||
		about.SEO["description"] != "This is about page" || about.Status != "published" {
		t.Errorf("page: %+v", about)
	}
	article := entryOf(t, c, "articles", "en", "what-are-role-based-permissions-in-a-web-application")
	author, _ := article.Data["authorsBio"].(string)
	category, _ := article.Data["category"].(string)
	blocks, _ := article.Data["blocks"].([]any)
	if author == "" || category == "" || len(blocks) == 0 {
		t.Errorf("article: %+v", article.Data)
	}
	again := imported(t, 1, "strapi", file)
	if again.Created+again.Updated > 0 || again.Unchanged != entries+files || again.Failed != lost {
		t.Errorf("again: %+v", again)
	}
}
