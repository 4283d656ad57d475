package cms

import (
	"math"
	"testing"
)

func TestCropValid(t *testing.T) {
	for crop, want := range map[Crop]bool{
		{0, 0, 1, 1}: true, {0.1, 0.2, 0.9, 0.8}: true, {0.99, 0, 0.01, 1}: true, {-0.1, 0, 1, 1}: false,
		{0, 1, 1, 0.5}: false, {0, 0, 0, 1}: false, {0.5, 0, 0.6, 1}: false, {0, 0.5, 1, 0.501}: false,
		{0, 0, 1, -1}: false, {math.NaN(), 0, 1, 1}: false, {0, 0, math.NaN(), math.Inf(1)}: false,
	} {
		if crop.Valid() != want {
			t.Errorf("%+v: %v", crop, !want)
		}
	}
}

func TestCropPixels(t *testing.T) {
	for _, row := range []struct {
		crop          *Crop
		width, height int
		want          [4]int
	}{
		{nil, 300, 200, [4]int{0, 0, 300, 200}},
		{&Crop{0.1, 0.25, 0.5, 0.5}, 300, 200, [4]int{30, 50, 150, 100}},
		{&Crop{0.9, 0.9, 0.1, 0.1}, 3, 2, [4]int{2, 1, 1, 1}},
		{&Crop{0, 0, 0.01, 0.01}, 20, 20, [4]int{0, 0, 1, 1}},
		{&Crop{1.0 / 3, 0, 2.0 / 3, 1}, 100, 1, [4]int{33, 0, 67, 1}},
	} {
		x, y, w, h := row.crop.Pixels(row.width, row.height)
		if got := [4]int{x, y, w, h}; got != row.want {
			t.Errorf("%v of %d × %d: %v, not %v", row.crop, row.width, row.height, got, row.want)
		}
	}
}

// TestFocalMoves moves points into a crop and back. A point beside the crop becomes the nearest one at its edge.
func TestFocalMoves(t *testing.T) {
	crop := &Crop{0.1, 0.2, 0.7, 0.3}
	for _, row := range []struct{ was, in, back Focal }{
		{Focal{0.1, 0.2}, Focal{}, Focal{0.1, 0.2}}, {Focal{0.45, 0.35}, Focal{0.5, 0.5}, Focal{0.45, 0.35}},
		{Focal{0.333, 0.3}, Focal{0.3329, 0.3333}, Focal{0.333, 0.3}}, {Focal{1, 0}, Focal{1, 0}, Focal{0.8, 0.2}},
	} {
		in := row.was.Moved(nil, crop)
		if back := in.Moved(crop, nil); *in != row.in || *back != row.back {
			t.Errorf("%v: %v, back %v", row.was, in, back)
		}
	}
	if (*Focal)(nil).Moved(nil, crop) != nil {
		t.Error("a focal point that was never set is set")
	}
}

func TestOriginalURL(t *testing.T) {
	for address, want := range map[string]string{
		"https://a/media/1": "https://a/media/1", "https://a/media/1?v=2": "https://a/media/1?v=2",
		"https://a/media/1?crop=0,0,1,0.5":     "https://a/media/1",
		"https://a/media/1?v=2&crop=0,0,1,0.5": "https://a/media/1?v=2",
	} {
		if got := OriginalURL(address); got != want {
			t.Errorf("%s: %s", address, got)
		}
	}
}
