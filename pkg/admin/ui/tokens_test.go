package ui

import (
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/must"
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
		must.Do(t, err)
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

// oddSpaces are the spaces of controls, badges and rows, in rem, that are between two tokens: they fit
// the height of a line of text there. A new one needs a reason.
var oddSpaces = []float64{.3, .32, 5.5 / 16, .35, .36, .4, .42, .45, .55, .6, .65, .7, .8, .9,
	1.1, 1.15, 1.2, 1.35, 1.6}

// TestSpacesAreTokens checks that style sheets name margins, paddings and gaps by their tokens. Two are
// no spaces of the design: less than the smallest, inside of a line of text, and 2rem and more, which is
// room for something else.
func TestSpacesAreTokens(t *testing.T) {
	used := map[float64]bool{}
	var tokens []float64
	for _, token := range Tokens() {
		if strings.HasPrefix(token.Name, "space-") {
			tokens = append(tokens, inRem(t, token.Light))
		}
	}
	if len(tokens) == 0 {
		t.Fatal("no tokens")
	}
	declared := regexp.MustCompile(`(?:margin|padding|gap)[a-z-]*: [^;}]*`)
	length := regexp.MustCompile(`[0-9.]+(?:rem|px)\b`)
	eachSheet(t, func(name, sheet string) {
		for _, line := range declared.FindAllString(sheet, -1) {
			for _, found := range length.FindAllString(line, -1) {
				n := inRem(t, found)
				used[n] = true
				if slices.Contains(tokens, n) || n > tokens[0] && n < 2 && !slices.Contains(oddSpaces, n) {
					t.Errorf("%s has %s in place of a token: %s", name, found, line)
				}
			}
		}
	})
	for _, odd := range oddSpaces {
		if !used[odd] {
			t.Errorf("%vrem is not used any more: remove it from oddSpaces", odd)
		}
	}
}

// inRem returns a length, which is in rem or px, in rem.
func inRem(t *testing.T, length string) float64 {
	t.Helper()
	number, isPx := strings.CutSuffix(length, "px")
	n, err := strconv.ParseFloat(strings.TrimSuffix(number, "rem"), 64)
	must.Do(t, err)
	if isPx {
		n /= 16
	}
	return n
}

// eachSheet calls do with each style sheet, without the blocks that define the tokens.
func eachSheet(t *testing.T, do func(name, sheet string)) {
	t.Helper()
	names, err := fs.Glob(AssetFiles, "assets/*.css")
	must.Do(t, err)
	blocks := regexp.MustCompile(`(?s):root \{.*?\n *\}\n`)
	for _, name := range names {
		body, err := fs.ReadFile(AssetFiles, name)
		must.Do(t, err)
		do(name, blocks.ReplaceAllString(string(body), ""))
	}
}

// TestStylesUseTokens checks that style sheets name colours, sizes of text, radii and times by their
// tokens, and that the style guide shows every colour. Sizes of text and widths of windows in px would not follow the
// size of text that people choose in their browser.
func TestStylesUseTokens(t *testing.T) {
	literal := regexp.MustCompile(`#[0-9a-f]{3,8}\b|rgb\(|font-size: [0-9.]+rem|border-radius: [^;]*px|[0-9]s\b|` +
		`font: [0-9]+px|font-size: [^;]*px|@(?:media|container)[^{]*px`)
	eachSheet(t, func(name, sheet string) {
		if name == "assets/focal.css" { // it draws on pictures, whatever the mode
			return
		}
		for _, found := range literal.FindAllString(sheet, -1) {
			t.Errorf("%s has %s in place of a token", name, found)
		}
	})
	sheet, err := fs.ReadFile(AssetFiles, "assets/styleguide.css")
	must.Do(t, err)
	for _, token := range Tokens() {
		if token.Colour() && !regexp.MustCompile(`--`+token.Name+`\)`).Match(sheet) {
			t.Errorf("the style guide does not show the colour %s", token.Name)
		}
	}
}
