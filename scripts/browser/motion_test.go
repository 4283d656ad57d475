package browser

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestBrowserMotion: nothing on a page moves for longer than 150 ms, and nothing at all moves where the browser says
// that people want no motion.
func TestBrowserMotion(t *testing.T) {
	s, at := desk(t)
	b := s.openTab()
	for _, wish := range []string{"no-preference", "reduce"} {
		b.prefers(&emulation.MediaFeature{Name: "prefers-reduced-motion", Value: wish})
		b.open(at)
		b.writesMarkdown("data.body")
		longest := `Math.max(...[...document.querySelectorAll("*")].flatMap((e) => ["", "::before", "::after"].map((part) => {
			const style = getComputedStyle(e, part), ms = (times) => Math.max(...times.split(",").map((time) =>
				(parseFloat(time) || 0) * (time.endsWith("ms") ? 1 : 1000)));
			return Math.max(ms(style.transitionDuration), style.animationName === "none" ? 0 : ms(style.animationDuration));
		})))`
		if ms := eval[float64](b, longest); ms > 150 || (ms > 0) != (wish == "no-preference") {
			t.Errorf("with the wish %q for motion the longest takes %g ms", wish, ms)
		}
	}
}
