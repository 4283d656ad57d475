package picture

import (
	"context"
	"errors"
	"image"
	"image/draw"
	"image/gif"
	"io"

	"github.com/bbrks/go-blurhash"

	"headless/pkg/assets/variant"
	"headless/pkg/cms"
)

// placeholderSide is the longer side of the reduced picture from which the BlurHash is computed.
const placeholderSide = 32

// Placeholder returns the BlurHash of a picture, 28 characters long. It is "" if the content is not
// a JPEG, PNG, WebP or GIF that can be decoded, is too large or takes too much work. For an animated GIF it uses the
// first picture. scalable reports whether variants can be made.
func (k *Maker) Placeholder(ctx context.Context, content io.ReadSeeker) (hash string, scalable bool, err error) {
	info, err := inspectSeeker(ctx, content)
	if err == nil {
		hash, err = k.hash(ctx, content, info, Decode)
		return hash, hash != "", err
	}
	if !errors.Is(err, ErrUnsupported) {
		return "", false, err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", false, err
	}
	in := newDecoderInput(ctx, content, Info{})
	c, err := gif.DecodeConfig(in)
	if fault := in.fault(); fault != nil {
		return "", false, fault
	}
	if err != nil || int64(c.Width)*int64(c.Height) > MaxPixels {
		return "", false, nil
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", false, err
	}
	hash, err = k.hash(ctx, content, Info{Width: c.Width, Height: c.Height, Orientation: 1},
		func(ctx context.Context, r io.Reader, info Info) (image.Image, error) {
			return decodeWith(ctx, r, info, gif.Decode)
		})
	return hash, false, err
}

// CropPlaceholder returns the BlurHash of a part of a picture, given that of the whole. It needs no content: what it
// loses against one of the content is less than a BlurHash shows.
func CropPlaceholder(hash string, c cms.Crop) (string, error) {
	x, y, err := blurhash.Components(hash)
	if err != nil {
		return "", err
	}
	const side = 100 // so that the smallest crop has a pixel
	whole, err := blurhash.Decode(hash, side, side, 1)
	if err != nil {
		return "", err
	}
	left, top, width, height := c.Pixels(side, side)
	part := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(part, part.Bounds(), whole, image.Pt(left, top), draw.Src)
	return blurhash.Encode(x, y, part)
}

// hash decodes a picture and returns its BlurHash, "" if the content is damaged or takes too much
// work.
func (k *Maker) hash(ctx context.Context, content io.Reader, info Info,
	decode func(context.Context, io.Reader, Info) (image.Image, error)) (string, error) {
	release, err := k.acquire(ctx, info)
	if err != nil {
		return "", err
	}
	defer release()
	m, err := decode(ctx, content, info)
	if err != nil && !errors.Is(err, ErrUnsupported) {
		return "", err
	}
	if err != nil || m.Bounds().Empty() {
		return "", nil
	}
	if info.Type == "" { // one picture of a GIF may be smaller than the GIF
		info.Width, info.Height = m.Bounds().Dx(), m.Bounds().Dy()
	}
	width, height := info.Size()
	small := Scale(m, info, NewPlan(width, height, variant.Options{Width: placeholderSide, Height: placeholderSide}))
	x, y := 4, 3
	if height > width {
		x, y = 3, 4
	}
	return blurhash.Encode(x, y, opaque(small))
}
