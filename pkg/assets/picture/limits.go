package picture

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// The limits of decoding, so that it takes a processor for about a second at most, and a variant that is
// made after it for about two.
const (
	maxScans = 100
	// maxScanPixels limits scans times pixels of a JPEG: each scan may visit all pixels, and takes a few
	// bytes. In a progressive one it reads some bits of them. In others it holds all of some colours, so
	// that three suffice, and a decoder transforms them again each time.
	maxScanPixels      = 400_000_000
	maxPlainScanPixels = 3 * MaxPixels
	// maxPNGBytes limits the pixels of a PNG: MaxPixels of 8 bits with transparency, half as many of 16 bits.
	maxPNGBytes = 4 * MaxPixels
)

// maxCoded is how many bytes are read of a picture. A byte takes 18 ns in a PNG, 25 in others, but 40 in a
// progressive JPEG and 90 in a lossy WebP. Other JPEGs of MaxPixels have less, even from a camera.
var maxCoded = map[coding]int{
	plain: 32_000_000, progressive: 16_000_000, lossyWebP: 10_000_000, deflated: 48_000_000}

// scanLimit returns how many scans a picture may have.
func scanLimit(info Info) int {
	most := int64(maxPlainScanPixels)
	if info.coding == progressive {
		most = maxScanPixels
	}
	return int(min(maxScans, most/max(1, info.Pixels())))
}

// decoderInput is what a decoder reads. It fails when ctx ends, after maxCoded bytes, and at the
// first scan of a JPEG that exceeds scanLimit.
type decoderInput struct {
	ctx     context.Context
	content io.Reader
	scans   *scanCounter // nil: not a JPEG
	limit   int
	left    int   // coded bytes that may be read
	err     error // why content could not be read, which is not a fault of the picture
}

func newDecoderInput(ctx context.Context, content io.Reader, info Info) *decoderInput {
	d := &decoderInput{ctx: ctx, content: content, limit: scanLimit(info), left: maxCoded[info.coding]}
	if info.Type == JPEG {
		d.scans = &scanCounter{}
	}
	return d
}

// Read implements io.Reader.
func (d *decoderInput) Read(p []byte) (int, error) {
	if d.err == nil {
		d.err = d.ctx.Err()
	}
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.content.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		d.err = err
	}
	d.left -= n
	if d.left < 0 || d.scans != nil && d.scans.countScans(p[:n]) > d.limit {
		return 0, ErrUnsupported
	}
	return n, err
}

// fault returns why decoding did not end: the error of reading content, or that of ctx. It returns
// nil if the decoder saw the content as it is.
func (d *decoderInput) fault() error {
	if d.err != nil {
		return d.err
	}
	return d.ctx.Err()
}

// scanCounter counts the scans of a JPEG as its bytes pass. Segments are skipped, since they may
// hold other pictures, such as previews.
type scanCounter struct {
	scans  int
	state  scanState
	length int // of the segment, as far as it was read
	skip   int // bytes of the segment that are left
}

type scanState int

const (
	inData   scanState = iota // between segments: the data of a scan, or padding
	inMarker                  // after 0xFF
	inLength                  // before the first byte of the length
	inLengthEnd
)

// countScans reads the next bytes and returns the number of scans so far.
func (c *scanCounter) countScans(p []byte) int {
	for len(p) > 0 {
		if c.skip > 0 {
			n := min(c.skip, len(p))
			c.skip, p = c.skip-n, p[n:]
			continue
		}
		if c.state == inData {
			i := bytes.IndexByte(p, 0xFF)
			if i < 0 {
				return c.scans
			}
			c.state, p = inMarker, p[i+1:]
			continue
		}
		c.readByte(p[0])
		p = p[1:]
	}
	return c.scans
}

// readByte reads one byte of a marker or a length.
func (c *scanCounter) readByte(b byte) {
	switch c.state {
	case inMarker:
		switch {
		case b == 0xFF: // padding
		case b == 0 || b == 0x01 || b >= 0xD0 && b <= 0xD9: // without a segment
			c.state = inData
		default:
			if b == 0xDA {
				c.scans++
			}
			c.state = inLength
		}
	case inLength:
		c.length, c.state = int(b)<<8, inLengthEnd
	default:
		c.skip, c.state = max(0, c.length+int(b)-2), inData // the length includes its two bytes
	}
}
