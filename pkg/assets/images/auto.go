package images

import (
	"context"

	"headless/pkg/assets/picture"
	"headless/pkg/assets/variant"
)

// auto returns the smallest of the variants that suit a client. It lowers the quality of one that
// is larger than the whole file, and returns picture.ErrUnsupported if that does not help: then the
// file itself is served.
func (s *Server) auto(ctx context.Context, src source, o variant.Options, webp bool) (a answer, err error) {
	for _, o.Quality = range src.qualities(o.Quality) {
		list := src.candidates(o, webp)
		for i := range list {
			next, err := s.variant(ctx, src, list[i:]...)
			if err != nil {
				return a, err
			}
			if i == 0 || next.Size < a.Size {
				a = next
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

// qualities lists the qualities that auto tries, each of which takes a decoding of the file.
func (src source) qualities(first int) []int {
	list := variant.LowerQualities(first)
	if len(list) > 2 && src.Width*src.Height > manyPixels {
		return []int{first, list[len(list)-1]}
	}
	return list
}
