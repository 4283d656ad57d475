package ui

import (
	"fmt"
	"strings"

	"rsc.io/qr"
)

// QR is a QR code as a drawing of black modules of 1 unit on a white ground. Its colours do not follow the theme of the
// page, since cameras look for dark modules on a light ground.
type QR struct {
	Size int    // units on a side, with the quiet zone
	Path string // of the black modules
}

// quietZone is the white margin that readers need, in modules (ISO/IEC 18004).
const quietZone = 4

// NewQR draws the QR code of a text, which must have at most 2,331 bytes. It returns nil for a longer one.
func NewQR(text string) *QR {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return nil
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quietZone, y+quietZone, x-from, x-from)
			}
		}
	}
	return &QR{code.Size + 2*quietZone, path.String()}
}
