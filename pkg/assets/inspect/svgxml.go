package inspect

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

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
