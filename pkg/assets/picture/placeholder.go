package picture

import (
	"context"
	"image"
	"image/gif"
	"io"

	"github.com/bbrks/go-blurhash"

	"headless/pkg/assets/variant"
)

// placeholderSide is the longer side of the reduced picture from which the BlurHash is computed.
const placeholderSide = 32

// Placeholder returns the BlurHash of a picture, 28 characters long. It is "" if the content is not
// a JPEG, PNG, WebP or GIF that can be decoded, or is too large. For an animated GIF it uses the
// first picture. scalable reports whether variants can be made.
func (k *Maker) Placeholder(ctx context.Context, content io.ReadSeeker) (hash string, scalable bool,
	err error) {
	info, err := inspectSeeker(content)
	if err == nil {
		hash, err = k.hash(ctx, content, info, Decode)
		return hash, hash != "", err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", false, err
	}
	c, err := gif.DecodeConfig(content)
	if err != nil || int64(c.Width)*int64(c.Height) > MaxPixels {
		return "", false, nil
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", false, err
	}
	hash, err = k.hash(ctx, content, Info{Width: c.Width, Height: c.Height, Orientation: 1},
		func(r io.Reader, _ Info) (image.Image, error) { return gif.Decode(r) })
	return hash, false, err
}

// hash decodes a picture and returns its BlurHash, "" if the content is damaged.
func (k *Maker) hash(ctx context.Context, content io.Reader, info Info,
	decode func(io.Reader, Info) (image.Image, error)) (string, error) {
	cost := max(1, info.Pixels())
	if err := k.pixels.Acquire(ctx, cost); err != nil {
		return "", err
	}
	defer k.pixels.Release(cost)
	m, err := decode(content, info)
	if err != nil || m.Bounds().Empty() {
		return "", nil
	}
	if info.Type == "" { // one picture of a GIF may be smaller than the GIF
		info.Width, info.Height = m.Bounds().Dx(), m.Bounds().Dy()
	}
	width, height := info.Size()
	small := Scale(m, info,
		NewPlan(width, height, variant.Options{Width: placeholderSide, Height: placeholderSide}))
	x, y := 4, 3
	if height > width {
		x, y = 3, 4
	}
	return blurhash.Encode(x, y, opaque(small))
}
