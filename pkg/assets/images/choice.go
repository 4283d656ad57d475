package images

import (
	"fmt"
	"slices"
	"strings"

	"headless/pkg/assets/picture"
	"headless/pkg/assets/variant"
)

// choice is one variant of a picture. Two requests for the same picture make equal choices.
type choice struct {
	picture.Plan
	format  string // one of package variant, other than FormatAuto
	quality int    // 0: lossless
	free    bool   // not counted against maxVariants
}

// chooseVariant returns the variant of a file for options with a format other than FormatAuto.
func chooseVariant(f File, o variant.Options) choice {
	c := choice{Plan: picture.NewPlan(f.Width, f.Height, o), format: o.Format}
	if c.format == variant.FormatJPEG || c.format == variant.FormatWebP && o.Lossy {
		c.quality = o.Quality
	}
	if c.quality == 0 || c.quality == variant.DefaultQuality {
		c.free = slices.ContainsFunc(variant.Widths(), func(w int) bool {
			return picture.NewPlan(f.Width, f.Height, variant.Options{Width: w, Crop: o.Crop}) == c.Plan
		})
	}
	return c
}

// substitute returns the smallest variant with a width alone that is as large as c. It returns the
// largest one if none is.
func (c choice) substitute(f File) choice {
	var s choice
	for _, w := range variant.Widths() {
		s = chooseVariant(f, variant.Options{Width: w, Format: c.format, Quality: variant.DefaultQuality,
			Lossy: c.quality > 0, Crop: f.Crop})
		if s.Width >= c.Width && s.Height >= c.Height {
			break
		}
	}
	return s
}

// crops reports whether the variant shows only a part of the picture.
func (c choice) crops(f File) bool {
	return c.Part.Dx() < f.Width || c.Part.Dy() < f.Height
}

// countedPrefix starts the names of the variants that maxVariants limits.
const countedPrefix = "x-"

// variantName names the variant among those of one content of a file.
func (c choice) variantName(content string) string {
	var b strings.Builder
	if !c.free {
		b.WriteString(countedPrefix)
	}
	fmt.Fprintf(&b, "%s-%dx%d-%d_%d_%d_%d", content, c.Width, c.Height,
		c.Part.Min.X, c.Part.Min.Y, c.Part.Max.X, c.Part.Max.Y)
	if c.quality > 0 {
		fmt.Fprintf(&b, "-q%d", c.quality)
	}
	return b.String() + "." + c.format
}

// maxWebPSide is the longest side of a WebP.
const maxWebPSide = 16383

// possible reports whether the format can hold the variant.
func (c choice) possible() bool {
	return c.format != variant.FormatWebP || max(c.Width, c.Height) <= maxWebPSide
}

// candidates lists the variants of which auto serves the smallest, first that in the file's format.
func (src source) candidates(o variant.Options, webp bool) []choice {
	o.Format = src.format
	list := []choice{chooseVariant(src.File, o)}
	if !webp || src.format == variant.FormatWebP {
		return list
	}
	o.Format = variant.FormatWebP
	if c := chooseVariant(src.File, o); c.possible() {
		list = append(list, c)
		hopeless := src.dense() && c.Width*c.Height > manyEncoded
		if o.Lossy = false; src.format == variant.FormatPNG && c.quality > 0 && !hopeless {
			list = append(list, chooseVariant(src.File, o))
		}
	}
	return list
}

// manyEncoded is the number of pixels from which a lossless WebP takes so long that it is not made beside a
// lossy one that is much smaller: of a photograph.
const manyEncoded = 2_000_000

// dense reports whether a PNG holds a photograph or noise: drawings take less than a byte a pixel.
func (src source) dense() bool {
	return 2*src.content.Size > 3*int64(src.Width)*int64(src.Height)
}
