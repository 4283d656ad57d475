// Package disk keeps objects as plain files below a folder: the blob store of the embedded server.
//
// objects/<key> has the bytes, meta/<key> the headers as JSON, and tmp/ files that are being
// written. Only one process may use the folder.
package disk

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"headless/pkg/blob"
)

// Options of a store.
type Options struct {
	// Absolute URL under which UploadHandler is served, without a slash at the end.
	UploadURL string
	Secret    []byte           // signs direct uploads: 32 random bytes, the same after a restart
	Now       func() time.Time // the clock for expiry; nil: time.Now
}

// Store implements blob.Store.
type Store struct {
	root   string
	opts   Options
	commit sync.Mutex // held while a finished file is moved, so that "only if absent" is exact
}

// Open creates a missing folder, and removes files that were being written during a crash.
func Open(root string, opts Options) (*Store, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	s := &Store{root: root, opts: opts}
	if err := os.RemoveAll(s.path("tmp", "")); err != nil {
		return nil, err
	}
	for _, area := range []string{"objects", "meta", "tmp"} {
		if err := os.MkdirAll(s.path(area, ""), 0o755); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Store) path(area, key string) string {
	return filepath.Join(s.root, area, filepath.FromSlash(key))
}

// Put implements blob.Store.
func (s *Store) Put(ctx context.Context, key string, content io.ReadSeeker, meta blob.Meta) error {
	if err := blob.ValidKey(key); err != nil {
		return err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return s.writeFile(key, &contextReader{ctx, content}, meta, false)
}

// headers are stored beside an object.
type headers struct {
	blob.Meta
	Version string // of the write, since modification times are too coarse
}

// writeFile stores a file and its meta. With onlyNew it returns fs.ErrExist, without changes, if the
// object exists.
func (s *Store) writeFile(key string, content io.Reader, meta blob.Meta, onlyNew bool) error {
	beside, err := s.spoolHeaders(meta)
	if err != nil {
		return err
	}
	defer os.Remove(beside) // fails after the file was moved, as does the next Remove
	object, err := s.spool(content)
	if err != nil {
		return storeError(err)
	}
	defer os.Remove(object)

	s.commit.Lock()
	defer s.commit.Unlock()
	if onlyNew {
		if _, err := os.Lstat(s.path("objects", key)); err == nil {
			return fs.ErrExist
		}
	}
	return s.placeBoth(beside, object, key)
}

// spoolHeaders writes the headers of a new object to a temporary file, and returns its path.
func (s *Store) spoolHeaders(meta blob.Meta) (string, error) {
	document, err := json.Marshal(headers{meta, rand.Text()})
	if err != nil {
		return "", err
	}
	path, err := s.spool(bytes.NewReader(document))
	return path, storeError(err)
}

// placeBoth moves the finished files of an object. The headers are moved first: every visible object has headers,
// and headers without an object are never read.
func (s *Store) placeBoth(headers, object, key string) error {
	if err := place(headers, s.path("meta", key)); err != nil {
		return storeError(err)
	}
	return storeError(place(object, s.path("objects", key)))
}

// Get implements blob.Store.
func (s *Store) Get(ctx context.Context, key string, r blob.Range) (*blob.Object, error) {
	if err := errors.Join(blob.ValidKey(key), ctx.Err()); err != nil {
		return nil, err
	}
	file, err := os.Open(s.path("objects", key))
	if err != nil {
		return nil, storeError(err)
	}
	info, err := s.describe(key, file.Stat)
	if err != nil {
		file.Close()
		return nil, err
	}
	length := cmp.Or(r.Length, info.Size)
	return &blob.Object{Info: info, Body: body{io.NewSectionReader(file, r.Offset, length), file}}, nil
}

// body reads a section of a file and closes the file.
type body struct {
	io.Reader
	io.Closer
}

// Stat implements blob.Store.
func (s *Store) Stat(ctx context.Context, key string) (blob.Info, error) {
	if err := errors.Join(blob.ValidKey(key), ctx.Err()); err != nil {
		return blob.Info{}, err
	}
	return s.describe(key, func() (fs.FileInfo, error) { return os.Lstat(s.path("objects", key)) })
}

func (s *Store) describe(key string, stat func() (fs.FileInfo, error)) (blob.Info, error) {
	file, err := stat()
	if err != nil {
		return blob.Info{}, storeError(err)
	}
	if !file.Mode().IsRegular() {
		return blob.Info{}, blob.ErrNotFound
	}
	info := blob.Info{Key: key, Size: file.Size(), Modified: file.ModTime()}
	document, err := os.ReadFile(s.path("meta", key))
	if err != nil {
		return blob.Info{}, storeError(err)
	}
	var kept headers
	if err := json.Unmarshal(document, &kept); err != nil {
		return blob.Info{}, fmt.Errorf("disk: headers of %s: %w", key, err)
	}
	info.Meta, info.Version = kept.Meta, kept.Version
	return info, nil
}

// Copy implements blob.Store. Both objects are hard links to one file, since writing an object
// never changes a file in place.
func (s *Store) Copy(ctx context.Context, from blob.Info, key string) error {
	if err := errors.Join(blob.ValidKey(from.Key), blob.ValidKey(key), ctx.Err()); err != nil {
		return err
	}
	s.commit.Lock()
	defer s.commit.Unlock()
	now, err := s.Stat(ctx, from.Key)
	if err != nil {
		return err
	}
	if now.Version != from.Version {
		return blob.ErrNotFound
	}
	temp := s.path("tmp", "copy-"+rand.Text())
	if err := os.Link(s.path("objects", from.Key), temp); err != nil {
		return storeError(err)
	}
	defer os.Remove(temp) // it still exists if both were already the same file
	beside, err := s.spoolHeaders(from.Meta)
	if err != nil {
		return err
	}
	defer os.Remove(beside)
	return s.placeBoth(beside, temp, key)
}

// Delete implements blob.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := errors.Join(blob.ValidKey(key), ctx.Err()); err != nil {
		return err
	}
	s.commit.Lock()
	defer s.commit.Unlock()
	for _, area := range []string{"objects", "meta"} {
		path := s.path(area, key)
		err := storeError(os.Remove(path))
		if errors.Is(err, blob.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := syncFolder(filepath.Dir(path)); err != nil {
			return err
		}
	}
	return nil
}

// storeError converts errors to those of the port, and returns others unchanged.
func storeError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return blob.ErrNotFound
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE):
		return fmt.Errorf("%w: %w", blob.ErrUnavailable, err)
	}
	return err
}
