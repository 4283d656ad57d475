// Package upload receives files: it cleans names, reads multipart bodies, and defines what must be
// known about a file. Package inspect reads the content of files.
package upload

import (
	"bytes"
	"context"
	"io"

	"headless/pkg/cms"
)

// MimeSVG is the type that needs SanitizeSVG before it is stored.
const MimeSVG = "image/svg+xml"

// MaxSVGBytes is the largest drawing that SanitizeSVG reads.
const MaxSVGBytes = 4 << 20

// File describes the content of a file.
type File struct {
	Mime          string
	Width, Height int   // as displayed; 0: not an image
	Size          int64 // bytes of a drawing that Read has sanitized; else 0
}

// Inspector has the functions that inspect files; package inspect documents them. They are values,
// so that a program that only reads the records of files links no decoders.
type Inspector struct {
	Inspect     func(name string, content io.Reader) (File, error)
	CheckName   func(name, kind string) (string, error)
	Agree       func(name, kind string) (string, bool)
	SanitizeSVG func(document []byte) ([]byte, error)
	// Placeholder returns the BlurHash of a picture, "" if there is none; scalable reports whether
	// variants can be made.
	Placeholder func(ctx context.Context, content io.ReadSeeker) (hash string, scalable bool, err error)
	// CropPlaceholder returns the BlurHash of a part of a picture, given that of the whole.
	CropPlaceholder func(hash string, crop cms.Crop) (string, error)
}

// Read determines the type and dimensions of a file. It returns the content to store, at its start: the
// file's own, or a sanitized copy of an SVG. Errors: those of Inspect and SanitizeSVG, and read errors.
func (i Inspector) Read(name string, file io.ReadSeeker) (File, io.ReadSeeker, error) {
	found, err := i.Inspect(name, file)
	if err != nil {
		return File{}, nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil || found.Mime != MimeSVG {
		return found, file, err
	}
	document, err := io.ReadAll(io.LimitReader(file, MaxSVGBytes+1))
	if err != nil {
		return File{}, nil, err
	}
	if document, err = i.SanitizeSVG(document); err != nil {
		return File{}, nil, err
	}
	found.Size = int64(len(document))
	return found, bytes.NewReader(document), nil
}
