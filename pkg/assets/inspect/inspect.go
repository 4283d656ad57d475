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
	if _, err := io.CopyN(&head, content, HeadBytes); err != nil && !errors.Is(err, io.EOF) {
		return upload.File{}, err
	}
	kind, err := p.Check(name, head.Bytes())
	if err != nil {
		return upload.File{}, err
	}
	width, height, ok := Dimensions(io.MultiReader(&head, content), kind)
	if !ok && mustHaveSize(kind) {
		problems := cms.Problems{}
		problems.Add("file", "The picture is damaged: its size cannot be read.")
		return upload.File{}, problems.Err()
	}
	return upload.File{Mime: kind, Width: width, Height: height}, nil
}

// mustHaveSize reports whether the header of a type always has a size.
func mustHaveSize(kind string) bool {
	switch kind {
	case mimeJPEG, mimePNG, mimeGIF, mimeWebP:
		return true
	}
	return false
}
