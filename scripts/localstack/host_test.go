package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestHostsStandApart: a LocalStack keeps nothing where another one does, since each empties its folders when it
// starts.
func TestHostsStandApart(t *testing.T) {
	root := t.TempDir()
	script, err := os.ReadFile("../tools/localstack.sh")
	must.Do(t, err)
	for path, text := range map[string]string{"scripts/tools/localstack.sh": string(script),
		".tools/localstack/bin/python": "#!/bin/sh\necho \"$FILESYSTEM_ROOT\"\necho \"$TMPDIR\"\n"} {
		path = filepath.Join(root, path)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(t, os.WriteFile(path, []byte(text), 0o700))
	}
	for _, name := range []string{"a", "b"} {
		state := filepath.Join(root, name)
		out, err := exec.Command(filepath.Join(root, "scripts/tools/localstack.sh"), "run", "4566", state).Output()
		must.Do(t, err)
		for _, folder := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
			info, err := os.Stat(folder)
			if !strings.HasPrefix(folder, state) || err != nil || !info.IsDir() {
				t.Errorf("%s keeps files in %q, %v", name, folder, err)
			}
		}
	}
}
