package ui

import (
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"testing"
)

// TestContrast checks the colours that are shown on each other, in light and in dark mode, by the
// formula of WCAG 2.2: 4.5 for text, 3 for the edges of inputs.
func TestContrast(t *testing.T) {
	light, dark := map[string]string{}, map[string]string{}
	for _, token := range Tokens() {
		light[token.Name], dark[token.Name] = token.Light, token.Light
		if token.Dark != "" {
			dark[token.Name] = token.Dark
		}
	}
	for _, pair := range []struct {
		front string
		backs []string
		least float64
	}{
		{"text", []string{"bg", "card", "sunk", "grey-soft", "accent-soft"}, 4.5},
		{"soft", []string{"bg", "card", "sunk", "grey-soft"}, 4.5},
		{"accent", []string{"bg", "card", "sunk", "accent-soft"}, 4.5},
		{"on-accent", []string{"accent", "accent-strong"}, 4.5},
		{"good", []string{"card", "good-soft"}, 4.5},
		{"warn", []string{"card", "warn-soft"}, 4.5},
		{"bad", []string{"card", "bg", "bad-soft"}, 4.5},
		{"edge", []string{"card", "bg"}, 3},
	} {
		for _, back := range pair.backs {
			for mode, colours := range map[string]map[string]string{"light": light, "dark": dark} {
				if got := contrast(t, colours[pair.front], colours[back]); got < pair.least {
					t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", mode, pair.front, back, got, pair.least)
				}
			}
		}
	}
}

// contrast returns the ratio of the luminances of two colours.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance returns the relative luminance of a colour such as #fff or #5348d6.
func luminance(t *testing.T, colour string) (sum float64) {
	t.Helper()
	if len(colour) == 4 {
		colour = string([]byte{'#', colour[1], colour[1], colour[2], colour[2], colour[3], colour[3]})
	}
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		v := float64(n) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

// TestStylesUseTokens checks that style sheets name colours, sizes of text, radii and times by their
// tokens, and that the style guide shows every colour.
func TestStylesUseTokens(t *testing.T) {
	literal := regexp.MustCompile(`#[0-9a-f]{3,8}\b|rgb\(|font-size: [0-9.]+rem|border-radius: [^;]*px|[0-9]s\b`)
	names, err := fs.Glob(AssetFiles, "assets/*.css")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`(?s):root \{.*?\n *\}\n`)
	for _, name := range names {
		body, err := fs.ReadFile(AssetFiles, name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "assets/focal.css" { // it draws on pictures, whatever the mode
			continue
		}
		for _, found := range literal.FindAll(blocks.ReplaceAll(body, nil), -1) {
			t.Errorf("%s has %s in place of a token", name, found)
		}
	}
	sheet, err := fs.ReadFile(AssetFiles, "assets/styleguide.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range Tokens() {
		if token.Colour() && !regexp.MustCompile(`--`+token.Name+`\)`).Match(sheet) {
			t.Errorf("the style guide does not show the colour %s", token.Name)
		}
	}
}
