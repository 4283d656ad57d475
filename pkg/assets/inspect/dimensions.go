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

// maxHeaderBytes is how far into a picture its header is looked for; large profiles and previews
// may stand before it.
const maxHeaderBytes = 4 << 20

// Dimensions are the width and height in pixels at which a picture is shown, read from its header
// alone: a picture of any size costs the same. The orientation that a JPEG or AVIF carries is
// respected. False where the type has none, the header is damaged or an SVG has no fixed size.
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
