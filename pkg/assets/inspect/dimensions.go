package inspect

import (
	"bufio"
	"image"
	"image/gif"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"headless/pkg/assets/upload"
)

// maxHeaderBytes is how far into an image its header is searched: large profiles and previews may
// precede it.
const maxHeaderBytes = 4 << 20

// Dimensions returns the width and height in pixels at which an image is displayed. It reads the
// header only, so the cost does not depend on the size. It applies the orientation of a JPEG or
// AVIF. ok is false if the type has no dimensions, the header is damaged or an SVG has no fixed
// size.
func Dimensions(content io.Reader, kind string) (width, height int, ok bool) {
	r := bufio.NewReader(io.LimitReader(content, maxHeaderBytes))
	switch kind {
	case mimeJPEG:
		width, height, ok = jpegSize(r)
	case mimePNG:
		width, height, ok = configSize(png.DecodeConfig(r))
	case mimeGIF:
		width, height, ok = configSize(gif.DecodeConfig(r))
	case mimeWebP:
		width, height, ok = configSize(webp.DecodeConfig(r))
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
