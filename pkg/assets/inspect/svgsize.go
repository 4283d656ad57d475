package inspect

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// maxSVGSide is the largest accepted side, in pixels; larger ones are mistakes.
const maxSVGSide = 1 << 20

// svgSize returns the size of an SVG in CSS pixels: from its attributes, or else from its view box.
// A missing side is computed from the other one and the proportions of the view box.
func svgSize(r io.Reader) (width, height int, ok bool) {
	document, err := io.ReadAll(io.LimitReader(r, headBytes))
	if err != nil {
		return 0, 0, false
	}
	decoder := newDecoder(document)
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return 0, 0, false
		}
		if root, ok := token.(xml.StartElement); ok {
			return rootSize(root.Attr)
		}
	}
}

func rootSize(attributes []xml.Attr) (width, height int, ok bool) {
	var w, h, boxW, boxH float64
	for _, attribute := range attributes {
		switch attribute.Name.Local {
		case "width":
			w = svgLength(attribute.Value)
		case "height":
			h = svgLength(attribute.Value)
		case "viewBox":
			boxW, boxH = viewBox(attribute.Value)
		}
	}
	switch {
	case w > 0 && h > 0:
	case boxW <= 0 || boxH <= 0:
		return 0, 0, false
	case w > 0:
		h = w * boxH / boxW
	case h > 0:
		w = h * boxW / boxH
	default:
		w, h = boxW, boxH
	}
	if w > maxSVGSide || h > maxSVGSide {
		return 0, 0, false
	}
	return int(math.Round(w)), int(math.Round(h)), true
}

// svgLength returns a length in CSS pixels. It returns 0 for a relative length, such as "100%" or
// "2em".
func svgLength(value string) float64 {
	value = strings.ToLower(strings.TrimSpace(value))
	unit := strings.TrimLeft(value, "+0123456789.")
	number, err := strconv.ParseFloat(value[:len(value)-len(unit)], 64)
	if err != nil {
		return 0
	}
	switch strings.TrimSpace(unit) {
	case "", "px":
		return number
	case "in":
		return number * 96
	case "cm":
		return number * 96 / 2.54
	case "mm":
		return number * 96 / 25.4
	case "q":
		return number * 96 / 101.6
	case "pt":
		return number * 96 / 72
	case "pc":
		return number * 16
	}
	return 0
}

func viewBox(value string) (width, height float64) {
	parts := strings.FieldsFunc(value, func(r rune) bool {
		return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r'
	})
	if len(parts) != 4 {
		return 0, 0
	}
	width, widthErr := strconv.ParseFloat(parts[2], 64)
	height, heightErr := strconv.ParseFloat(parts[3], 64)
	if widthErr != nil || heightErr != nil || math.IsNaN(width) || math.IsNaN(height) {
		return 0, 0
	}
	return width, height
}

// newDecoder reads XML in UTF-8 or in one of the Latin encodings that old drawing programs write.
// It defines no entities: a document that uses its own is refused, so nothing can expand.
func newDecoder(document []byte) *xml.Decoder {
	decoder := xml.NewDecoder(bytes.NewReader(document))
	decoder.CharsetReader = func(label string, input io.Reader) (io.Reader, error) {
		switch strings.ToLower(label) {
		case "utf-8", "us-ascii", "ascii":
			return input, nil
		case "iso-8859-1", "latin1", "windows-1252":
			return charmap.Windows1252.NewDecoder().Reader(input), nil
		}
		return nil, svgError(fmt.Sprintf("its encoding %q is not known", label))
	}
	return decoder
}
