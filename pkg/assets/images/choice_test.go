package images

import (
	"fmt"
	"testing"

	"headless/pkg/assets/variant"
	"headless/pkg/blob"
)

// TestCandidates: what auto compares for clients that accept WebP. A large PNG of many bytes a pixel is a
// photograph, whose lossy WebP is a fraction of any lossless one.
func TestCandidates(t *testing.T) {
	for _, row := range []struct {
		format string
		size   int64 // of the file, in bytes
		o      variant.Options
		want   string
	}{
		{variant.FormatJPEG, 1_000_000, variant.Options{Quality: 75, Lossy: true}, "jpg75 webp75"},
		{variant.FormatWebP, 1_000_000, variant.Options{Quality: 75, Lossy: true}, "webp75"},
		{variant.FormatPNG, 1_000_000, variant.Options{Quality: 75}, "png0 webp0"},
		{variant.FormatPNG, 24_000_000, variant.Options{Quality: 75}, "png0 webp0"},
		{variant.FormatPNG, 1_000_000, variant.Options{Quality: 75, Lossy: true}, "png0 webp75 webp0"},
		{variant.FormatPNG, 18_000_001, variant.Options{Quality: 75, Lossy: true}, "png0 webp75"},
		{variant.FormatPNG, 18_000_000, variant.Options{Quality: 75, Lossy: true}, "png0 webp75 webp0"},
		{variant.FormatPNG, 24_000_000, variant.Options{Quality: 75, Lossy: true, Width: 1600}, "png0 webp75 webp0"},
	} {
		src := source{File: File{Width: 4000, Height: 3000}, content: blob.Info{Size: row.size}, format: row.format}
		got := ""
		for _, c := range src.candidates(row.o, true) {
			got += fmt.Sprintf(" %s%d", c.format, c.quality)
		}
		if got[1:] != row.want {
			t.Errorf("%+v: %s", row, got)
		}
	}
}
