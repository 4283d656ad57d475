//go:build unix

package images

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"syscall"
	"testing"
	"time"

	"headless/pkg/assets/webp"
	"headless/pkg/must"
)

// BenchmarkHardest makes the largest variants of the pictures that take the longest among those that are
// accepted. cpu-s is the time of a processor for the longest of the requests that make one. Goal: 2 s.
func BenchmarkHardest(b *testing.B) {
	var lossy bytes.Buffer
	must.Do(b, webp.Encode(b.Context(), &lossy, grainy(8000, 5000, 34), 90))
	random, source := image.NewNRGBA(image.Rect(0, 0, 4000, 2950)), rand.New(rand.NewPCG(1, 2))
	for i := range random.Pix {
		random.Pix[i] = uint8(source.IntN(256))
	}
	for _, source := range []struct {
		name, kind string
		content    []byte
	}{
		{"JPEG photograph 40 MP", "image/jpeg", jpegOf(b, grainy(8000, 5000, 20), 95)},
		{"JPEG noise 40 MP", "image/jpeg", jpegOf(b, grainy(8000, 5000, 250), 85)},
		{"PNG photograph 24 MP", "image/png", pngOf(b, grainy(6000, 4000, 20))},
		{"PNG noise 15 MP", "image/png", pngOf(b, grainy(5000, 3000, 250))},
		{"PNG 16 bits 15 MP", "image/png", pngOf(b, deep{grainy(5000, 3000, 20)})},
		{"PNG alpha noise 12 MP", "image/png", pngOf(b, random)},
		{"WebP photograph 40 MP", "image/webp", lossy.Bytes()},
	} {
		for _, query := range []string{"w=800", "w=2560", "w=2560&h=2560&fit=cover",
			"w=2560&h=2560&fit=cover&q=95"} {
			b.Run(fmt.Sprintf("%s, %d MB/%s", source.name, len(source.content)/1_000_000, query), func(b *testing.B) {
				for b.Loop() {
					w := newWorld(b)
					w.put(b, "a", source.kind, source.content, nil)
					most := 0.0
					for range 2 { // the second request makes the other format of a slow variant
						before := processorTime(b)
						resp := w.get("a", query+"&fm=auto", true)
						most = max(most, (processorTime(b) - before).Seconds())
						if n, err := io.Copy(io.Discard, resp.Body); resp.StatusCode != http.StatusOK ||
							n == int64(len(source.content)) || err != nil {
							b.Errorf("%d, %d bytes, %v", resp.StatusCode, n, err)
						}
					}
					b.ReportMetric(most, "cpu-s")
				}
			})
		}
	}
}

func processorTime(b testing.TB) time.Duration {
	var usage syscall.Rusage
	must.Do(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// grainy draws light that changes slowly, with noise of some levels in each colour.
func grainy(width, height, levels int) *image.RGBA {
	m, random := image.NewRGBA(image.Rect(0, 0, width, height)), rand.New(rand.NewPCG(1, 2))
	for y := range height {
		for x := range width {
			light := 120 + (60-60*levels/256)*int(100*math.Sin(float64(x)/300))/100 - levels/2
			m.SetRGBA(x, y, color.RGBA{uint8(light + random.IntN(levels)), uint8(light + random.IntN(levels)),
				uint8(light + random.IntN(levels)), 255})
		}
	}
	return m
}

// deep is a picture of 16 bits a value.
type deep struct{ *image.RGBA }

func (deep) ColorModel() color.Model { return color.RGBA64Model }

func (d deep) At(x, y int) color.Color { return d.RGBA64At(x, y) }
