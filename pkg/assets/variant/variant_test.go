package variant

import (
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
)

func TestParse(t *testing.T) {
	for _, row := range []struct {
		query string
		want  Options
		any   bool
	}{
		{"", Options{Quality: 75}, false},
		{"name=x&v=2", Options{Quality: 75}, false},
		{"fit=cover", Options{Quality: 75, Cover: true}, false},
		{"fp=0,1", Options{Quality: 75, Focal: &cms.Focal{Y: 1}}, false},
		{"w=1", Options{Quality: 75, Width: 32}, true},
		{"w=32&h=33", Options{Quality: 75, Width: 32, Height: 64}, true},
		{"w=2560&h=1921", Options{Quality: 75, Width: 2560, Height: 2560}, true},
		{"w=400&fit=inside", Options{Quality: 75, Width: 400}, true},
		{"w=400&h=300&fit=cover&fp=0.25,1", Options{Quality: 75, Width: 400, Height: 320, Cover: true,
			Focal: &cms.Focal{X: 0.25, Y: 1}}, true},
		{"q=1", Options{Quality: 40, Lossy: true}, true}, {"q=41", Options{Quality: 60, Lossy: true}, true},
		{"q=75", Options{Quality: 75, Lossy: true}, true}, {"q=96", Options{Quality: 95, Lossy: true}, true},
		{"q=100", Options{Quality: 95, Lossy: true}, true},
		{"fm=auto", Options{Quality: 75, Format: FormatAuto}, true},
	} {
		query, _ := url.ParseQuery(row.query)
		o, any, err := Parse(query)
		if err != nil || any != row.any || !reflect.DeepEqual(o, row.want) {
			t.Errorf("%s: %+v, %v, %v", row.query, o, any, err)
		}
	}
}

func TestLowerQualities(t *testing.T) {
	for quality, want := range map[int][]int{40: {40}, 75: {75, 60, 40}, 95: {95, 85, 75, 60, 40}} {
		if got := LowerQualities(quality); !slices.Equal(got, want) {
			t.Errorf("%d: %v", quality, got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, query := range []string{
		"w=0", "w=2561", "w=-1", "w=", "w=x", "w=1.5", "w=%2B5", "w=1&w=1",
		"w=99999999999999999999", "h=0", "h=2561", "h=", "q=0", "q=101", "q=", "q=75&q=75",
		"fit=", "fit=fill", "fit=COVER", "fit=cover&fit=cover", "fm=", "fm=gif", "fm=jpeg",
		"fm=auto&fm=auto", "fp=", "fp=1", "fp=1,2", "fp=-0.1,0", "fp=NaN,0", "fp=0,0,0",
	} {
		values, _ := url.ParseQuery(query)
		_, _, err := Parse(values)
		if name, _, _ := strings.Cut(query, "="); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestCrop(t *testing.T) {
	crop := &cms.Crop{Y: 0.1, Width: 1, Height: 0.5}
	for query, want := range map[string]Options{"crop=0,0.1,1,0.5&h=32": {Height: 32, Crop: crop}, "h=32": {Height: 32},
		"crop=0,0.1,1,0.5": {Width: MaxSide, Crop: crop}, "crop=0%2C0.1%2C1%2C.5&w=32": {Width: 32, Crop: crop}} {
		values, _ := url.ParseQuery(query)
		o, _, _ := Parse(values)
		want.Quality = DefaultQuality
		if requested, err := o.SetCrop(values); err != nil || requested != (o.Crop != nil) || !reflect.DeepEqual(o, want) {
			t.Errorf("%s: %+v, %v, %v", query, o, requested, err)
		}
	}
	for _, query := range []string{"crop=", "crop=0,0,1", "crop=0,0,1,1,1", "crop=0,0,1,2", "crop=a,0,1,1",
		"crop=0,0,NaN,1",
		"crop=0,0,1,1&crop=0,0,1,1"} {
		values, _ := url.ParseQuery(query)
		if _, err := new(Options).SetCrop(values); err == nil {
			t.Errorf("%s is taken", query)
		}
	}
}

func TestSrcset(t *testing.T) {
	for _, row := range []struct {
		images string
		width  int
		focal  *cms.Focal
		want   string
	}{
		{"400,800,1600", 2000, nil, "/m?w=400&fm=auto 400w, /m?w=800&fm=auto 800w, /m?w=1600&fm=auto 1600w"},
		{"1600,400,400,390", 2000, nil, "/m?w=400&fm=auto 400w, /m?w=1600&fm=auto 1600w"},
		{"400,800,1600,2560", 700, nil, "/m?w=400&fm=auto 400w, /m?w=800&fm=auto 700w"},
		{"800", 300, &cms.Focal{X: 0.5, Y: 0.3}, "/m?w=320&fm=auto&fp=0.5,0.3 300w"},
		{"400,800", 400, nil, "/m?w=400&fm=auto 400w"},
		{"2560", 4000, nil, "/m?w=2560&fm=auto 2560w"},
	} {
		widths, err := ParseImages(row.images)
		if got := Srcset("/m", row.width, row.focal, widths); err != nil || got != row.want {
			t.Errorf("%s of %d: %s, %v", row.images, row.width, got, err)
		}
	}
	widths, _ := ParseImages("400")
	if got := Srcset("/m?v=2", 2000, nil, widths); got != "/m?v=2&w=400&fm=auto 400w" {
		t.Error("replaced content:", got)
	}
	for _, images := range []string{"", "0", "2561", "a", "400,", "400;800",
		strings.Repeat("32,", MaxImages) + "32"} {
		if _, err := ParseImages(images); err == nil {
			t.Errorf("%q is taken", images)
		}
	}
}
