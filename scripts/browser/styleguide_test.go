package browser

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/png" // image.Decode reads it
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/HugoSmits86/nativewebp"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	_ "golang.org/x/image/webp" // and this

	"headless/pkg/must"
)

var renewPictures = flag.Bool("renew-pictures", false, "make the pictures of the style guide anew")

// drawn is how the page is shown for its picture. Letters, the grip of a text area and the triangle of
// a summary depend on the version of the browser and on the fonts of the machine. So each text is a
// bar in its colour, as wide as the text in the font that the product serves, and half as high: a
// change of colour, size or weight still shows. Chromium 150 and 156 draw the same pixels then.
const drawn = `(async (more) => {
	const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
	const { style } = rules.find((rule) => rule instanceof CSSFontFaceRule); // the page goes without it if it comes late
	document.fonts.add(await new FontFace("Served", style.getPropertyValue("src"), { weight: style.fontWeight }).load());
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(":root { --sans: Served; --mono: Served } textarea { resize: none } summary { list-style: none }" +
		"*, ::before, ::after, ::placeholder { -webkit-text-fill-color: transparent !important;" +
		"text-decoration: line-through .5em rgb(from currentcolor r g b) !important }" + more);
	document.adoptedStyleSheets = [sheet];
	return [document.documentElement.scrollWidth, document.documentElement.scrollHeight];
})`

// Scripts that open what is closed at first, and say whether it is open. What the keyboard is in is not
// drawn, since a caret blinks.
const (
	opensFolded  = `(document.querySelectorAll("main details").forEach((e) => { e.open = true }), true)`
	opensPalette = `(document.querySelector(".palette") || document.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true })),
		document.activeElement.blur(), document.querySelectorAll(".palette li").length > 9)`
	opensPicker = `(document.querySelector(".picker") || document.querySelector("main button[data-source]").click(),
		document.activeElement.blur(), document.querySelectorAll(".picker img").length === 2 &&
		[...document.querySelectorAll(".picker img")].every((image) => image.complete && image.naturalWidth > 0))`
)

// TestStyleGuide compares pictures of the style guide with those in testdata/styleguide. `make
// styleguide-pictures` makes them anew.
func TestStyleGuide(t *testing.T) {
	s := newSite(t)
	s.upload("red.png", color.RGBA{200, 0, 0, 255})
	s.upload("blue.png", color.RGBA{0, 0, 200, 255})
	b := s.newTab()
	b.inZone("UTC")
	b.signIn(email)
	stored := func(name string) string { return filepath.Join("testdata/styleguide", name+".webp") }
	for _, form := range []struct {
		name, scheme, dir string
		width             int64
		opens             string // a script
	}{{"light", "light", "ltr", 1280, "true"}, {"dark", "dark", "ltr", 1280, "true"},
		{"rtl", "light", "rtl", 1280, "true"},
		{"open", "light", "ltr", 1280, opensFolded}, {"open-phone", "dark", "ltr", 390, opensFolded},
		{"palette", "light", "ltr", 1280, opensPalette}, {"picker", "dark", "ltr", 1280, opensPicker},
		{"phone", "light", "ltr", 390, "true"}} {
		b.do(chromedp.EmulateViewport(form.width, 900))
		b.scheme(form.scheme)
		b.open("/styleguide?ok=saved")
		eval[string](b, fmt.Sprintf("document.dir = %q", form.dir))
		b.eventually("String("+form.opens+")", "true")
		got := b.picture(t, "")
		if *renewPictures {
			keep(t, got, stored(form.name))
			continue
		}
		if sections := b.differ(t, got, stored(form.name)); len(sections) > 0 {
			file := filepath.Join(".build", "styleguide", form.name+".webp")
			keep(t, got, filepath.Join("../..", file))
			t.Errorf("%s: the style guide is not as in its picture: %s. If %s is as it should be, run make styleguide-pictures.",
				form.name, strings.Join(sections, ", "), file)
		}
	}
	if *renewPictures {
		return
	}
	// The comparison finds small changes of tokens and spaces, and a missing icon.
	for _, change := range []struct{ css, section string }{
		{":root { --good: #14713f }", "States"}, {":root { --radius-m: 7px }", "Buttons"},
		{":root { --text-s: .87rem }", "Fields"}, {".actions { gap: .4375rem }", "Buttons"},
		{".empty .icon { visibility: hidden }", "Empty list"},
	} {
		sections := b.differ(t, b.picture(t, change.css), stored("phone"))
		if !slices.ContainsFunc(sections, func(s string) bool { return strings.HasPrefix(s, change.section) }) {
			t.Errorf("with %s these differ: %q", change.css, sections)
		}
	}
}

// differ lists the sections of the style guide in which a picture is not as the stored one.
func (b *tab) differ(t *testing.T, got *image.RGBA, stored string) (sections []string) {
	t.Helper()
	file, err := os.ReadFile(stored)
	must.Do(t, err)
	want := decoded(t, file)
	if got.Bounds() != want.Bounds() {
		sections = append(sections, fmt.Sprintf("the page is %v, not %v", got.Bounds().Size(), want.Bounds().Size()))
	}
	both := got.Bounds().Intersect(want.Bounds())
	for _, s := range eval[[]struct {
		Name                     string
		Left, Top, Right, Bottom int
	}](b, `[...document.querySelectorAll("header, nav.side, main > *, dialog")].map((e) => {
		const { left, top, right, bottom } = e.getBoundingClientRect();
		return {
			name: e.querySelector("h2")?.textContent || e.className,
			left: Math.floor(left), top: Math.floor(top + scrollY), right: Math.ceil(right), bottom: Math.ceil(bottom + scrollY),
		};
	})`) {
		if n := unlike(got, want, image.Rect(s.Left, s.Top, s.Right, s.Bottom).Intersect(both)); n > 4 {
			sections = append(sections, fmt.Sprintf("%s (%d pixels)", s.Name, n))
		}
	}
	return sections
}

// unlike counts the pixels that differ by more than rounding.
func unlike(a, b *image.RGBA, within image.Rectangle) (n int) {
	for y := within.Min.Y; y < within.Max.Y; y++ {
		for x := within.Min.X; x < within.Max.X; x++ {
			p, q := a.RGBAAt(x, y), b.RGBAAt(x, y)
			if max(p.R, q.R)-min(p.R, q.R) > 3 || max(p.G, q.G)-min(p.G, q.G) > 3 || max(p.B, q.B)-min(p.B, q.B) > 3 {
				n++
			}
		}
	}
	return n
}

func decoded(t *testing.T, file []byte) *image.RGBA {
	t.Helper()
	picture, _, err := image.Decode(bytes.NewReader(file))
	must.Do(t, err)
	plain := image.NewRGBA(picture.Bounds())
	draw.Draw(plain, plain.Bounds(), picture, image.Point{}, draw.Src)
	return plain
}

// picture draws the page, with a style sheet on top.
func (b *tab) picture(t *testing.T, css string) *image.RGBA {
	t.Helper()
	size, err := chromedp.Run(b.ctx,
		chromedp.Evaluate[[]float64](fmt.Sprintf("%s(%q)", drawn, css), chromedp.EvalAwaitPromise))
	must.Do(t, err)
	shot, err := chromedp.Run(b.ctx, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		all := page.Viewport{Width: size[0], Height: size[1], Scale: 1}
		beyond := true
		shot, err := cdp.Call(ctx, t, page.CaptureScreenshot,
			page.CaptureScreenshotParams{Clip: &all, CaptureBeyondViewport: &beyond})
		return shot.Data, err
	})
	must.Do(t, err)
	return decoded(t, shot)
}

func keep(t *testing.T, picture image.Image, path string) {
	t.Helper()
	var file bytes.Buffer
	must.Do(t, nativewebp.Encode(&file, picture, nil))
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, file.Bytes(), 0o644))
}
