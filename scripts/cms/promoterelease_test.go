package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"headless/pkg/must"
	"headless/scripts/cms/client"
)

// entryState has the keys of an entry that the test checks.
type entryState struct {
	ID, Title, Status string
	HasDraft          bool `json:"has_draft"`
	Data              map[string]any
}

// TestPromoteRelease copies releases between two services: nothing is public before the release is
// published there, its references come along, and nothing else does.
func TestPromoteRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	first, second := serve(t), serve(t)
	target := use(t, second)
	source := use(t, first)
	post := func(c *client.Client, path string, body any) (made struct{ ID string }) {
		t.Helper()
		if err := c.JSON("POST", path, body, &made); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return made
	}
	put := func(c *client.Client, path string, body any) {
		t.Helper()
		if err := c.JSON("PUT", path, body, nil); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	read := func(c *client.Client, model, id string) (e entryState) {
		t.Helper()
		if err := c.JSON("GET", client.EntryPath(model, id), nil, &e); err != nil && !client.IsUnknown(err) {
			t.Fatal(err)
		}
		return e
	}
	field := func(name, kind string) map[string]any { return map[string]any{"name": name, "type": kind} }
	related := field("author", "relation")
	related["model"] = "authors"
	for slug, fields := range map[string][]any{"authors": {field("bio", "text")},
		"others": {field("x", "text")}} {
		post(source, "/admin/models", map[string]any{"slug": slug, "name": slug, "fields": fields})
	}
	post(source, "/admin/models", map[string]any{"slug": "posts", "name": "posts",
		"fields": []any{field("body", "richtext"), related, field("cover", "media")}})
	other := post(source, "/admin/models/others/entries", map[string]any{"title": "Other"})
	ann := post(source, "/admin/models/authors/entries",
		map[string]any{"title": "Ann", "status": "published"})
	cover := uploadPicture(t, source)
	old := post(source, "/admin/models/posts/entries", map[string]any{"title": "Old", "status": "published",
		"data": map[string]any{"body": "one"}})
	gone := post(source, "/admin/models/posts/entries",
		map[string]any{"title": "Gone", "status": "published"})
	t.Setenv("CMS_TO_TOKEN", target.Token)
	expect(t, 0, "promote", "--to", second)
	fresh := post(source, "/admin/models/posts/entries", map[string]any{"title": "Fresh",
		"data": map[string]any{"body": "text", "author": ann.ID, "cover": cover}})
	put(source, client.EntryPath("posts", old.ID)+"/draft", map[string]any{"data": map[string]any{"body": "two"}})
	put(source, client.EntryPath("others", other.ID), map[string]any{"title": "Changed"})
	// The other service lost the author, and has a draft of its own.
	for _, path := range []string{client.EntryPath("authors", ann.ID), "/admin/trash/" + ann.ID} {
		must.Do(t, target.JSON("DELETE", path, nil, nil))
	}
	put(target, client.EntryPath("posts", old.ID)+"/draft", map[string]any{"title": "Theirs"})
	spring := post(source, "/admin/releases", map[string]any{"name": "Spring", "items": []any{
		map[string]any{"model": "posts", "id": fresh.ID, "action": "publish"},
		map[string]any{"model": "posts", "id": old.ID, "action": "publish"},
		map[string]any{"model": "posts", "id": gone.ID, "action": "unpublish"},
	}})

	expect(t, 1, "promote", "--to", second, "--release", "Autumn")
	expect(t, 0, "promote", "--to", second, "--release", "Spring")
	expect(t, 0, "promote", "--to", second, "--release", spring.ID) // again: the same release there
	if e := read(target, "posts", fresh.ID); e.Status != "draft" || e.Data["author"] != ann.ID {
		t.Errorf("before: %+v", e)
	}
	if e := read(target, "posts", old.ID); e.Status != "published" || e.Data["body"] != "one" || !e.HasDraft {
		t.Errorf("before: %+v", e)
	}
	if e := read(target, "authors", ann.ID); e.Status != "published" {
		t.Errorf("what it refers to: %+v", e)
	}
	if err := target.JSON("GET", "/admin/media/"+cover, nil, nil); err != nil {
		t.Errorf("its file: %v", err)
	}
	if e := read(target, "others", other.ID); e.Title != "Other" {
		t.Errorf("what is not in the release: %+v", e)
	}
	if n := releasesOf(t, target); n != 1 {
		t.Errorf("%d releases, want 1", n)
	}
	for range 2 { // the second one finds that nothing is left to do
		expect(t, 0, "promote", "--to", second, "--release", "Spring", "--publish", "--json")
		for id, want := range map[string]entryState{
			fresh.ID: {Title: "Fresh", Status: "published"}, old.ID: {Title: "Old", Status: "published"},
			gone.ID: {Title: "Gone", Status: "draft"},
		} {
			if e := read(target, "posts", id); e.Title != want.Title || e.Status != want.Status ||
				e.HasDraft {
				t.Errorf("after: %+v", e)
			}
		}
		if n := releasesOf(t, target); n != 1 {
			t.Errorf("%d releases, want 1", n)
		}
	}
	if e := read(target, "posts", old.ID); e.Data["body"] != "two" {
		t.Errorf("after: %+v", e)
	}
	put(source, client.EntryPath("posts", old.ID)+"/draft", map[string]any{"data": map[string]any{"body": "three"}})
	expect(t, 0, "promote", "--to", second, "--release", "Spring", "--publish")
	if e := read(target, "posts", old.ID); e.Data["body"] != "three" || releasesOf(t, target) != 2 {
		t.Errorf("changed since: %+v", e)
	}
	required := field("body", "richtext")
	required["required"] = true
	put(target, "/admin/models/posts",
		map[string]any{"fields": []any{required, related, field("cover", "media")}})
	empty := post(source, "/admin/models/posts/entries", map[string]any{"title": "Empty"})
	post(source, "/admin/releases", map[string]any{"name": "Summer", "items": []any{
		map[string]any{"model": "posts", "id": empty.ID, "action": "publish"}}})
	said := written(t, &os.Stderr, func() { expect(t, 1, "promote", "--to", second, "--release", "Summer", "--publish") })
	if !strings.Contains(said, "posts "+empty.ID+": VALIDATION_FAILED") ||
		!strings.Contains(said, "data.body: is required") {
		t.Errorf("the other service refused it: %s", said)
	}
	if e := read(target, "posts", empty.ID); e.Status != "draft" {
		t.Errorf("refused: %+v", e)
	}
}

// uploadPicture stores a picture as a file of a service.
func uploadPicture(t *testing.T, c *client.Client) (id string) {
	t.Helper()
	content, err := os.ReadFile("testdata/markdown/images/dot.png")
	must.Do(t, err)
	id = uuid.NewString()
	sendTestFile(t, c, id, "dot.png", "", content)
	return id
}

func releasesOf(t *testing.T, c *client.Client) (n int) {
	t.Helper()
	err := client.Each(c, "/admin/releases", map[string][]string{}, func(map[string]any) error { n++; return nil })
	must.Do(t, err)
	return n
}

// TestPromoteSignsInFirst refuses a wrong token of the other service before it exports anything.
func TestPromoteSignsInFirst(t *testing.T) {
	other := serve(t)
	use(t, serve(t))
	file := filepath.Join(t.TempDir(), "schema.json")
	must.Do(t, os.WriteFile(file, []byte(`{"models": [{"slug": "posts", "name": "Posts", "fields": []}]}`), 0o600))
	expect(t, 0, "schema", "apply", file)
	t.Setenv("CMS_TO_TOKEN", "pat_wrong")
	said := written(t, &os.Stderr, func() { expect(t, exitFailed, "promote", "--to", other) })
	if !strings.HasSuffix(said, "has ended. Set CMS_TO_TOKEN\n") || strings.Contains(said, "entries") {
		t.Errorf("a wrong token of the other service: %s", said)
	}
}
