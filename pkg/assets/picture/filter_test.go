package picture

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/draw"
)

// TestFilter compares the filter with that of x/image, inside the edges, where both use the same pixels.
func TestFilter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	m := image.NewNRGBA(image.Rect(0, 0, 260, 190))
	for i := range m.Pix {
		m.Pix[i] = uint8(random.IntN(256))
	}
	opaque := image.NewYCbCr(m.Rect, image.YCbCrSubsampleRatio444)
	for i := range opaque.Y {
		opaque.Y[i], opaque.Cb[i], opaque.Cr[i] = m.Pix[4*i], uint8(100+i%50), uint8(100+i%60)
	}
	part := image.Rect(7, 5, 257, 185)
	for _, from := range []image.Image{m, opaque} {
		for _, size := range []image.Point{{250, 90}, {249, 179}, {130, 121}, {90, 60}, {84, 180}} {
			want := image.NewRGBA(image.Rectangle{Max: size})
			draw.CatmullRom.Scale(want, want.Rect, from, part, draw.Src, nil)
			got := filter(from, part, size.X, size.Y)
			for y := 3; y < size.Y-3; y++ {
				for x := 3; x < size.X-3; x++ {
					if a, b := got.RGBAAt(x, y), want.RGBAAt(x, y); apart(a.R, b.R) || apart(a.G, b.G) ||
						apart(a.B, b.B) || apart(a.A, b.A) {
						t.Fatalf("%T to %v at %d, %d: %v, want %v", from, size, x, y, a, b)
					}
				}
			}
		}
	}
}

func apart(a, b uint8) bool { return max(a, b)-min(a, b) > 2 }

// TestFilterKeepsColour: a picture of one colour keeps it up to its edges, as do pictures of few pixels.
func TestFilterKeepsColour(t *testing.T) {
	for _, want := range []color.RGBA{{255, 255, 255, 255}, {0, 0, 0, 255}, {200, 30, 90, 255}, {60, 20, 0, 80}} {
		for _, from := range []image.Point{{300, 200}, {3, 2}, {2, 1}, {40, 1}} {
			m := image.NewRGBA(image.Rectangle{Max: from})
			draw.Draw(m, m.Rect, image.NewUniform(want), image.Point{}, draw.Src)
			to := filter(m, m.Rect, (2*from.X+2)/3, (from.Y+1)/2)
			for i := range to.Rect.Dx() * to.Rect.Dy() {
				if got := to.RGBAAt(i%to.Rect.Dx(), i/to.Rect.Dx()); got != want {
					t.Fatalf("%v of %v: %v at %d", want, from, got, i)
				}
			}
		}
	}
}

// TestFilterOvershoot: stripes of black and white, at which the filter goes beyond both the most, stay
// within what a pixel holds.
func TestFilterOvershoot(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range m.Pix {
		if i%64/4%2 == 0 && i/64/4%2 == 0 {
			m.Pix[i] = 255
		}
	}
	to := filter(m, m.Rect, 60, 60)
	if white, black := to.RGBAAt(1, 1), to.RGBAAt(5, 5); white.R < 250 || black.R > 5 {
		t.Errorf("%v, %v", white, black)
	}
	for i := range to.Pix[:4*60] {
		if p := to.Pix[i]; i%4 == 3 && p != 255 {
			t.Fatalf("alpha %d", p)
		}
	}
}
