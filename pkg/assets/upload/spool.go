package upload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxMemory is how much of a file is kept in memory. Larger files go to a temporary file.
const maxMemory = 8 << 20

// errSpool marks failures of the temporary file, in contrast to failures of the body.
var errSpool = errors.New("media: temporary file")

// spool is content that can be read repeatedly.
type spool struct {
	io.ReadSeeker
	size int64
	file *os.File // nil for content in memory
}

// newSpool reads content to its end.
func newSpool(content io.Reader) (*spool, error) {
	var memory bytes.Buffer
	size, err := io.CopyN(&memory, content, maxMemory+1)
	if errors.Is(err, io.EOF) {
		return &spool{ReadSeeker: bytes.NewReader(memory.Bytes()), size: size}, nil
	}
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "upload-")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errSpool, err)
	}
	s := &spool{ReadSeeker: file, file: file}
	if err := s.fillFrom(io.MultiReader(&memory, content)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *spool) fillFrom(content io.Reader) error {
	size, err := io.Copy(spoolWriter{s.file}, content)
	if err != nil {
		return err
	}
	s.size = size
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("%w: %w", errSpool, err)
	}
	return nil
}

// Close implements io.Closer. A nil spool is allowed.
func (s *spool) Close() error {
	if s == nil || s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

// spoolWriter marks errors of writing.
type spoolWriter struct{ file *os.File }

func (w spoolWriter) Write(p []byte) (int, error) {
	n, err := w.file.Write(p)
	if err != nil {
		err = fmt.Errorf("%w: %w", errSpool, err)
	}
	return n, err
}
