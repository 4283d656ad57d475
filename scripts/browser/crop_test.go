package browser

import (
	"fmt"
	"image"
	"image/color"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"headless/pkg/assets/picture"
	"headless/pkg/assets/variant"
	"headless/pkg/cms"
)

// hues is a picture whose colours say where a pixel is.
func hues(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		x, y := i%width, i/width
		m.SetRGBA(x, y, color.RGBA{uint8(255 * x / width), uint8(255 * y / height), 128, 255})
	}
	return m
}

// TestBrowserCrop crops a picture by keys, by the mouse and to a shape, compares the previews with what the server
// cuts, saves, and takes it back.
func TestBrowserCrop(t *testing.T) {
	s := newSite(t)
	whole := hues(640, 400)
	id := s.uploadPicture("lamp.png", whole)
	b := s.openTab("/media/" + id + "/edit")
	numbers := `["x", "y", "width", "height"].map((key) => document.getElementById("f-crop." + key).value).join(" ")`
	b.eventually(numbers, "   ")
	b.previews(t, whole, nil, nil)

	b.focus(".grip[data-corner=lt]")
	for range 10 {
		b.keys(kb.ArrowRight)
	}
	b.eventually(numbers, "0.1 0 0.9 1")
	b.focus(".grip[data-corner=rb]")
	for range 20 {
		b.keys(kb.ArrowUp)
	}
	b.eventually(numbers, "0.1 0 0.9 0.8")
	b.focus(".crop-box")
	for range 5 {
		b.keys(kb.ArrowDown)
	}
	b.eventually(numbers, "0.1 0.05 0.9 0.8")
	b.previews(t, whole, &cms.Crop{X: 0.1, Y: 0.05, Width: 0.9, Height: 0.8}, nil)

	size := eval[[]float64](b,
		`(r => [r.width, r.height])(document.querySelector(".focus-point").getBoundingClientRect())`)
	x, y := b.middle(".grip[data-corner=rb]")
	b.pull(x, y, -size[0]/4, 0)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x-size[0]/4, y)
	b.eventually(numbers, "0.1 0.05 0.65 0.8")
	b.eventually(`document.querySelector("[name=focal]").value`, "")
	x, y = b.middle(".focus-point")
	b.pull(x, y, size[0]/10, 0)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x+size[0]/10, y)
	b.eventually(numbers, "0.2 0.05 0.65 0.8")

	b.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
	b.eventually(`document.querySelector("[name=focal]").value`, "0.4615, 0.5625")
	b.previews(t, whole, &cms.Crop{X: 0.2, Y: 0.05, Width: 0.65, Height: 0.8}, &cms.Focal{X: 0.4615, Y: 0.5625})
	b.audit(t, "crop")

	eval[bool](b, `(s => { s.value = "4:5"; return s.dispatchEvent(new Event("change")); })(document.getElementById("crop-shape"))`)
	b.eventually(numbers, "0.25 0 0.5 1")
	b.eventually(`document.querySelector("[name=focal]").value`, "0.5, 0.5")
	b.focus(".grip[data-corner=lt]")
	for range 10 {
		b.keys(kb.ArrowDown)
	}
	b.eventually(numbers, "0.3 0.1 0.45 0.9")
	b.press("//main", "Save")
	b.see("Saved.")
	crop := obj{"x": 0.3, "y": 0.1, "width": 0.45, "height": 0.9}
	if file := b.call("GET", "/media/"+id, nil); fmt.Sprint(file["crop"]) != fmt.Sprint(crop) || file["width"] != 288.0 ||
		fmt.Sprint(file["focal"]) != "map[x:0.4444 y:0.4444]" {
		t.Errorf("crop %v, focal point %v, width %v", file["crop"], file["focal"], file["width"])
	}
	b.press("//main", "Undo")
	b.until("the whole picture is shown again", func() bool {
		file := b.call("GET", "/media/"+id, nil)
		return file["crop"] == nil && file["focal"] == nil
	})

	s.call("PUT", "/media/"+id, obj{"crop": crop})
	b.scheme("dark")
	b.do(chromedp.EmulateViewport(390, 800))
	b.open("/media/" + id + "/edit")
	b.eventually(numbers, "0.3 0.1 0.45 0.9")
	b.audit(t, "crop, small and dark")
	eval[bool](b, `document.documentElement.dir = "rtl", true`)
	b.audit(t, "crop, from right to left")
	b.press("//main", "Whole picture")
	b.eventually(numbers, "   ")
	b.press("//main", "Save")
	b.see("Saved.")
	if file := b.call("GET", "/media/"+id, nil); file["crop"] != nil {
		t.Errorf("crop %v", file["crop"])
	}
}

// TestBrowserCropWithoutScripts writes a crop as numbers, wrong ones first, and empties them.
func TestBrowserCropWithoutScripts(t *testing.T) {
	s := newSite(t)
	id := s.uploadPicture("lamp.png", hues(64, 40))
	b := s.openPlainTab("/media/" + id + "/edit")
	for name, text := range map[string]string{"crop.x": "0.5", "crop.y": "0", "crop.width": "0.6", "crop.height": "1"} {
		b.fill(name, text)
	}
	b.press("//main", "Save")
	b.see("must be a number from 0.01 to what its start leaves of 1")
	b.fill("crop.width", "0.5")
	b.press("//main", "Save")
	b.see("Saved.")
	b.see("32 × 40")
	b.press("//main", "Edit")
	for _, name := range []string{"crop.x", "crop.y", "crop.width", "crop.height"} {
		b.fill(name, "")
	}
	b.press("//main", "Save")
	b.see("Saved.")
	b.see("64 × 40")
}

// TestBrowserCropRestored sends a crop without a connection and goes back: the picture shows the numbers that the
// browser restores, so that a drag goes on from them.
func TestBrowserCropRestored(t *testing.T) {
	s := newSite(t)
	b := s.openTab("/media/" + s.uploadPicture("lamp.png", hues(640, 400)) + "/edit")
	for _, field := range [][2]string{{"crop.x", "0.1"}, {"crop.y", "0"}, {"crop.width", "0.5"}, {"crop.height", "1"},
		{"focal", "0.25, 0.5"}} {
		b.fill(field[0], field[1])
	}
	b.broken.Store(true)
	s.down.Store(true)
	b.press("//main", "Save")
	b.eventually("location.protocol", "chrome-error:")
	s.down.Store(false)
	b.do(chromedp.NavigateBack())
	b.eventually(`document.querySelector("[name=focal]")?.value`, "0.25, 0.5")
	b.eventually(`["x", "width"].map((key) => document.querySelector(".crop-box").getAttribute(key)).join()`, "10%,50%")
	b.eventually(`document.querySelector(".focus-point circle").getAttribute("cx")`, "22.5%")
}

// focus moves the focus to an element.
func (b *tab) focus(selector string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, selector))
}

// previews compares each preview with what the server cuts from the whole picture.
func (b *tab) previews(t *testing.T, whole *image.RGBA, crop *cms.Crop, focal *cms.Focal) {
	t.Helper()
	b.eventually(`String(document.querySelector("img.focal").complete)`, "true")
	for i, shape := range [][2]int{{1600, 900}, {900, 900}, {720, 900}} {
		part := picture.NewPlan(640, 400, variant.Options{Width: shape[0], Height: shape[1], Cover: true, Crop: crop,
			Focal: focal}).Part
		for _, at := range []float64{0.1, 0.5, 0.9} {
			got := eval[[]int](b, fmt.Sprintf(`(c => {
				const pixel = new OffscreenCanvas(1, 1).getContext("2d");
				pixel.drawImage(c, -Math.floor(c.width * %g), -Math.floor(c.height * %g));
				return [...pixel.getImageData(0, 0, 1, 1).data];
			})(document.querySelectorAll(".cuts canvas")[%d])`, at, at, i))
			want := whole.RGBAAt(part.Min.X+int(at*float64(part.Dx())), part.Min.Y+int(at*float64(part.Dy())))
			if max(got[0]-int(want.R), int(want.R)-got[0], got[1]-int(want.G), int(want.G)-got[1]) > 3 {
				t.Errorf("crop %v, focal point %v, shape %v at %g: %v, not %v", crop, focal, shape, at, got, want)
			}
		}
	}
}

// TestBrowserCropOfThinPicture: the corners of a crop that has no room for them lie beside it, where each is grabbed.
func TestBrowserCropOfThinPicture(t *testing.T) {
	s := newSite(t)
	b := s.openTab()
	const hidden = `[...document.querySelectorAll(".grip")].filter((grip) => {
		const { x, y, width, height } = grip.getBoundingClientRect();
		return ![0.1, 0.9].every((at) => document.elementFromPoint(x + width * at, y + height * at)?.closest(".grip") === grip);
	}).map((grip) => grip.dataset.corner).join()`
	for _, width := range []int64{1280, 390} {
		b.do(chromedp.EmulateViewport(width, 900))
		for _, size := range [][2]int{{2000, 8}, {8, 2000}, {640, 400}} {
			name := fmt.Sprintf("%dx%d-%d.png", size[0], size[1], width)
			id := s.uploadPicture(name, hues(size[0], size[1]))
			s.call("PUT", "/media/"+id, obj{"crop": obj{"x": 0, "y": 0.5, "width": 0.5, "height": 0.02}})
			b.open("/media/" + id + "/edit")
			b.eventually(`String(document.querySelector("img.focal").complete)`, "true")
			eval[bool](b, `(document.querySelector(".focus-point").scrollIntoView({ block: "center" }), true)`)
			b.snap("crop-" + name)
			b.eventually(hidden, "")
			if got := eval[int64](b, "document.documentElement.scrollWidth"); got > width {
				t.Errorf("%s: the page is %d wide", name, got)
			}
		}
	}
	id := s.uploadPicture("line.png", hues(2000, 8))
	b.do(chromedp.EmulateViewport(1280, 900))
	b.open("/media/" + id + "/edit")
	b.eventually(`document.querySelector(".focus-point.thin .grip")?.dataset.corner`, "lt")
	x, y := b.middle(".grip[data-corner=lt]")
	wide := eval[float64](b, `document.querySelector("img.focal").getBoundingClientRect().width`)
	b.pull(x, y, wide/4, 0)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x+wide/4, y)
	b.eventually(`document.getElementById("f-crop.x").value`, "0.25")
}
