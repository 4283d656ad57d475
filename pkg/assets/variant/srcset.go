package variant

import (
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
)

// MaxImages is the maximum number of widths in the parameter images.
const MaxImages = 16

// ParseImages reads the parameter images, a list of widths such as "400,800,1600". The widths are
// rounded up like the parameter w. Error: BAD_REQUEST.
func ParseImages(value string) ([]int, error) {
	parts := strings.Split(value, ",")
	if len(parts) > MaxImages {
		return nil, cms.Errorf(cms.CodeBadRequest, "The query parameter images takes at most %d widths.", MaxImages)
	}
	var widths []int
	for _, part := range parts {
		w, err := stepTo("A width of the query parameter images", part, MaxSide, sides)
		if err != nil {
			return nil, cms.Errorf(cms.CodeBadRequest, "%s.", err)
		}
		widths = append(widths, w)
	}
	return slices.DeleteFunc(Widths(), func(w int) bool { return !slices.Contains(widths, w) }), nil
}

// Srcset returns the attribute srcset for the URL of a picture that is width pixels wide. widths
// come from ParseImages; those larger than the picture are replaced by its own width, once.
func Srcset(address string, width int, focal *cms.Focal, widths []int) string {
	var b strings.Builder
	last := 0
	for _, w := range widths {
		if last == width {
			break
		}
		if w >= width {
			w = nextIn(width, sides) // the picture itself, which is not enlarged
		}
		last = min(w, width)
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(cms.VariantURL(address, "w="+strconv.Itoa(w)+"&fm="+FormatAuto))
		if focal != nil {
			b.WriteString("&fp=" + focal.String())
		}
		b.WriteString(" " + strconv.Itoa(last) + "w")
	}
	return b.String()
}
