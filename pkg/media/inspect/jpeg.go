package inspect

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

// jpegSize walks the segments of a JPEG to its frame header, and takes the orientation from an Exif segment on the way.
// The standard library's DecodeConfig does not tell the orientation.
func jpegSize(r *bufio.Reader) (width, height int, ok bool) {
	var soi [2]byte
	if _, err := io.ReadFull(r, soi[:]); err != nil || soi != [2]byte{0xFF, 0xD8} {
		return 0, 0, false
	}
	sideways := false
	for {
		marker, length, ok := jpegSegment(r)
		if !ok {
			return 0, 0, false
		}
		switch {
		case isFrame(marker):
			var frame [5]byte // precision, height, width
			if _, err := io.ReadFull(r, frame[:]); err != nil {
				return 0, 0, false
			}
			height, width := int(binary.BigEndian.Uint16(frame[1:])), int(binary.BigEndian.Uint16(frame[3:]))
			if sideways {
				width, height = height, width
			}
			return width, height, true
		case marker == 0xE1:
			segment := make([]byte, length)
			if _, err := io.ReadFull(r, segment); err != nil {
				return 0, 0, false
			}
			if tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok {
				sideways = exifOrientation(tiff) >= 5
			}
		default:
			if _, err := r.Discard(length); err != nil {
				return 0, 0, false
			}
		}
	}
}

// jpegSegment reads up to the payload of the next segment; false where the picture begins or ends, or the header is damaged.
func jpegSegment(r *bufio.Reader) (marker byte, length int, ok bool) {
	if b, err := r.ReadByte(); err != nil || b != 0xFF {
		return 0, 0, false
	}
	for marker = 0xFF; marker == 0xFF; { // any number of fill bytes
		b, err := r.ReadByte()
		if err != nil {
			return 0, 0, false
		}
		marker = b
	}
	if marker < 0xC0 || marker >= 0xD0 && marker <= 0xDA {
		return 0, 0, false
	}
	var size [2]byte // counts itself
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return 0, 0, false
	}
	length = int(binary.BigEndian.Uint16(size[:])) - 2
	return marker, length, length >= 0
}

// isFrame tells the start-of-frame markers from the tables among them.
func isFrame(marker byte) bool {
	return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
}

// exifOrientation is the value of the orientation tag (1 to 8) of the first directory; 1 where there is none.
func exifOrientation(tiff []byte) int {
	const tag, short = 0x0112, 3
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	offset := int64(order.Uint32(tiff[4:]))
	if offset+2 > int64(len(tiff)) {
		return 1
	}
	entries := tiff[offset+2:]
	for range order.Uint16(tiff[offset:]) {
		if len(entries) < 12 {
			return 1
		}
		if order.Uint16(entries) == tag && order.Uint16(entries[2:]) == short {
			if value := int(order.Uint16(entries[8:])); value >= 1 && value <= 8 {
				return value
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}
