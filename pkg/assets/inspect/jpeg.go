package inspect

import (
	"bufio"

	"headless/pkg/assets/picture"
)

// jpegSize returns the size of a JPEG as it is displayed, that is, with its orientation applied.
// DecodeConfig of the standard library ignores the orientation.
func jpegSize(r *bufio.Reader) (width, height int, ok bool) {
	h, ok := picture.JPEGHeader(r)
	width, height = picture.Info{Width: h.Width, Height: h.Height, Orientation: h.Orientation}.Size()
	return width, height, ok
}
