package folder

import (
	"os"
	"path/filepath"
	"testing"

	"headless/pkg/must"
)

// TestNothingLeavesTheFolder reads and writes by names and links that lead out of the folder.
func TestNothingLeavesTheFolder(t *testing.T) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.jsonl")
	must.Do(t, os.WriteFile(secret, []byte("secret"), 0o600))
	dir := filepath.Join(outside, "export")
	must.Do(t, os.MkdirAll(filepath.Join(dir, "files"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(dir, "own"), []byte("own"), 0o600))
	for name, to := range map[string]string{"files/absolute": secret, "files/relative": "../../secret.jsonl",
		"folder": outside, "files/own": "../own"} {
		must.Do(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	for name, mayRead := range map[string]bool{"own": true, "files/own": true, "files/absolute": false,
		"files/relative": false, "folder/secret.jsonl": false, "../secret.jsonl": false, secret: false} {
		f, err := Open(dir, name)
		if (err == nil) != mayRead {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			must.Do(t, f.Close())
		}
	}
	for _, name := range []string{"../secret", "files/../../secret", "folder/secret", ""} {
		if err := WriteLines(dir, name, func(line func(any) error) error { return line("x") }); err == nil {
			t.Errorf("lines were written to %q", name)
		}
	}
	if text, err := os.ReadFile(secret); err != nil || string(text) != "secret" {
		t.Errorf("outside stands %q, %v", text, err)
	}
}
