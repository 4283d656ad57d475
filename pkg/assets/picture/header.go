// Package picture decodes, crops, scales and encodes pictures, in pure Go (extensions §9).
//
// Call Inspect first: it reads only the header, and refuses pictures that are too large to decode.
package picture

import (
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// MaxPixels is the size of the largest picture that is decoded.
const MaxPixels = 40_000_000

// maxSide is the longest side of a picture that is decoded, and of any JPEG or GIF: scaling holds a whole
// row, with 60 bytes a pixel.
const maxSide = 65_535

// ErrUnsupported means that the content is not a still JPEG, PNG or WebP, is damaged, has more than
// MaxPixels or maxSide, or takes too much work to decode.
var ErrUnsupported = errors.New("picture: cannot be changed")

// The types that Inspect supports.
const (
	JPEG = "image/jpeg"
	PNG  = "image/png"
	WebP = "image/webp"
)

// Info is the content of a picture's header.
type Info struct {
	Type          string
	Width, Height int // as stored, before Orientation
	Orientation   int // 1 to 8, as EXIF counts; 1 is upright
	coding        coding
	allocated     int64 // pixels of the whole blocks that decoding allocates
}

// Pixels returns the number of pixels to decode.
func (i Info) Pixels() int64 { return int64(i.Width) * int64(i.Height) }

// Size returns the width and height as displayed.
func (i Info) Size() (width, height int) {
	if i.Orientation >= 5 {
		return i.Height, i.Width
	}
	return i.Width, i.Height
}

// Inspect reads only the header of a picture. It returns ErrUnsupported if Decode would refuse the
// picture.
func Inspect(content io.Reader) (Info, error) {
	r := HeaderReader(content)
	start, _ := r.Peek(32)
	info := Info{Orientation: 1}
	var h Header
	var ok bool
	switch {
	case len(start) > 2 && start[0] == 0xFF && start[1] == 0xD8:
		info.Type = JPEG
		h, ok = JPEGHeader(r)
	case len(start) > 8 && string(start[:8]) == "\x89PNG\r\n\x1a\n":
		info.Type = PNG
		h, ok = PNGHeader(r)
	case len(start) == 32 && string(start[:4]) == "RIFF" && string(start[8:12]) == "WEBP":
		info.Type = WebP
		h, ok = WebPHeader(r)
	}
	info.Width, info.Height, info.Orientation, info.coding = h.Width, h.Height, h.Orientation, h.coding
	if !ok || info.Width < 1 || info.Height < 1 || max(info.Width, info.Height) > maxSide ||
		info.Pixels() > MaxPixels || info.Pixels()*int64(h.depth) > 8*maxPNGBytes {
		return Info{}, ErrUnsupported
	}
	info.allocated = wholeBlocks(info.Width, h.blockWidth) * wholeBlocks(info.Height, h.blockHeight)
	return info, nil
}

// wholeBlocks rounds a side up to whole blocks.
func wholeBlocks(side, block int) int64 {
	block = max(1, block)
	return int64((side + block - 1) / block * block)
}

// Decode reads a picture that Inspect described. It returns ErrUnsupported if the content is
// damaged or takes too much work. Other errors are those of reading content, and that of ctx.
func Decode(ctx context.Context, content io.Reader, info Info) (image.Image, error) {
	decoders := map[string]func(io.Reader) (image.Image, error){
		JPEG: jpeg.Decode, PNG: png.Decode, WebP: decodeWebP}
	m, err := decodeWith(ctx, content, info, decoders[info.Type])
	if err == nil && (m.Bounds().Dx() != info.Width || m.Bounds().Dy() != info.Height) {
		err = ErrUnsupported
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// decodeWebP gives a lossy picture the range of colours that image.YCbCr has. The decoder leaves that
// of the file, in which 16 is black and 235 is white.
func decodeWebP(r io.Reader) (image.Image, error) {
	m, err := webp.Decode(r)
	switch lossy := m.(type) {
	case *image.YCbCr:
		widen(lossy)
	case *image.NYCbCrA:
		widen(&lossy.YCbCr)
	}
	return m, err
}

func widen(m *image.YCbCr) {
	var luma, chroma [256]uint8
	for i := range 256 {
		luma[i] = uint8(max(0, min(255, ((i-16)*255+109)/219)))
		chroma[i] = uint8(max(0, min(255, ((i-16)*255+112)/224)))
	}
	for i, y := range m.Y {
		m.Y[i] = luma[y]
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = chroma[m.Cb[i]], chroma[m.Cr[i]]
	}
}

// decodeWith runs a decoder within the limits of a picture.
func decodeWith(ctx context.Context, content io.Reader, info Info,
	decode func(io.Reader) (image.Image, error)) (m image.Image, err error) {
	if decode == nil {
		return nil, ErrUnsupported
	}
	in := newDecoderInput(ctx, content, info)
	defer func() {
		if p := recover(); p != nil { // a decoder may panic on a damaged file
			m, err = nil, ErrUnsupported
		}
	}()
	m, err = decode(in)
	if fault := in.fault(); fault != nil {
		return nil, fault
	}
	if err != nil {
		return nil, errors.Join(ErrUnsupported, err)
	}
	return m, nil
}
