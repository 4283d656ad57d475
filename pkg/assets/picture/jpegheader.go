package picture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

// progressiveFrame is the marker of the frame of a progressive JPEG.
const progressiveFrame = 0xC2

// JPEGHeader reads the header of a JPEG. It stops at that of the first frame; ok is false if there is
// none.
func JPEGHeader(r *bufio.Reader) (h Header, ok bool) {
	h.Orientation = 1
	var start [2]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || start != [2]byte{0xFF, 0xD8} {
		return h, false
	}
	for {
		marker, length, ok := jpegSegment(r)
		if !ok {
			return h, false
		}
		switch {
		case isFrame(marker):
			var frame [5]byte // precision, height, width
			if _, err := io.ReadFull(r, frame[:]); err != nil {
				return h, false
			}
			h.Width, h.Height = int(binary.BigEndian.Uint16(frame[3:])), int(binary.BigEndian.Uint16(frame[1:]))
			if marker == progressiveFrame {
				h.coding = progressive
			}
			// The first of several components has the largest sampling factors.
			if c, err := r.Peek(3); err == nil && c[0] > 1 {
				h.blockWidth, h.blockHeight = 8*int(c[2]>>4), 8*int(c[2]&0xF)
			}
			return h, true
		case marker == 0xE1:
			segment := make([]byte, length)
			if _, err := io.ReadFull(r, segment); err != nil {
				return h, false
			}
			if tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00")); ok {
				h.Orientation = Orientation(tiff)
			}
		default:
			if _, err := r.Discard(length); err != nil {
				return h, false
			}
		}
	}
}

// jpegSegment reads up to the payload of the next segment; ok is false if the header is damaged or
// the pixels start.
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
	var size [2]byte // includes these two bytes
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return 0, 0, false
	}
	length = int(binary.BigEndian.Uint16(size[:])) - 2
	return marker, length, length >= 0
}

// isFrame reports whether a marker starts a frame.
func isFrame(marker byte) bool {
	return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
}

// Orientation returns the orientation tag (1 to 8) of the first directory of EXIF data, 1 if there
// is none.
func Orientation(tiff []byte) int {
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
