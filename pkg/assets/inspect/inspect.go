package inspect

import (
	"bytes"
	"errors"
	"io"

	"headless/pkg/assets/upload"
	"headless/pkg/cms"
)

// Inspect checks a file against the policy and measures its image. It reads at most a few MiB from
// the start of content. Errors: those of Check, VALIDATION_FAILED on "file" for an image whose
// header is damaged, and read errors of content.
func (p Policy) Inspect(name string, content io.Reader) (upload.File, error) {
	var head bytes.Buffer
	if _, err := io.CopyN(&head, content, headBytes); err != nil && !errors.Is(err, io.EOF) {
		return upload.File{}, err
	}
	kind, err := p.Check(name, head.Bytes())
	if err != nil {
		return upload.File{}, err
	}
	rest := &faultReader{Reader: content}
	width, height, ok := Dimensions(io.MultiReader(&head, rest), kind)
	if rest.err != nil {
		return upload.File{}, rest.err
	}
	if !ok && mustHaveSize(kind) {
		problems := cms.Problems{}
		problems.Add("file", "The picture is damaged: its size cannot be read.")
		return upload.File{}, problems.Err()
	}
	return upload.File{Mime: kind, Width: width, Height: height}, nil
}

// faultReader keeps the error of a failed read, which decoders report as a damaged header.
type faultReader struct {
	io.Reader
	err error
}

func (f *faultReader) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

// mustHaveSize reports whether the header of a type always has a size.
func mustHaveSize(kind string) bool {
	switch kind {
	case mimeJPEG, mimePNG, mimeGIF, mimeWebP:
		return true
	}
	return false
}
