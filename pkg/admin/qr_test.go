package admin_test

import (
	"image"
	"image/color"
	"image/draw"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	reader "github.com/piglig/go-qr"

	"headless/pkg/admin/ui"
	"headless/pkg/must"
)

var (
	drawing   = regexp.MustCompile(`<svg role="img" [^>]*viewBox="0 0 (\d+) (\d+)".*?</svg>`)
	pathOf    = regexp.MustCompile(`<path fill="(#000|#fff)" d="([^"]+)"/>`)
	rectangle = regexp.MustCompile(`M(\d+) (\d+)h(\d+)v(\d+)`)
)

// readQR returns the text of the QR code in HTML. It looks at the drawing on a black page with a reader that shares no
// code with what made it.
func readQR(t *testing.T, html string) string {
	t.Helper()
	svg := drawing.FindStringSubmatch(html)
	if svg == nil {
		t.Fatalf("no QR code in %s", html)
	}
	at := func(text string) int {
		n, err := strconv.Atoi(text)
		must.Do(t, err)
		return 5 * n
	}
	picture := image.NewGray(image.Rect(0, 0, at(svg[1]), at(svg[2])))
	for _, path := range pathOf.FindAllStringSubmatch(svg[0], -1) {
		fill := color.Black
		if path[1] == "#fff" {
			fill = color.White
		}
		for _, r := range rectangle.FindAllStringSubmatch(path[2], -1) {
			x, y := at(r[1]), at(r[2])
			draw.Draw(picture, image.Rect(x, y, x+at(r[3]), y+at(r[4])), image.NewUniform(fill), image.Point{}, draw.Src)
		}
	}
	text, err := reader.Decode(picture)
	if err != nil {
		t.Fatalf("the QR code cannot be read: %v", err)
	}
	return text
}

// TestSecondFactorIsScanned: the page of a new second factor had its address as text only, to be typed into a phone.
func TestSecondFactorIsScanned(t *testing.T) {
	s := newSite(t)
	b := s.browse(t)
	a := b.post(t, "/totp", url.Values{"_csrf": {b.get(t, "/totp").csrf(t)}, "password": {password}})
	shown := readQR(t, a.Body.String())
	uri, err := url.Parse(shown)
	if err != nil || uri.Scheme != "otpauth" || uri.Path != "/Headless:"+adminEmail ||
		!contains(a, ">"+uri.Query().Get("secret")+"</code>") {
		t.Errorf("the QR code says %q, the page %s", shown, a.Body)
	}
	typed := url.Values{"_csrf": {a.csrf(t)}, "secret": {uri.Query().Get("secret")}, "secret_uri": {shown}, "code": {"1"}}
	if again := readQR(t, b.post(t, "/totp/confirm", typed).Body.String()); again != shown {
		t.Errorf("after a wrong code: %q", again)
	}
	typed.Set("secret_uri", strings.Repeat("x", 5000))
	if a := b.post(t, "/totp/confirm", typed); a.Code != 422 || drawing.MatchString(a.Body.String()) {
		t.Errorf("an address that is too long for a QR code: %d %s", a.Code, a.Body)
	}
}

// TestQRHasMargin: readers need 4 light modules around the code.
func TestQRHasMargin(t *testing.T) {
	code := ui.NewQR("otpauth://totp/Headless")
	for _, r := range rectangle.FindAllStringSubmatch(code.Path, -1) {
		x, _ := strconv.Atoi(r[1])
		y, _ := strconv.Atoi(r[2])
		width, _ := strconv.Atoi(r[3])
		if x < 4 || y < 4 || x+width > code.Size-4 || y > code.Size-5 {
			t.Errorf("a module at %s", r[0])
		}
	}
}
