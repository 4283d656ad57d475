package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
)

// TestExportSince changes the drafts of old entries. An export of what is newer than a time has these that were saved
// after it, and no others.
func TestExportSince(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	c := use(t, serve(t))
	must.Do(t, c.JSON("POST", "/admin/models", map[string]any{"slug": "posts", "name": "Posts"}, nil))
	var ids []string
	for _, title := range []string{"Untouched", "Old draft", "New draft", "Both"} {
		var made struct{ ID string }
		must.Do(t, c.JSON("POST", "/admin/models/posts/entries", map[string]any{"title": title}, &made))
		ids = append(ids, made.ID)
	}
	save := func(i int, where string) {
		t.Helper()
		address := "/admin/models/posts/entries/" + ids[i] + where
		must.Do(t, c.JSON("PUT", address, map[string]any{"title": fmt.Sprint("Changed", where)}, nil))
	}
	save(1, "/draft")
	since := time.Now().Add(2 * time.Millisecond).UTC().Truncate(time.Millisecond) // as times of the service
	for !time.Now().After(since) {
	}
	save(2, "/draft")
	save(3, "")
	save(3, "/draft")
	dir := t.TempDir()
	expect(t, 0, "export", dir, "--since", since.Format(time.RFC3339Nano))
	text, err := os.ReadFile(filepath.Join(dir, "posts.jsonl"))
	must.Do(t, err)
	for i, want := range []int{0, 0, 1, 1} {
		if n := strings.Count(string(text), ids[i]); n != want {
			t.Errorf("entry %d: %d lines, want %d:\n%s", i, n, want, text)
		}
	}
}
