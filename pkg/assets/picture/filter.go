package picture

import (
	"image"
	"math"

	"golang.org/x/image/draw"
)

// filter scales a part of a picture down with a Catmull-Rom filter. It holds as many rows as one row of the
// result needs. CatmullRom of x/image takes twice the time, and 32 bytes for each row of the part and
// column of the result: 400 MB for 25 megapixels.
func filter(m image.Image, part image.Rectangle, width, height int) *image.RGBA {
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	columns, rows := spans(part.Dx(), width), spans(part.Dy(), height)
	line := image.NewRGBA(image.Rect(0, 0, part.Dx(), 1))
	packed, sums := make([]pair, 2*part.Dx()), make([]pair, 2*width)
	var held [][]pair // the filtered rows: row y is at y modulo the number of them
	for _, span := range rows {
		for len(held) < len(span.weights) {
			held = append(held, make([]pair, 2*width))
		}
	}
	next := 0 // row to filter
	for y, span := range rows {
		for ; next < span.start+len(span.weights); next++ {
			draw.Draw(line, line.Rect, m, image.Pt(part.Min.X, part.Min.Y+next), draw.Src)
			filterRow(held[next%len(held)], packed, line.Pix, columns)
		}
		clear(sums)
		for i, weight := range span.weights {
			row := held[(span.start+i)%len(held)][:len(sums)]
			for x := range sums {
				sums[x] += weight * row[x]
			}
		}
		unpack(to.Pix[y*to.Stride:], sums)
	}
	return to
}

// pair is two sums that are computed together: one in the lower 32 bits, and one in the upper, of which
// the sign of the lower is subtracted.
type pair int64

// filterRow filters a row of pixels by columns into to. packed is room for the values of the row in pairs:
// red and blue, green and alpha.
func filterRow(to, packed []pair, pixels []uint8, columns []span) {
	for x := range len(packed) / 2 {
		p := pixels[4*x:][:4]
		packed[2*x], packed[2*x+1] = pair(p[0])|pair(p[2])<<32, pair(p[1])|pair(p[3])<<32
	}
	for x, span := range columns {
		from := packed[2*span.start:][:2*len(span.weights)]
		var redBlue, greenAlpha pair
		for i, weight := range span.weights {
			redBlue += weight * from[2*i]
			greenAlpha += weight * from[2*i+1]
		}
		to[2*x], to[2*x+1] = redBlue, greenAlpha
	}
}

// unpack writes a row of pixels from sums that were weighted by columns and by rows. No colour is above
// alpha, by which it is multiplied.
func unpack(pixels []uint8, sums []pair) {
	for x := range len(sums) / 2 {
		red, blue := sums[2*x].values()
		green, alpha := sums[2*x+1].values()
		p := pixels[4*x:][:4]
		p[0], p[1], p[2], p[3] = min(red, alpha), min(green, alpha), min(blue, alpha), alpha
	}
}

// values returns the two sums as values of a pixel.
func (p pair) values() (lower, upper uint8) {
	low := int32(p)
	return level(low), level(int32((p - pair(low)) >> 32))
}

func level(sum int32) uint8 { return uint8(max(0, min(255, (sum>>(2*weightBits-1)+1)>>1))) }

// weightBits is the number of bits of a fraction in a weight. 255, weighted twice, fits into 32 bits: the
// negative weights of a span are at most an eighth of its sum.
const weightBits = 11

// span is the part of a row or a column from which one pixel is computed.
type span struct {
	start   int
	weights []pair // whose sum is 1<<weightBits
}

// spans returns what each of to pixels is computed from, of from ones. What lies beyond an edge counts as
// the pixel at the edge.
func spans(from, to int) []span {
	list, scale := make([]span, to), float64(from)/float64(to)
	for i := range list {
		centre := (float64(i)+0.5)*scale - 0.5
		low, high := int(math.Floor(centre-2*scale)), int(math.Ceil(centre+2*scale))
		s := span{start: max(0, low)}
		s.weights = make([]pair, min(from-1, high)-s.start+1)
		total := 0.0
		for at := low; at <= high; at++ {
			total += catmullRom((float64(at) - centre) / scale)
		}
		sum, done := 0.0, pair(0) // rounded together, so that nothing is lost
		for at := low; at <= high; at++ {
			sum += catmullRom((float64(at)-centre)/scale) / total
			next := pair(math.Round(sum * (1 << weightBits)))
			s.weights[max(0, min(at, from-1)-s.start)] += next - done
			done = next
		}
		list[i] = s
	}
	return list
}

// catmullRom is the weight of a pixel at a distance, in pixels of the result.
func catmullRom(distance float64) float64 {
	switch d := math.Abs(distance); {
	case d < 1:
		return (1.5*d-2.5)*d*d + 1
	case d < 2:
		return ((-0.5*d+2.5)*d-4)*d + 2
	}
	return 0
}
