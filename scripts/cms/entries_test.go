package main

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/cms/client"
)

// TestEntries creates, drafts, publishes and lists entries by commands, as a person would.
func TestEntries(t *testing.T) {
	c := use(t, serve(t))
	model := map[string]any{"slug": "posts", "name": "Posts", "localized": true,
		"fields": []map[string]any{{"name": "body", "type": "text"}}}
	must.Do(t, c.JSON("POST", "/admin/models", model, nil))
	file := func(body map[string]any) string {
		raw, _ := json.Marshal(body) // maps of texts can be encoded
		path := filepath.Join(t.TempDir(), "entry.json")
		must.Do(t, os.WriteFile(path, raw, 0o600))
		return path
	}
	expect(t, 0, "entries", "put", "posts", file(map[string]any{"title": "Hello", "slug": "hello"}))
	expect(t, 1, "entries", "put", "posts", file(map[string]any{"title": ""}))
	id, err := entryID(c, "posts", "hello", "any")
	must.Do(t, err)
	expect(t, 0, "entries", "publish", "posts", "hello")
	expect(t, 0, "entries", "put", "posts", file(map[string]any{"id": id, "title": "Changed"}), "--draft")
	var stored struct {
		Title, Status string
		HasDraft      bool `json:"has_draft"`
	}
	if err := c.JSON("GET", client.EntriesPath("posts")+"/"+id, nil, &stored); err != nil ||
		stored.Title != "Hello" || stored.Status != "published" || !stored.HasDraft {
		t.Errorf("beside a draft: %+v, %v", stored, err)
	}
	expect(t, 0, "entries", "publish", "posts", id)
	if err := c.JSON("GET", client.EntriesPath("posts")+"/"+id, nil, &stored); err != nil || stored.Title != "Changed" {
		t.Errorf("published: %+v, %v", stored, err)
	}
	expect(t, 0, "entries", "list", "posts", "--filter", "status=published", "--json")
	if said := output(t, 0, "entries", "list", "posts", "--filter", "locale=de"); strings.Contains(said, "hello") {
		t.Errorf("in German: %s", said)
	}
	for filter, want := range map[string]bool{"title[ne]=Changed": false, "data.body[null]=true": true} {
		said := output(t, 0, "entries", "list", "posts", "--filter", filter)
		if strings.Contains(said, "hello") != want {
			t.Errorf("--filter %s: %s", filter, said)
		}
	}
	expect(t, 1, "entries", "list", "posts", "--filter", "title[near]=Changed")
	expect(t, 0, "entries", "get", "posts", "hello")
	expect(t, 1, "entries", "get", "posts", "unknown")
	expect(t, 1, "entries", "publish", "posts", "hello", "unknown")
	expect(t, 2, "entries", "get", "posts")
}

// TestEntryFiles takes files as programs on Windows write them, and refuses those that are not one entry.
func TestEntryFiles(t *testing.T) {
	c := use(t, serve(t))
	must.Do(t, c.JSON("POST", "/admin/models", map[string]any{"slug": "posts", "name": "Posts"}, nil))
	path := filepath.Join(t.TempDir(), "Ünïcode 日本.json")
	for body, code := range map[string]int{
		"\uFEFF{\r\n\"title\": \"A\"\r\n}\r\n": 0,
		`{"title": "B"} {"title": "C"}`:        1,
		`{"title": "B", "id": 5}`:              1,
		`{"title": "B", "id": ""}`:             1,
		`{"title": "B", "id": "../../keys"}`:   1,
		`{"title": "B"`:                        1,
		`[{"title": "B"}]`:                     1,
		"":                                     1,
	} {
		must.Do(t, os.WriteFile(path, []byte(body), 0o600))
		expect(t, code, "entries", "put", "posts", path)
	}
	var made []struct{ Title string }
	err := c.JSON("GET", client.EntriesPath("posts"), nil, &made)
	if err != nil || len(made) != 1 || made[0].Title != "A" {
		t.Errorf("made %v, %v", made, err)
	}
	must.Do(t, os.WriteFile(path, []byte("\uFEFF{\"models\": []}\r\n"), 0o600))
	expect(t, 0, "schema", "plan", path, "--exit-code")
}

// TestEntriesLeave takes entries out of the middle of a tree.
func TestEntriesLeave(t *testing.T) {
	c := use(t, serve(t))
	must.Do(t, c.JSON("POST", "/admin/models", map[string]any{"slug": "pages", "name": "Pages", "tree": true},
		nil))
	parent := any(nil)
	for _, slug := range []string{"top", "middle", "deep"} {
		var made struct{ ID string }
		body := map[string]any{"title": slug, "slug": slug, "parent": parent, "status": "published"}
		must.Do(t, c.JSON("POST", client.EntriesPath("pages"), body, &made))
		parent = made.ID
	}
	expect(t, 1, "entries", "unpublish", "pages", "middle")
	expect(t, 1, "entries", "unpublish", "pages", "middle", "--children", "all")
	expect(t, 0, "entries", "unpublish", "pages", "middle", "--children", "up")
	expect(t, 1, "entries", "delete", "pages", "top", "unknown")
	expect(t, 0, "entries", "delete", "pages", "top", "--children", "down")
	var left []struct{ Slug string }
	err := c.JSON("GET", client.EntriesPath("pages"), nil, &left)
	if err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestFilesPut uploads a folder with a file of each kind that is taken, and names the others.
func TestFilesPut(t *testing.T) {
	c := use(t, serve(t))
	dir := t.TempDir()
	for name, text := range map[string]string{"notes.txt": "Some words.", "more/table.csv": "a,b\n1,2\n", ".hidden": "x"} {
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	expect(t, 0, "files", "put", dir, "--folder", "Texts", "--alt", "For a test")
	found := map[string]string{}
	err := client.Each(c, "/admin/media", url.Values{"filter[folder]": {"Texts"}}, func(file map[string]any) error {
		found[file["name"].(string)], _ = file["alt"].(string)
		return nil
	})
	if err != nil || len(found) != 2 || found["notes.txt"] != "For a test" || found["table.csv"] != "For a test" {
		t.Errorf("files %v, %v", found, err)
	}
	bad := filepath.Join(dir, "page.exe")
	must.Do(t, os.WriteFile(bad, []byte("MZ"), 0o600))
	expect(t, 1, "files", "put", bad)
	expect(t, 1, "files", "put", filepath.Join(dir, "missing"))
	expect(t, 0, "doctor")
	expect(t, 0, "open", "models")
	t.Setenv("CMS_EMAIL", "")
	t.Setenv("CMS_TOKEN", "pat_wrong")
	expect(t, 1, "doctor")
}
