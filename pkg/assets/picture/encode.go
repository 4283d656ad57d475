package picture

import (
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/HugoSmits86/nativewebp"
	"golang.org/x/image/draw"

	"headless/pkg/assets/variant"
)

// Types maps the formats of package variant to MIME types.
var Types = map[string]string{variant.FormatJPEG: JPEG, variant.FormatPNG: PNG, variant.FormatWebP: WebP}

// FormatOf returns the format of a MIME type, "" for other types.
func FormatOf(mime string) string {
	for format, t := range Types {
		if t == mime {
			return format
		}
	}
	return ""
}

// Encode writes an image in a format of package variant other than FormatAuto and "". It writes
// only pixels, no metadata. WebP is lossless here; package webp writes it lossy. It returns
// ErrUnsupported for an image that the encoder cannot write.
func Encode(w io.Writer, m image.Image, format string, quality int) (err error) {
	defer func() {
		if p := recover(); p != nil { // the WebP encoder panics on some images of one pixel
			err = ErrUnsupported
		}
	}()
	switch format {
	case variant.FormatJPEG:
		return jpeg.Encode(w, opaque(m), &jpeg.Options{Quality: quality})
	case variant.FormatPNG:
		return pngEncoder(m.Bounds()).Encode(w, m)
	case variant.FormatWebP:
		if isNoise(m) {
			return ErrUnsupported
		}
		return nativewebp.Encode(w, m, nil)
	}
	return fmt.Errorf("picture: no format %q", format)
}

// manyPixels is the number of pixels from which PNG is written with its fastest compression. It takes
// a fifth of the time on photographs, whose files are then a quarter larger, and keeps the largest
// variants below two seconds of a processor.
const manyPixels = 1_000_000

func pngEncoder(size image.Rectangle) *png.Encoder {
	if size.Dx()*size.Dy() < manyPixels {
		return &png.Encoder{}
	}
	return &png.Encoder{CompressionLevel: png.BestSpeed}
}

// sampleSide is the side of the parts at which isNoise looks.
const sampleSide = 256

// isNoise reports whether the WebP encoder cannot write some parts of a large picture: then it cannot write the
// whole either, which it finds out after most of the work.
func isNoise(m image.Image) bool {
	size := m.Bounds().Size()
	if size.X*size.Y < manyPixels || min(size.X, size.Y) < sampleSide {
		return false
	}
	last := size.Sub(image.Pt(sampleSide, sampleSide))
	for _, at := range []image.Point{{}, last.Div(2), last} {
		part := image.NewRGBA(image.Rect(0, 0, sampleSide, sampleSide))
		draw.Draw(part, part.Rect, m, m.Bounds().Min.Add(at), draw.Src)
		if Encode(io.Discard, part, variant.FormatWebP, 0) == nil {
			return false
		}
	}
	return true
}

// opaque draws a picture with transparent parts on white.
func opaque(m image.Image) image.Image {
	if o, ok := m.(interface{ Opaque() bool }); ok && o.Opaque() {
		return m
	}
	to := image.NewRGBA(m.Bounds())
	draw.Draw(to, to.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(to, to.Bounds(), m, m.Bounds().Min, draw.Over)
	return to
}
