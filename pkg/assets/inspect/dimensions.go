package inspect

import (
	"bufio"
	"bytes"
	"image"
	"image/gif"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"headless/pkg/assets/picture"
	"headless/pkg/assets/upload"
)

// Dimensions returns the width and height in pixels at which an image is displayed, with its
// orientation applied. It reads the header only, see picture.HeaderReader. ok is false if the type has
// no dimensions, the header is damaged or an SVG has no fixed size.
func Dimensions(content io.Reader, kind string) (width, height int, ok bool) {
	r := picture.HeaderReader(content)
	switch kind {
	case mimeJPEG:
		width, height, ok = jpegSize(r)
	case mimePNG:
		width, height, ok = orientedSize(r, png.DecodeConfig, picture.PNGHeader)
	case mimeGIF:
		width, height, ok = configSize(gif.DecodeConfig(r))
	case mimeWebP:
		width, height, ok = orientedSize(r, webp.DecodeConfig, picture.WebPHeader)
	case mimeAVIF:
		width, height, ok = avifSize(r)
	case upload.MimeSVG:
		width, height, ok = svgSize(r)
	}
	if !ok || width <= 0 || height <= 0 {
		return 0, 0, false
	}
	return width, height, true
}

func configSize(c image.Config, err error) (width, height int, ok bool) {
	return c.Width, c.Height, err == nil
}

// orientedSize returns the size that a decoder reads, with the orientation of the header applied.
func orientedSize(r io.Reader, decode func(io.Reader) (image.Config, error),
	header func(*bufio.Reader) (picture.Header, bool)) (width, height int, ok bool) {
	var read bytes.Buffer
	width, height, ok = configSize(decode(io.TeeReader(r, &read)))
	if !ok {
		return 0, 0, false
	}
	h, _ := header(bufio.NewReader(io.MultiReader(&read, r)))
	info := picture.Info{Width: width, Height: height, Orientation: h.Orientation}
	width, height = info.Size()
	return width, height, true
}

// jpegSize returns the size of a JPEG as it is displayed, that is, with its orientation applied.
// DecodeConfig of the standard library ignores the orientation.
func jpegSize(r *bufio.Reader) (width, height int, ok bool) {
	h, ok := picture.JPEGHeader(r)
	width, height = picture.Info{Width: h.Width, Height: h.Height, Orientation: h.Orientation}.Size()
	return width, height, ok
}
