package disk

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"headless/pkg/blob"
)

// spool writes content to a temporary file and syncs it, so that it survives a crash after it is
// moved. It returns the path.
func (s *Store) spool(content io.Reader) (string, error) {
	file, err := os.CreateTemp(s.path("tmp", ""), "")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(file, content)
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// place moves a finished file to its path and makes the move durable.
func place(temp, path string) error {
	folder := filepath.Dir(path)
	if err := makeFolder(folder); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// makeFolder does the same as MkdirAll and makes each new directory entry durable.
func makeFolder(folder string) error {
	err := os.Mkdir(folder, 0o755)
	if os.IsExist(err) {
		return nil
	}
	if os.IsNotExist(err) {
		if err := makeFolder(filepath.Dir(folder)); err != nil {
			return err
		}
		err = os.Mkdir(folder, 0o755)
	}
	if err != nil {
		return err
	}
	return syncFolder(filepath.Dir(folder))
}

func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// contextReader fails when its context ends.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// List implements blob.Store.
func (s *Store) List(ctx context.Context, prefix, after string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		s.walk(ctx, "", prefix, after, yield)
	}
}

// walk lists one folder ("" or a key with a slash at its end) and its subfolders. It returns false
// if the iteration must stop.
func (s *Store) walk(ctx context.Context, folder, prefix, after string, yield func(blob.Info, error) bool) bool {
	entries, err := os.ReadDir(s.path("objects", folder))
	if err != nil && !os.IsNotExist(err) {
		return yield(blob.Info{}, err) && false
	}
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name()+"/") // so that it sorts like the keys below it
		} else {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if !s.visit(ctx, folder+name, prefix, after, yield) {
			return false
		}
	}
	return true
}

func (s *Store) visit(ctx context.Context, key, prefix, after string, yield func(blob.Info, error) bool) bool {
	if err := ctx.Err(); err != nil {
		return yield(blob.Info{}, err) && false
	}
	if strings.HasSuffix(key, "/") {
		mayMatch := strings.HasPrefix(key, prefix) || strings.HasPrefix(prefix, key)
		mayFollow := key > after || strings.HasPrefix(after, key)
		return !mayMatch || !mayFollow || s.walk(ctx, key, prefix, after, yield)
	}
	if !strings.HasPrefix(key, prefix) || key <= after {
		return true
	}
	stat, err := os.Lstat(s.path("objects", key))
	if os.IsNotExist(err) { // deleted after the folder was read
		return true
	}
	if err != nil {
		return yield(blob.Info{}, err) && false
	}
	if stat.Mode()&fs.ModeType != 0 || blob.ValidKey(key) != nil { // not ours, such as .DS_Store
		return true
	}
	return yield(blob.Info{Key: key, Size: stat.Size(), Modified: stat.ModTime()}, nil)
}
