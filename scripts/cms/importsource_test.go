package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/cms/client"
	"headless/scripts/cms/importing"
)

// report is what an import says at its end.
type report struct{ importing.SourceReport }

// imported runs an import with --json and gives its report.
func imported(t *testing.T, code int, args ...string) (r report) {
	t.Helper()
	text := output(t, code, append(append([]string{"import"}, args...), "--json")...)
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return r
}

// leftOut reports whether a report names a reason for a source.
func (r report) leftOut(source, reason string) bool {
	for _, n := range r.LeftOut {
		if n.Source == source && strings.Contains(n.Reason, reason) {
			return true
		}
	}
	return false
}

// shown is an entry as the admin area shows it.
type shown struct {
	ID, Title, Slug, Status, Locale string
	PublishedAt                     *string `json:"published_at"`
	Version                         int
	Data                            map[string]any
	SEO                             map[string]any
	Translations                    []struct{ Locale, Title string }
}

// entryOf reads the entry of a slug.
func entryOf(t *testing.T, c *client.Client, model, locale, slug string) (e shown) {
	t.Helper()
	var list []shown
	path := "/admin/models/" + model +
		"/entries?filter[status]=any&translations=true&filter[locale]=" + locale + "&filter[slug]=" + slug
	must.Do(t, c.JSON("GET", path, nil, &list))
	if len(list) != 1 {
		t.Fatalf("%d entries of %s in %s with the slug %s", len(list), model, locale, slug)
	}
	return list[0]
}

func TestImportMarkdown(t *testing.T) {
	c := use(t, serve(t))
	must.Do(t, c.JSON("POST", "/admin/locales", map[string]any{"code": "de", "name": "Deutsch"}, nil))
	const dir = "testdata/markdown"
	expect(t, 2, "import", "markdown", dir)
	// The front matter of en/broken.md cannot be read.
	if r := imported(t, 1, "markdown", dir, "--model", "docs", "--dry-run"); r.Created != 4 || r.Failed != 1 {
		t.Errorf("dry run: %+v", r)
	}
	r := imported(t, 1, "markdown", dir, "--model", "docs")
	if r.Created != 5 || r.Failed != 1 || !r.leftOut("en/later.md", "missing.png") {
		t.Errorf("import: %+v", r)
	}
	start := entryOf(t, c, "docs", "en", "guides-start")
	cover, _ := start.Data["cover"].(string)
	body, _ := start.Data["body"].(string)
	if start.Title != "Getting started" || start.Status != "published" ||
		start.Data["rating"] != json.Number("4.5") || cover == "" || len(start.Translations) != 2 ||
		start.PublishedAt == nil || !strings.HasPrefix(*start.PublishedAt, "2026-03-04T09:30") {
		t.Errorf("start: %+v", start)
	}
	if !strings.Contains(body, "![A dot](cms://media/") ||
		!strings.Contains(body, "https://example.com/x.png") {
		t.Errorf("body: %s", body)
	}
	if later := entryOf(t, c, "docs", "en", "later"); later.Status != "draft" ||
		later.Data["day"] != "2026-04-01" {
		t.Errorf("later: %+v", later)
	}
	if home := entryOf(t, c, "docs", "en", "index"); home.Title != "Home" ||
		home.Data["body"] != "No front matter here." {
		t.Errorf("home: %+v", home)
	}
	if r := imported(t, 1, "markdown", dir, "--model", "docs"); r.Unchanged != 5 || r.Created+r.Updated != 0 {
		t.Errorf("again: %+v", r)
	}
}

// TestImportTried: a dry run names the lines that the import refuses, before there is a model and after, also where a
// line of an earlier request has their slug.
func TestImportTried(t *testing.T) {
	c := use(t, serve(t))
	pages, export := t.TempDir(), t.TempDir()
	for name, tags := range map[string]string{"a.md": "[x, y]", "b.md": "[x, x]"} {
		must.Do(t, os.WriteFile(filepath.Join(pages, name), []byte("---\ntags: "+tags+"\n---\nText"), 0o600))
	}
	var lines strings.Builder
	for i := range 230 {
		line := fmt.Sprintf(`{"id":"018f3f6e-3f0c-7b5a-9c3e-%012d","title":"Page","slug":"page-%d","data":{"n":1}}`+"\n",
			i, i%229)
		if i == 100 {
			line = strings.Replace(line, `"n":1`, `"n":"one"`, 1)
		}
		lines.WriteString(strings.Replace(line, "{", `{"model":"notes",`, 1))
	}
	const model = `{"slug":"notes","name":"Notes","fields":[{"name":"n","type":"number"}]}`
	must.Do(t, os.WriteFile(filepath.Join(export, "schema.json"), []byte(`{"models":[`+model+`]}`), 0o600))
	must.Do(t, os.WriteFile(filepath.Join(export, "notes.jsonl"), []byte(lines.String()), 0o600))
	for _, step := range []struct {
		args            []string
		created, failed int
	}{
		{[]string{"markdown", pages, "--model", "docs", "--dry-run"}, 1, 1},
		{[]string{"markdown", pages, "--model", "docs"}, 1, 1},
		{[]string{export, "--dry-run"}, 228, 2},
	} {
		if r := imported(t, 1, step.args...); r.Created != step.created || r.Failed != step.failed {
			t.Errorf("%v: %+v", step.args, r)
		}
	}
	must.Do(t, c.JSON("POST", "/admin/models", json.RawMessage(model), nil))
	for _, args := range [][]string{{export, "--dry-run"}, {export}} {
		if r := imported(t, 1, args...); r.Created != 228 || r.Failed != 2 {
			t.Errorf("with the model, %v: %+v", args, r)
		}
	}
}

// TestImportMarkdownLinks takes no file that a link in the folder leads out to.
func TestImportMarkdownLinks(t *testing.T) {
	use(t, serve(t))
	dir, outside := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{filepath.Join(outside, "secret.md"): "A secret.",
		filepath.Join(outside, "secret.png"): "bytes", filepath.Join(dir, "page.md"): "![A key](secret.png)"} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	for _, name := range []string{"secret.md", "secret.png"} {
		must.Do(t, os.Symlink(filepath.Join(outside, name), filepath.Join(dir, name)))
	}
	if r := imported(t, 1, "markdown", dir, "--model", "docs"); r.Created != 1 || r.Failed != 1 {
		t.Errorf("report: %+v", r)
	}
}

// TestImportMarkdownAwkward takes files as programs on Windows write them and images with blanks in their names, and
// names images that are not there and texts of other encodings.
func TestImportMarkdownAwkward(t *testing.T) {
	c := use(t, serve(t))
	dir := t.TempDir()
	for name, text := range map[string]string{
		"latin.md":      "---\ntitle: Caf\xe9\n---\nA text.",
		"lines.md":      "\uFEFF---\r\ntitle: Lines\r\n---\r\n![a](my%20photo.txt) ![b](<my photo.txt> \"B\")\r\n",
		"gone.md":       "![c](none.png) ![d](//example.com/x.png) ![e](data:image/png;base64,AA==)",
		"my photo.txt":  "Any file will do.",
		"日本/Ünïcode.md": "# A title\n![f](../my%20photo.txt)",
	} {
		name = filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	r := imported(t, 1, "markdown", dir, "--model", "docs")
	if r.Created != 4 || r.Failed != 1 || !r.leftOut("gone.md", "none.png") || r.leftOut("gone.md", "example.com") ||
		r.leftOut("gone.md", "data:") {
		t.Errorf("report: %+v", r)
	}
	body, _ := entryOf(t, c, "docs", "en", "lines").Data["body"].(string)
	if strings.Count(body, "(cms://media/") != 2 || !strings.HasSuffix(body, ` "B")`) {
		t.Errorf("body: %q", body)
	}
}

// TestImportMarkdownIntoModel keeps to the fields of a model that is there.
func TestImportMarkdownIntoModel(t *testing.T) {
	c := use(t, serve(t))
	model := map[string]any{"slug": "notes", "name": "Notes", "fields": []any{
		map[string]any{"name": "text", "type": "richtext"}, map[string]any{"name": "rating", "type": "text"},
	}}
	must.Do(t, c.JSON("POST", "/admin/models", model, nil))
	r := imported(t, 1, "markdown", "testdata/markdown/en", "--model", "notes")
	if !r.leftOut("notes.tags", "no such field") {
		t.Errorf("report: %+v", r)
	}
	start := entryOf(t, c, "notes", "en", "guides-start")
	if start.Data["rating"] != "4.5" || start.SEO["description"] != "The first steps." ||
		start.Data["text"] == nil {
		t.Errorf("start: %+v", start)
	}
	expect(t, 1, "import", "markdown", "testdata/nothing", "--model", "notes")
}
