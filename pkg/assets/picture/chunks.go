package picture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
)

// MaxHeader is how far into a file its header is searched: profiles and previews may precede it.
const MaxHeader = 4 << 20

// The flags of a WebP that VP8X announces.
const (
	webpAnimation = 0x02
	webpEXIF      = 0x08
)

// HeaderReader returns a reader of the part of a file in which its header is searched: MaxHeader bytes,
// and more of a WebP that says it has EXIF data, which follow the pixels.
func HeaderReader(content io.Reader) *bufio.Reader {
	r, limit := bufio.NewReader(content), int64(MaxHeader)
	if start, _ := r.Peek(21); len(start) == 21 && string(start[8:16]) == "WEBPVP8X" && start[20]&webpEXIF != 0 {
		limit = int64(maxCoded[plain])
	}
	return bufio.NewReader(io.LimitReader(r, limit))
}

// Header is what a JPEG, PNG or WebP says about its pixels.
type Header struct {
	Width, Height int // as stored, of the frame that decoding allocates
	Orientation   int // 1 to 8, as EXIF counts
	depth         int // of a PNG: bits of a pixel
	coding        coding
	// Decoding allocates whole blocks of this size; 0 counts as 1.
	blockWidth, blockHeight int
}

// coding tells apart pictures whose coded bytes do not take the same time to decode.
type coding int

const (
	plain       coding = iota // any other
	progressive               // JPEG
	lossyWebP
	deflated // PNG
)

// pngChannels is the number of values of a pixel of a PNG, by its colour type.
var pngChannels = [7]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}

// PNGHeader reads the header of a PNG up to its pixels. ok is false for a damaged header and for an
// animation, whose control chunk precedes the pixels; the orientation is valid nevertheless.
func PNGHeader(r *bufio.Reader) (h Header, ok bool) {
	h.Orientation, h.coding = 1, deflated
	if _, err := r.Discard(8); err != nil {
		return h, false
	}
	for still := true; ; {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return h, false
		}
		length := binary.BigEndian.Uint32(head[:])
		switch string(head[4:]) {
		case "IHDR":
			fields, err := r.Peek(10)
			if err != nil || int(fields[9]) >= len(pngChannels) {
				return h, false
			}
			h.Width, h.Height = int(binary.BigEndian.Uint32(fields)), int(binary.BigEndian.Uint32(fields[4:]))
			h.depth = int(fields[8]) * pngChannels[fields[9]]
		case "eXIf":
			var read int
			h.Orientation, read = readOrientation(r, int64(length))
			length -= uint32(read)
		case "acTL":
			still = false
		case "IDAT":
			return h, still && h.Width < 1<<31 && h.Height < 1<<31
		}
		if length > MaxHeader {
			return h, false
		}
		if _, err := r.Discard(int(length) + 4); err != nil { // including its checksum
			return h, false
		}
	}
}

// WebPHeader reads the header of a WebP, and of one with EXIF data all up to these. ok is false for a
// damaged header and for an animation; the orientation is valid nevertheless.
func WebPHeader(r *bufio.Reader) (h Header, ok bool) {
	h.Orientation = 1
	if _, err := r.Discard(12); err != nil {
		return h, false
	}
	still, withEXIF := true, false
	var canvas [2]int // width and height in VP8X, zero without it
	for found := false; ; {
		head, err := r.Peek(8 + 10)
		if err != nil {
			return h, found
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		switch body := head[8:]; string(head[:4]) {
		case "VP8X":
			side := func(b []byte) int { return 1 + int(b[0]) + int(b[1])<<8 + int(b[2])<<16 }
			still = body[0]&webpAnimation == 0 && canvas == [2]int{}
			canvas = [2]int{side(body[4:]), side(body[7:])}
			if withEXIF = body[0]&webpEXIF != 0; !still && !withEXIF {
				return h, false
			}
		case "VP8 ", "VP8L":
			h.Width = int(binary.LittleEndian.Uint16(body[6:]) & 0x3FFF)
			h.Height = int(binary.LittleEndian.Uint16(body[8:]) & 0x3FFF)
			h.coding, h.blockWidth, h.blockHeight = lossyWebP, 16, 16
			if head[3] == 'L' {
				h.coding, h.blockWidth, h.blockHeight = plain, 1, 1
				bits := binary.LittleEndian.Uint32(body[1:])
				h.Width, h.Height = int(bits&0x3FFF)+1, int(bits>>14&0x3FFF)+1
			}
			// The decoder refuses another size than that of the canvas, but makes room for the canvas before.
			if found = still && (canvas == [2]int{} || canvas == [2]int{h.Width, h.Height}); !withEXIF {
				return h, found
			}
		case "EXIF":
			_, _ = r.Discard(8) // was peeked
			h.Orientation, _ = readOrientation(r, length)
			return h, found
		}
		if length > int64(maxCoded[plain]) {
			return h, found
		}
		if _, err := r.Discard(8 + int(length+length&1)); err != nil {
			return h, found
		}
	}
}

// maxEXIF is how much is read of EXIF data. A JPEG has no more.
const maxEXIF = 64 << 10

// readOrientation returns the orientation in EXIF data of a length that follow in r, and how many bytes
// it read. Some programs write the prefix of a JPEG before them.
func readOrientation(r io.Reader, length int64) (orientation, n int) {
	data := make([]byte, min(length, maxEXIF))
	n, _ = io.ReadFull(r, data) // what a damaged file lacks has no orientation
	return Orientation(bytes.TrimPrefix(data[:n], []byte("Exif\x00\x00"))), n
}
