package images

import (
	"context"
	"errors"

	"headless/pkg/assets/picture"
	"headless/pkg/assets/variant"
	"headless/pkg/blob"
)

// auto returns the smallest of the variants that suit a client. It lowers the quality of one that
// is larger than the whole file, and returns picture.ErrUnsupported if that does not help: then the
// file itself is served. A request makes a slow variant in one format only, and its answer is cached
// for a short time: later requests make the others.
func (s *Server) auto(ctx context.Context, src source, o variant.Options, webp bool) (a answer, err error) {
	for _, o.Quality = range src.qualities(o.Quality) {
		list := src.candidates(o, webp)
		for i := range list {
			made, isNew := list[i:], false
			if list[i].slow(src) {
				made = list[i : i+1]
				_, err := s.storedVariant(ctx, src, list[i])
				isNew = errors.Is(err, blob.ErrNotFound)
			}
			next, err := s.variant(ctx, src, made...)
			if err != nil {
				return a, err
			}
			if i == 0 || next.Size < a.Size {
				a = next
			}
			if isNew && i < len(list)-1 {
				a.caching = briefly
				break
			}
		}
		if a.Size <= src.content.Size || list[0].crops(src.File) {
			return a, nil
		}
		if list[0].quality == 0 {
			break
		}
	}
	return a, picture.ErrUnsupported
}

// manyPixels is the number of pixels from which decoding takes so long that it is done twice at most.
const manyPixels = 4_000_000

// manyBytes is the size of a file from which its largest variants take a second to make in each format.
const manyBytes = 10_000_000

// slow reports whether making a variant in two formats may take a processor for more than two seconds.
func (c choice) slow(src source) bool {
	return src.content.Size > manyBytes && c.Width*c.Height > manyPixels
}

// qualities lists the qualities that auto tries, each of which takes a decoding of the file.
func (src source) qualities(first int) []int {
	list := variant.LowerQualities(first)
	if len(list) > 2 && src.Width*src.Height > manyPixels {
		return []int{first, list[len(list)-1]}
	}
	return list
}
