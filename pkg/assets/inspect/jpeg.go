package inspect

import (
	"bufio"

	"headless/pkg/assets/picture"
)

// jpegSize returns the size of a JPEG as it is displayed, that is, with its orientation applied.
// DecodeConfig of the standard library ignores the orientation.
func jpegSize(r *bufio.Reader) (width, height int, ok bool) {
	width, height, orientation, ok := picture.JPEGHeader(r)
	if orientation >= 5 { // rotated by 90 degrees
		width, height = height, width
	}
	return width, height, ok
}
