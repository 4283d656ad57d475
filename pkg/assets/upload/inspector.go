// Package upload takes files in: names, bodies of uploads, and what must be known of a file.
// Package inspect looks into them.
package upload

import (
	"context"
	"io"
)

// MimeSVG is the type that needs SanitizeSVG before it is stored.
const MimeSVG = "image/svg+xml"

// MaxSVGBytes is the largest drawing that SanitizeSVG reads.
const MaxSVGBytes = 4 << 20

// File is what is known of a file from its content.
type File struct {
	Mime          string
	Width, Height int // as shown; 0 where there are none
}

// Inspector looks into files; package inspect documents its functions. They are values, so that a
// program which only reads the records of files links no decoders.
type Inspector struct {
	Inspect     func(name string, content io.Reader) (File, error)
	CheckName   func(name, kind string) (string, error)
	Agree       func(name, kind string) (string, bool)
	SanitizeSVG func(document []byte) ([]byte, error)
	// Placeholder is the BlurHash of a picture, "" where there is none; scalable reports whether
	// variants can be made.
	Placeholder func(ctx context.Context, content io.ReadSeeker) (hash string, scalable bool, err error)
}
