package variant

import (
	"net/url"
	"strings"
	"testing"

	"headless/pkg/cms"
)

func TestParse(t *testing.T) {
	for _, row := range []struct {
		query string
		want  string // the key, as a JPEG
		any   bool
	}{
		{"", "w0h0q75.jpg", false},
		{"name=x&v=2", "w0h0q75.jpg", false},
		{"fit=cover", "w0h0q75.jpg", false},
		{"fp=0,1", "w0h0q75.jpg", false},
		{"w=1", "w32h0q75.jpg", true},
		{"w=32&h=33", "w32h64q75.jpg", true},
		{"w=2560&h=1921", "w2560h2560q75.jpg", true},
		{"w=400&fit=inside", "w400h0q75.jpg", true},
		{"w=400&fit=cover", "w400h0q75.jpg", true},
		{"w=400&h=300&fit=cover", "w400h320c0.500_0.500q75.jpg", true},
		{"w=400&h=300&fit=cover&fp=0.25,1", "w400h320c0.250_1.000q75.jpg", true},
		{"w=400&fp=0.25,1", "w400h0q75.jpg", true},
		{"q=1", "w0h0q40.jpg", true}, {"q=41", "w0h0q60.jpg", true}, {"q=75", "w0h0q75.jpg", true},
		{"q=96", "w0h0q95.jpg", true}, {"q=100", "w0h0q95.jpg", true},
		{"fm=auto", "w0h0q75.jpg", true},
	} {
		query, _ := url.ParseQuery(row.query)
		o, any, err := Parse(query)
		if err != nil || any != row.any || o.Key(FormatJPEG) != row.want {
			t.Errorf("%s: %s, %v, %v", row.query, o.Key(FormatJPEG), any, err)
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
	for _, images := range []string{"", "0", "2561", "a", "400,", "400;800",
		strings.Repeat("32,", MaxImages) + "32"} {
		if _, err := ParseImages(images); err == nil {
			t.Errorf("%q is taken", images)
		}
	}
}
