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

// Types are the MIME types of the formats of package variant.
var Types = map[string]string{variant.FormatJPEG: JPEG, variant.FormatPNG: PNG, variant.FormatWebP: WebP}

// FormatOf is the format of a MIME type; "" for another type.
func FormatOf(mime string) string {
	for format, t := range Types {
		if t == mime {
			return format
		}
	}
	return ""
}

// Encode writes a picture in a format of package variant other than FormatAuto and "". Nothing but
// pixels is written. WebP is lossless: no well-kept encoder in Go makes the lossy kind.
// It returns ErrUnsupported for a picture that the encoder cannot take.
func Encode(w io.Writer, m image.Image, format string, quality int) (err error) {
	defer func() {
		if p := recover(); p != nil { // that of WebP panics on some pictures of one pixel
			err = ErrUnsupported
		}
	}()
	switch format {
	case variant.FormatJPEG:
		return jpeg.Encode(w, opaque(m), &jpeg.Options{Quality: quality})
	case variant.FormatPNG:
		return png.Encode(w, m)
	case variant.FormatWebP:
		return nativewebp.Encode(w, m, nil)
	}
	return fmt.Errorf("picture: no format %q", format)
}

// opaque puts a picture with transparent parts on white.
func opaque(m image.Image) image.Image {
	if o, ok := m.(interface{ Opaque() bool }); ok && o.Opaque() {
		return m
	}
	to := image.NewRGBA(m.Bounds())
	draw.Draw(to, to.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(to, to.Bounds(), m, m.Bounds().Min, draw.Over)
	return to
}
