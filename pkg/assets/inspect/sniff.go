package inspect

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"

	"github.com/gabriel-vasile/mimetype"

	"headless/pkg/assets/upload"
)

// headBytes is how much of a file is used to detect its type.
const headBytes = 64 * 1024

// sniff detects a type from the beginning of a file, never from its name or the Content-Type of the
// client. It returns "application/octet-stream" for unknown content and "text/plain" for an empty
// file, always without parameters. It unpacks nothing.
func sniff(head []byte) string {
	head = head[:min(len(head), headBytes)]
	if startsWithSVG(head) {
		return upload.MimeSVG
	}
	kind := bare(mimetype.Detect(head).String())
	switch kind {
	case "image/apng":
		return mimePNG
	case "video/x-m4v":
		return "video/mp4"
	case "image/heif":
		if hasBrand(head, "avif") || hasBrand(head, "avis") {
			return mimeAVIF
		}
	case "application/octet-stream":
		if bytes.HasPrefix(head, []byte("ID3")) { // its tags and cover may be larger than head
			return "audio/mpeg"
		}
	case mimeZIP:
		return sniffOffice(head)
	}
	return kind
}

// startsWithSVG reports whether the first element of a document is <svg>.
func startsWithSVG(head []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(text) == 0 || text[0] != '<' {
		return false
	}
	decoder := newDecoder(text)
	for {
		token, err := decoder.RawToken()
		if err != nil {
			return false
		}
		switch token := token.(type) {
		case xml.StartElement:
			return token.Name.Local == "svg"
		case xml.CharData:
			if len(bytes.TrimSpace(token)) > 0 {
				return false
			}
		}
	}
}

// hasBrand reports whether the ftyp box at the start of a file lists a compatible brand.
func hasBrand(head []byte, brand string) bool {
	if len(head) < 16 {
		return false
	}
	size := min(int64(binary.BigEndian.Uint32(head)), int64(len(head)))
	for i := int64(16); i+4 <= size; i += 4 {
		if string(head[i:i+4]) == brand {
			return true
		}
	}
	return false
}

// sniffOffice returns the type of an office document whose distinctive file is later in the archive
// than the first few KiB.
func sniffOffice(head []byte) string {
	const nameAt = 30 // the fixed part of a local file header
	kind, isOffice := mimeZIP, false
	for rest := head; ; {
		i := bytes.Index(rest, []byte("PK\x03\x04"))
		if i < 0 || len(rest) < i+nameAt {
			break
		}
		rest = rest[i:]
		length := int(binary.LittleEndian.Uint16(rest[26:]))
		name := rest[nameAt:min(nameAt+length, len(rest))]
		switch {
		case string(name) == "[Content_Types].xml":
			isOffice = true
		case kind != mimeZIP: // the first folder decides
		case bytes.HasPrefix(name, []byte("word/")):
			kind = mimeDOCX
		case bytes.HasPrefix(name, []byte("xl/")):
			kind = mimeXLSX
		case bytes.HasPrefix(name, []byte("ppt/")):
			kind = mimePPTX
		}
		rest = rest[4:]
	}
	if !isOffice {
		return mimeZIP
	}
	return kind
}
