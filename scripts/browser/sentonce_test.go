package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserSentOnce clicks a button several times while its form is being sent: one thing is made. A form that comes
// back can be sent again.
func TestBrowserSentOnce(t *testing.T) {
	s := newSite(t)
	b := s.openTab("/releases/create")
	at := eval[[2]float64](b,
		`(({ x, y }) => [x + 9, y + 9])(document.querySelector("main .primary").getBoundingClientRect())`)
	click := chromedp.MouseClickXY(at[0], at[1])
	b.fill("name", "Autumn")
	s.delay.Store(1000)
	b.do(click, click, click)
	b.see("Created.")
	s.delay.Store(0)
	b.do(chromedp.NavigateBack())
	b.see("Create release")
	b.fill("name", "Winter")
	b.do(click)
	b.see("Created.")
	b.open("/releases")
	if n := eval[int](b, `document.querySelectorAll("td.first").length`); n != 2 {
		t.Errorf("there are %d releases, not 2", n)
	}
}
