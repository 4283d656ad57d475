package folder

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// WriteFile is like os.WriteFile, but a file stays as it was if the new one cannot be written to its end, as on a full
// disk. What is no plain file, and a file in a folder that takes no others, is written in place.
func WriteFile(name string, text []byte, mode fs.FileMode) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, text, mode)
	}
	kept := mode
	if err == nil {
		kept = info.Mode().Perm()
	}
	part := name + ".part"
	err = os.WriteFile(part, text, mode&kept)
	if errors.Is(err, fs.ErrPermission) {
		return os.WriteFile(name, text, mode)
	}
	if err == nil && kept != mode {
		err = os.Chmod(part, kept)
	}
	if err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		_ = os.Remove(part) // the error says why
	}
	return err
}

// Temporary calls use with an empty folder and removes it afterwards, also when the program is interrupted. Then it
// does not wait for use, and returns an error.
func Temporary(use func(dir string) error) error {
	dir, err := os.MkdirTemp("", "cms-")
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- use(dir) }()
	select {
	case err = <-done:
	case <-ctx.Done():
		err = errors.New("interrupted")
		if gone := dir + "-gone"; os.Rename(dir, gone) == nil { // so that use puts nothing more into it
			dir = gone
		}
	}
	return errors.Join(err, os.RemoveAll(dir))
}
