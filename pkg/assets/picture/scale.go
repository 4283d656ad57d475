package picture

import (
	"image"
	"math"

	"golang.org/x/image/draw"

	"headless/pkg/assets/variant"
	"headless/pkg/cms"
)

// Plan is the part of a picture that becomes a variant, and the size of the variant. Both are in
// displayed coordinates, that is, with the orientation applied.
type Plan struct {
	Part          image.Rectangle
	Width, Height int
}

// NewPlan computes the plan for a picture of a size, or for the crop of it that o has. It never enlarges.
func NewPlan(width, height int, o variant.Options) Plan {
	left, top, width, height := o.Crop.Pixels(width, height)
	p := planOf(width, height, o)
	p.Part = p.Part.Add(image.Pt(left, top))
	return p
}

// planOf is the plan for a picture without a crop.
func planOf(width, height int, o variant.Options) Plan {
	if o.Crops() {
		return coverPlan(width, height, o)
	}
	scale := 1.0
	if o.Width > 0 {
		scale = min(scale, float64(o.Width)/float64(width))
	}
	if o.Height > 0 {
		scale = min(scale, float64(o.Height)/float64(height))
	}
	return Plan{Part: image.Rect(0, 0, width, height), Width: scaleLength(width, scale),
		Height: scaleLength(height, scale)}
}

// coverPlan fills the requested size, around the focal point. If the picture is too small, it uses
// the largest part with the same proportions.
func coverPlan(width, height int, o variant.Options) Plan {
	factor := min(float64(width)/float64(o.Width),
		float64(height)/float64(o.Height)) // pixels of the picture for one of the variant
	partW, partH := min(width, scaleLength(o.Width, factor)), min(height, scaleLength(o.Height, factor))
	focal := cms.Focal{X: 0.5, Y: 0.5}
	if o.Focal != nil {
		focal = *o.Focal
	}
	left, top := startOfPart(focal.X, width, partW), startOfPart(focal.Y, height, partH)
	p := Plan{Part: image.Rect(left, top, left+partW, top+partH), Width: o.Width, Height: o.Height}
	if factor < 1 {
		p.Width, p.Height = partW, partH
	}
	return p
}

// startOfPart returns the start of a part with the focal point in its middle, as far as the edges of the
// picture allow.
func startOfPart(focal float64, whole, part int) int {
	at := int(math.Round(focal*float64(whole) - float64(part)/2))
	return max(0, min(at, whole-part))
}

func scaleLength(n int, factor float64) int { return max(1, int(math.Round(float64(n)*factor))) }

// Scale makes the variant of a decoded picture.
func Scale(m image.Image, info Info, p Plan) *image.RGBA {
	part, width, height := p.Part, p.Width, p.Height
	part = toStored(part, info)
	if info.Orientation >= 5 {
		width, height = height, width
	}
	part = part.Add(m.Bounds().Min)
	return upright(resize(m, part, width, height), info.Orientation)
}

// resize averages whole blocks of pixels while at least one and a half times the requested size is
// left, which needs one strip of memory. It does the rest with a Catmull-Rom filter, which is slow.
func resize(m image.Image, part image.Rectangle, width, height int) *image.RGBA {
	n := min(2*part.Dx()/(3*width), 2*part.Dy()/(3*height))
	if n > 1 {
		m = shrink(m, part, n)
		part = m.Bounds()
	}
	if part.Dx() != width || part.Dy() != height {
		return filter(m, part, width, height)
	}
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(to, to.Bounds(), m, part.Min, draw.Src)
	return to
}

// shrink makes one pixel from n by n. Remaining pixels at the right and bottom edges are added to
// the last ones.
func shrink(m image.Image, part image.Rectangle, n int) *image.RGBA {
	width, height := part.Dx()/n, part.Dy()/n
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	strip := image.NewRGBA(image.Rect(0, 0, part.Dx(), n+part.Dy()%n))
	sums := make([][4]uint32, width)
	for y := range height {
		rows := n
		if y == height-1 {
			rows += part.Dy() % n
		}
		draw.Draw(strip, image.Rect(0, 0, part.Dx(), rows), m, image.Pt(part.Min.X, part.Min.Y+y*n), draw.Src)
		clear(sums)
		for row := range rows {
			line := strip.Pix[row*strip.Stride:][:4*part.Dx()]
			for x := 0; x < part.Dx(); x++ {
				s := &sums[min(x/n, width-1)]
				s[0] += uint32(line[4*x])
				s[1] += uint32(line[4*x+1])
				s[2] += uint32(line[4*x+2])
				s[3] += uint32(line[4*x+3])
			}
		}
		for x := range sums {
			columns := n
			if x == width-1 {
				columns += part.Dx() % n
			}
			count := uint32(rows * columns)
			for c, sum := range sums[x] {
				to.Pix[y*to.Stride+4*x+c] = uint8((sum + count/2) / count)
			}
		}
	}
	return to
}

// toStored converts a part from displayed to stored coordinates.
func toStored(part image.Rectangle, info Info) image.Rectangle {
	a := source(part.Min.X, part.Min.Y, info)
	b := source(part.Max.X-1, part.Max.Y-1, info)
	return image.Rect(min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X)+1, max(a.Y, b.Y)+1)
}

// source returns the stored point that is displayed at x and y.
func source(x, y int, info Info) image.Point {
	right, bottom := info.Width-1, info.Height-1
	switch info.Orientation {
	case 2:
		return image.Pt(right-x, y)
	case 3:
		return image.Pt(right-x, bottom-y)
	case 4:
		return image.Pt(x, bottom-y)
	case 5:
		return image.Pt(y, x)
	case 6:
		return image.Pt(y, bottom-x)
	case 7:
		return image.Pt(right-y, bottom-x)
	case 8:
		return image.Pt(right-y, x)
	}
	return image.Pt(x, y)
}

// upright applies the orientation of a picture.
func upright(m *image.RGBA, orientation int) *image.RGBA {
	if orientation <= 1 {
		return m
	}
	info := Info{Width: m.Rect.Dx(), Height: m.Rect.Dy(), Orientation: orientation}
	width, height := info.Size()
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			from := source(x, y, info)
			copy(to.Pix[y*to.Stride+4*x:][:4], m.Pix[from.Y*m.Stride+4*from.X:])
		}
	}
	return to
}
