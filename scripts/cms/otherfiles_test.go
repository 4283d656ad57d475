package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/cms/importing"
)

// TestImportTakesNoOtherFiles imports the export of somebody else, whose files are links to files of this machine.
func TestImportTakesNoOtherFiles(t *testing.T) {
	c := use(t, serve(t))
	private := filepath.Join(t.TempDir(), "private.txt")
	must.Do(t, os.WriteFile(private, []byte(strings.Repeat("secret\n", 1<<20)), 0o600))
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "files"), 0o755))
	must.Do(t, os.Symlink(private, filepath.Join(dir, "files", "linked")))
	must.Do(t, os.WriteFile(filepath.Join(dir, "schema.json"), []byte(`{"models": [], "locales": []}`), 0o600))
	line := `{"model": "media", "id": "01a22f95-6f56-7bfe-9bc4-8489618eaccb", "name": "a.txt", "mime": "text/plain", ` +
		`"sha256": "linked"}`
	must.Do(t, os.WriteFile(filepath.Join(dir, "media.jsonl"), []byte(line+"\n"), 0o600))
	report := importing.Report{}
	must.Do(t, importing.Into(c, dir, importing.Options{}, &report))
	linked := t.TempDir() // a schema that is a link adds nothing, either
	models := filepath.Join(t.TempDir(), "models.json")
	must.Do(t, os.WriteFile(models, []byte(`{"locales": [{"code": "fr", "name": "French"}]}`), 0o600))
	must.Do(t, os.Symlink(models, filepath.Join(linked, "schema.json")))
	if err := importing.Into(c, linked, importing.Options{}, &report); err == nil {
		t.Error("the import took a schema from outside of its folder")
	}
	var files []any
	must.Do(t, c.JSON("GET", "/admin/media", nil, &files))
	if len(files) > 0 {
		t.Errorf("the import took %v", files)
	}
}
