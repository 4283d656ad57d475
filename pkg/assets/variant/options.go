// Package variant describes the variants of pictures: their query parameters, the available sizes,
// and srcset (extensions §9). It decodes nothing; package picture makes the variants.
package variant

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
)

// Prefix starts the keys of variants in the blob store, before the id of the file and a slash.
const Prefix = "variants/"

// The values of the parameter fm. FormatAuto is the smaller of the format of the file and WebP, if
// the client accepts WebP and it suits the file.
const (
	FormatAuto = "auto"
	FormatJPEG = "jpg"
	FormatPNG  = "png"
	FormatWebP = "webp"
)

// Limits of the parameters.
const (
	MaxSide        = 2560 // pixels
	MaxQuality     = 100
	DefaultQuality = 75
)

var (
	sides     = []int{32, 64, 96, 128, 200, 256, 320, 400, 512, 640, 800, 1024, 1280, 1600, 1920, MaxSide}
	qualities = []int{40, 60, 75, 85, 95}
	formats   = []string{FormatAuto, FormatJPEG, FormatPNG, FormatWebP}
)

// Options describe a requested variant.
type Options struct {
	Width, Height int // pixels, from the table of sizes; 0: not given
	// fit=cover: fill the size and crop the rest. Otherwise the whole picture fits inside.
	Cover   bool
	Quality int        // for JPEG and lossy WebP, from the table of qualities
	Lossy   bool       // WebP may be lossy; Parse sets it if a quality is given
	Format  string     // one of the formats; "": the format of the file
	Focal   *cms.Focal // fp; nil: not given
	Crop    *cms.Crop  // crop: the part of the picture to make the variant of; nil: not given
}

// Parse reads query parameters. requested is false if they request no variant. It ignores unknown
// names. The error describes a wrong value.
func Parse(query url.Values) (o Options, requested bool, err error) {
	o.Quality = DefaultQuality
	for _, name := range []string{"w", "h", "fit", "q", "fm", "fp"} {
		values := query[name]
		if len(values) == 0 {
			continue
		}
		if len(values) > 1 {
			return o, false, fmt.Errorf("%s is given %d times", name, len(values))
		}
		if err := o.setOption(name, values[0]); err != nil {
			return o, false, err
		}
		requested = requested || name != "fit" && name != "fp" // which request nothing alone
	}
	return o, requested, nil
}

// SetCrop reads the parameter crop, which requests a variant: without a size, the largest width. Parse leaves it
// out, since the address of a file has it already.
func (o *Options) SetCrop(query url.Values) (requested bool, err error) {
	values := query["crop"]
	if len(values) == 0 {
		return false, nil
	}
	if o.Crop, err = parseCrop(values); o.Width == 0 && o.Height == 0 {
		o.Width = MaxSide
	}
	return true, err
}

func (o *Options) setOption(name, value string) (err error) {
	switch name {
	case "w":
		o.Width, err = stepTo(name, value, MaxSide, sides)
	case "h":
		o.Height, err = stepTo(name, value, MaxSide, sides)
	case "q":
		o.Lossy = true
		o.Quality, err = stepTo(name, value, MaxQuality, qualities)
	case "fit":
		if value != "cover" && value != "inside" {
			return fmt.Errorf("fit must be cover or inside")
		}
		o.Cover = value == "cover"
	case "fm":
		if !slices.Contains(formats, value) {
			return fmt.Errorf("fm must be one of %s", strings.Join(formats, ", "))
		}
		o.Format = value
	case "fp":
		o.Focal, err = parseFocal(value)
	}
	return err
}

// stepTo rounds a value up to the next one in a table, or down to the last.
func stepTo(name, value string, most int, table []int) (int, error) {
	n, err := strconv.ParseUint(value, 10, 16)
	if err != nil || n < 1 || int(n) > most {
		return 0, fmt.Errorf("%s must be an integer from 1 to %d", name, most)
	}
	return nextIn(int(n), table), nil
}

func nextIn(n int, table []int) int {
	i, _ := slices.BinarySearch(table, n)
	return table[min(i, len(table)-1)]
}

func parseFocal(value string) (*cms.Focal, error) {
	x, y, ok := strings.Cut(value, ",")
	f := cms.Focal{}
	var errX, errY error
	f.X, errX = strconv.ParseFloat(x, 64)
	f.Y, errY = strconv.ParseFloat(y, 64)
	if !ok || errX != nil || errY != nil || !f.Valid() {
		return nil, fmt.Errorf("fp must be two numbers from 0 to 1, such as 0.5,0.3")
	}
	return &f, nil
}

func parseCrop(values []string) (*cms.Crop, error) {
	var c cms.Crop
	parts := strings.Split(values[0], ",")
	valid := len(parts) == 4 && len(values) == 1
	for i, to := range []*float64{&c.X, &c.Y, &c.Width, &c.Height} {
		var err error
		if valid {
			*to, err = strconv.ParseFloat(parts[i], 64)
			valid = err == nil
		}
	}
	if !valid || !c.Valid() {
		return nil, fmt.Errorf("crop must be one list of left, top, width and height within 0 and 1, such as 0.1,0,0.8,1")
	}
	return &c, nil
}

// Widths returns the values of the parameter w, rising.
func Widths() []int { return slices.Clone(sides) }

// LowerQualities returns a quality and those below it that a variant may have, falling.
func LowerQualities(quality int) []int {
	i, _ := slices.BinarySearch(qualities, quality)
	lower := slices.Clone(qualities[:min(i+1, len(qualities))])
	slices.Reverse(lower)
	return lower
}

// Crops reports whether the variant may be cropped, so that the focal point matters.
func (o Options) Crops() bool { return o.Cover && o.Width > 0 && o.Height > 0 }
