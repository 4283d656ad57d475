// Package webp writes lossy WebP with libwebp, compiled to WebAssembly. Only the programs that make
// variants import it: it adds a WebAssembly compiler to them, which takes about 0.4 s of a processor
// at the first picture of a process. Build them with the tag nodynamic; without it, a libwebp of the
// machine is used where there is one.
package webp

import (
	"context"
	"fmt"
	"image"
	"io"

	"github.com/gen2brain/webp"
	"golang.org/x/sync/semaphore"

	"headless/pkg/assets/picture"
)

// room is for the pixels that are encoded at a time. Each takes 8 to 20 bytes.
var room = semaphore.NewWeighted(picture.MaxPixels)

// Encode writes only the pixels of a picture of at most picture.MaxPixels. quality is 1 to 100. It
// waits for memory until ctx ends, but does not stop once it encodes: work keeps that short.
func Encode(ctx context.Context, w io.Writer, m *image.RGBA, quality int) (err error) {
	pixels := m.Rect.Dx() * m.Rect.Dy()
	if err := room.Acquire(ctx, int64(pixels)); err != nil {
		return err
	}
	defer room.Release(int64(pixels))
	defer func() {
		if p := recover(); p != nil { // the machine does not let programs be compiled
			err = fmt.Errorf("webp: %v", p)
		}
	}()
	pic, change, alphaChange := planes(m)
	if alphaChange >= grain && pixels > manyPixels {
		coarsen(pic.A)
	}
	return webp.Encode(w, pic, work(pixels, change, quality))
}

// The mean changes of brightness from pixel to pixel from which a picture has much grain, and from which it
// is taken for noise. Photographs have up to 20. Alpha of as much grain is noise.
const (
	grain = 15
	noise = 30
)

// manyPixels is the number of pixels from which noise gets less work.
const manyPixels = 1_000_000

// work returns how thoroughly libwebp works, so that photographs take a processor for 2 seconds at most.
// Its default method, 4, takes 0.4 s a megapixel. 2 takes 0.15 s, for files that are a sixth larger at
// the same SSIM. Noise takes three times as long, and longer the better its quality.
func work(pixels, change, quality int) webp.Options {
	switch {
	case change >= noise && pixels > 5_000_000:
		return webp.Options{Quality: min(quality, 60), Method: 0}
	case change >= noise && pixels > 4_000_000:
		return webp.Options{Quality: min(quality, 75), Method: 0}
	case pixels > 5_000_000, change >= grain && pixels > 4_000_000:
		return webp.Options{Quality: min(quality, 85), Method: 0}
	case change >= noise && pixels > manyPixels:
		return webp.Options{Quality: quality, Method: 0}
	case pixels > 2_600_000: // 1920 by 1280
		return webp.Options{Quality: quality, Method: 2}
	}
	return webp.Options{Quality: quality, Method: 4}
}

// planes converts a picture to the colours of WebP: BT.601 in limited range, with one pair of colour
// values for four pixels. libwebp would do the same, in four times the memory. change and alphaChange are
// the mean changes of brightness and alpha from pixel to pixel.
func planes(m *image.RGBA) (to *image.NYCbCrA, change, alphaChange int) {
	width, height := m.Rect.Dx(), m.Rect.Dy()
	to = image.NewNYCbCrA(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	for y := 0; y < height; y += 2 {
		for x := 0; x < width; x += 2 {
			var r, g, b int32
			for i := range 4 {
				px, py := min(x+i&1, width-1), min(y+i>>1, height-1)
				p := straight(m.Pix[py*m.Stride+4*px:][:4])
				r, g, b = r+p[0], g+p[1], b+p[2]
				to.Y[py*to.YStride+px] = uint8((16839*p[0] + 33059*p[1] + 6420*p[2] + 16<<16 + 1<<15) >> 16)
				to.A[py*to.AStride+px] = uint8(p[3])
			}
			at := y*to.YStride + x
			next := at + min(1, width-1-x)
			change += int(max(to.Y[at], to.Y[next]) - min(to.Y[at], to.Y[next]))
			alphaChange += int(max(to.A[at], to.A[next]) - min(to.A[at], to.A[next]))
			at = y/2*to.CStride + x/2
			to.Cb[at] = uint8((-9719*r - 19081*g + 28800*b + 128<<18 + 1<<17) >> 18)
			to.Cr[at] = uint8((28800*r - 24116*g - 4684*b + 128<<18 + 1<<17) >> 18)
		}
	}
	return to, change / len(to.Cb), alphaChange / len(to.Cb)
}

// coarsen leaves four levels of alpha: libwebp writes alpha without loss, which takes a second for noise of
// 6 megapixels.
func coarsen(alpha []uint8) {
	for i, a := range alpha {
		alpha[i] = a >> 6 * 85
	}
}

// straight returns a pixel whose colours are not multiplied by its alpha.
func straight(p []uint8) [4]int32 {
	r, g, b, a := int32(p[0]), int32(p[1]), int32(p[2]), int32(p[3])
	if a > 0 && a < 255 {
		r, g, b = min(255, r*255/a), min(255, g*255/a), min(255, b*255/a)
	}
	return [4]int32{r, g, b, a}
}
