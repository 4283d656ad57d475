package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"headless/pkg/must"
)

func TestImportContentful(t *testing.T) {
	c := use(t, serve(t))
	file := withFiles(t, "contentful.json", fileServer(t))
	r := imported(t, 1, "contentful", file, "--model", "author=people")
	if r.Created != 5 || r.Failed != 1 { // asset f2 has no file
		t.Errorf("report: %+v", r)
	}
	for source, reason := range map[string]string{
		"blogPost.any": "of any type", "entry p1": "was changed after",
	} {
		if !r.leftOut(source, reason) {
			t.Errorf("%s: %s is not in the report: %+v", source, reason, r.LeftOut)
		}
	}
	if !r.leftOut("entry p1", "gone") || !r.leftOut("entry p1", "embedded-entry-block") {
		t.Errorf("left out: %+v", r.LeftOut)
	}
	ann := entryOf(t, c, "people", "en", "ann")
	second := entryOf(t, c, "blog-post", "en", "second")
	hello := entryOf(t, c, "blog-post", "en", "hello")
	photo, _ := ann.Data["photo"].(string)
	want := map[string]any{
		"intro": "In *short*", "kind": "news", "tags": []any{"go"}, "words": []any{"a", "b"},
		"author": ann.ID, "related": []any{second.ID},
		"see": []any{map[string]any{"model": "blog-post", "id": second.ID}, map[string]any{"model": "people", "id": ann.ID}},
		"any": ann.ID, "day": "2026-04-01T00:00:00Z", "stars": json.Number("4"),
		"place": map[string]any{"lat": json.Number("1.5"), "lon": json.Number("2")},
	}
	body, _ := hello.Data["body"].(string)
	delete(hello.Data, "body")
	if !reflect.DeepEqual(hello.Data, want) {
		t.Errorf("hello: %v, want %v", hello.Data, want)
	}
	if !strings.HasPrefix(body, "## Head\n\nSome **bold** [link](https://example.com)[ to](cms://entry/"+second.ID+
		")\n\n1. one\n2. two\n\n![A dot](cms:") ||
		!strings.HasSuffix(body, "//media/"+photo+")") {
		t.Errorf("body: %s", body)
	}
	if hello.Status != "published" || second.Status != "draft" || len(hello.Translations) != 2 {
		t.Errorf("hello %+v, second %+v", hello, second)
	}
	if german := entryOf(t, c, "blog-post", "de", "hello"); german.Title != "Hallo" ||
		german.Data["kind"] != "news" || german.Data["intro"] != nil {
		t.Errorf("german: %+v", german)
	}
	if r := imported(t, 1, "contentful", file, "--model", "author=people"); r.Unchanged != 5 ||
		r.Created+r.Updated != 0 {
		t.Errorf("again: %+v", r)
	}
	expect(t, 1, "import", "contentful", typesSchema)
}

// TestImportSameID takes the first of two records with one id, and names the other.
func TestImportSameID(t *testing.T) {
	c := use(t, serve(t))
	file := filepath.Join(t.TempDir(), "same.json")
	record := func(name string) string {
		return `{"sys": {"id": "a1", "contentType": {"sys": {"id": "author"}}, "publishedVersion": 1},
			"fields": {"name": {"en": "` + name + `"}}}`
	}
	text := `{"contentTypes": [{"sys": {"id": "author"}, "name": "Author", "displayField": "name",
		"fields": [{"id": "name", "name": "Name", "type": "Symbol"}]}],
		"locales": [{"code": "en", "default": true}], "entries": [` + record("Ann") + "," + record("Bob") + "]}"
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	for range 2 { // repeated: nothing changes back and forth
		if r := imported(t, 1, "contentful", file); r.Created+r.Unchanged != 1 || r.Updated != 0 || r.Failed != 1 {
			t.Errorf("report: %+v", r)
		}
	}
	entryOf(t, c, "author", "en", "ann")
}
