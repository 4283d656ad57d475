//go:build unix

package folder

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"headless/pkg/must"
)

// TestWriteFile writes files where the system takes no file of more than 1,000 bytes, as if the disk were full.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "types.ts"), filepath.Join(dir, "link.ts")
	must.Do(t, WriteFile(name, []byte("one"), 0o644))
	must.Do(t, os.Chmod(name, 0o600))
	must.Do(t, os.Symlink(name, link))
	must.Do(t, WriteFile(link, []byte("two"), 0o644))
	var was syscall.Rlimit
	must.Do(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1_000, Max: was.Max}))
	err := WriteFile(name, []byte(strings.Repeat("x", 2_000)), 0o644)
	must.Do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was))
	if err == nil {
		t.Error("no error")
	}
	got, err := os.ReadFile(link)
	must.Do(t, err)
	info, err := os.Stat(name)
	must.Do(t, err)
	if string(got) != "two" || info.Mode().Perm() != 0o600 {
		t.Errorf("%.20q with mode %v", got, info.Mode())
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("files: %v, %v", files, err)
	}
	must.Do(t, WriteFile(os.DevNull, []byte("no plain file"), 0o644))
}

// TestTemporary interrupts a program that uses a folder.
func TestTemporary(t *testing.T) {
	var used string
	end := make(chan struct{})
	defer close(end)
	err := Temporary(func(dir string) error {
		used = dir
		if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o600); err != nil {
			return err
		}
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			return err
		}
		<-end
		return nil
	})
	if err == nil || err.Error() != "interrupted" {
		t.Error(err)
	}
	if left, err := filepath.Glob(used + "*"); used == "" || len(left) > 0 || err != nil {
		t.Errorf("folder %q, left %v, %v", used, left, err)
	}
}
