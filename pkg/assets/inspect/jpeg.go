package inspect

import (
	"bufio"

	"headless/pkg/assets/picture"
)

// jpegSize is the size of a JPEG as it is shown, which its orientation may turn. The standard
// library's DecodeConfig does not know the orientation.
func jpegSize(r *bufio.Reader) (width, height int, ok bool) {
	width, height, orientation, ok := picture.JPEGHeader(r)
	if orientation >= 5 { // turned by a quarter
		width, height = height, width
	}
	return width, height, ok
}
