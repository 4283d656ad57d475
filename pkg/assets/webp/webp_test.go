package webp_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"

	"headless/pkg/assets/picture"
	"headless/pkg/assets/variant"
	"headless/pkg/assets/webp"
	"headless/pkg/must"
)

func encoded(t testing.TB, m *image.RGBA, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, webp.Encode(context.Background(), &b, m, quality))
	return b.Bytes()
}

// decoded reads a picture as variants are made from it, and returns it without loss.
func decoded(t *testing.T, file []byte) image.Image {
	t.Helper()
	info, err := picture.Inspect(bytes.NewReader(file))
	must.Do(t, err)
	m, err := picture.Decode(t.Context(), bytes.NewReader(file), info)
	must.Do(t, err)
	return m
}

// TestColours: black, white and strong colours, opaque and not, come back as they were. The decoder
// alone shows white as a light grey.
func TestColours(t *testing.T) {
	for _, want := range []color.NRGBA{{0, 0, 0, 255}, {255, 255, 255, 255}, {200, 30, 30, 255}, {30, 160, 60, 255},
		{20, 60, 220, 255}, {200, 120, 40, 128}} {
		for _, size := range []image.Point{{64, 48}, {33, 17}, {1, 1}} {
			m := image.NewRGBA(image.Rectangle{Max: size})
			for i := range size.X * size.Y {
				m.Set(i%size.X, i/size.X, want)
			}
			back := decoded(t, encoded(t, m, 95))
			at := color.NRGBAModel.Convert(back.At(size.X-1, size.Y-1)).(color.NRGBA)
			if back.Bounds().Size() != size || far(at.R, want.R) || far(at.G, want.G) || far(at.B, want.B) || at.A != want.A {
				t.Errorf("%v at %v: %v", want, size, at)
			}
		}
	}
}

func far(a, b uint8) bool { return math.Abs(float64(a)-float64(b)) > 6 }

// TestQuality: a photograph loses bytes with its quality, and all of them against lossless formats.
func TestQuality(t *testing.T) {
	m := noisy(400, 300, 8)
	var lossless bytes.Buffer
	must.Do(t, png.Encode(&lossless, m))
	last := lossless.Len()
	for _, quality := range []int{95, 85, 75, 60, 40} {
		size := len(encoded(t, m, quality))
		if size >= last {
			t.Errorf("q=%d: %d bytes, not less than %d", quality, size, last)
		}
		last = size
	}
}

func TestEncodeWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := webp.Encode(ctx, &bytes.Buffer{}, image.NewRGBA(image.Rect(0, 0, 8, 8)), 75)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// noisy draws light that changes slowly, with noise of some levels as a sensor adds it.
func noisy(width, height, levels int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range width * height {
		light := uint8(100+80*math.Sin(float64(i%width)/200)*math.Cos(float64(i/width)/150)) + uint8(random.IntN(levels))
		m.SetRGBA(i%width, i/width, color.RGBA{light, light - 10, light / 2, 255})
	}
	return m
}

// BenchmarkFirst is the first picture of a process, for which WebAssembly is compiled. Run it with
// -benchtime 1x.
func BenchmarkFirst(b *testing.B) { benchmark(b, 32, 32) }

func Benchmark800(b *testing.B) { benchmark(b, 800, 600) }

func Benchmark2560Wide(b *testing.B) { benchmark(b, variant.MaxSide, variant.MaxSide*2/3) }

// BenchmarkLargest encodes the largest picture of a width and a height. Goal: 2 s.
func BenchmarkLargest(b *testing.B) { benchmark(b, variant.MaxSide, variant.MaxSide) }

// BenchmarkLargestBest encodes it in the best quality, with as much noise as photographs have. Goal: 2 s.
func BenchmarkLargestBest(b *testing.B) {
	benchmarkQuality(b, variant.MaxSide, variant.MaxSide, 60, 95)
}

// BenchmarkNoise encodes noise, which takes the longest. Goal: 2 s.
func BenchmarkNoise(b *testing.B) { benchmarkQuality(b, variant.MaxSide, variant.MaxSide, 250, 95) }

func benchmark(b *testing.B, width, height int) {
	benchmarkQuality(b, width, height, 8, variant.DefaultQuality)
}

func benchmarkQuality(b *testing.B, width, height, levels, quality int) {
	m := noisy(width, height, levels)
	b.ReportAllocs()
	for b.Loop() {
		b.ReportMetric(float64(len(encoded(b, m, quality))), "bytes")
	}
}

// TestNoisyAlpha: alpha of noise has four levels in a large picture, in which it took a second of a
// processor. Other alpha stays as it is.
func TestNoisyAlpha(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, row := range []struct {
		width, height int
		soft          bool
		want          int // levels of alpha
	}{{1030, 1000, false, 4}, {300, 200, false, 256}, {1030, 1000, true, 256}} {
		m := image.NewRGBA(image.Rect(0, 0, row.width, row.height))
		for i := range row.width * row.height {
			m.Pix[4*i+3] = uint8(random.IntN(256))
			if row.soft {
				m.Pix[4*i+3] = uint8(i / row.width)
			}
		}
		back, levels := decoded(t, encoded(t, m, 75)), map[uint8]bool{}
		for i := range row.width * row.height {
			levels[color.NRGBAModel.Convert(back.At(i%row.width, i/row.width)).(color.NRGBA).A] = true
		}
		if len(levels) != row.want || !levels[0] || !levels[255] {
			t.Errorf("%+v: %d levels", row, len(levels))
		}
	}
}
