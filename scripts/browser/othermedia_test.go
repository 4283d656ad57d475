package browser

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestBrowserOtherMedia looks at a list on paper and in the colours of the system, at the edges of
// the calendar, and at a list on a phone.
func TestBrowserOtherMedia(t *testing.T) {
	s := films(t)
	s.call("POST", "/models/films/entries?draft=true", obj{"title": "Light", "data": obj{"length": 7}})
	b := s.openTab("/models/films/entries")
	b.prefers(&emulation.MediaFeature{Name: "forced-colors", Value: "active"})
	if !eval[bool](b, `(() => {
		const badge = document.querySelector("td .badge.warn"), dot = getComputedStyle(badge, "::before");
		return getComputedStyle(badge).borderTopWidth === "0px" && dot.forcedColorAdjust === "none";
	})()`) {
		t.Error("a state has a border that cuts its word, or a dot without its colour")
	}
	if !eval[bool](b, `getComputedStyle(document.querySelector(".side [aria-current]")).outlineStyle === "solid"`) {
		t.Error("only weight shows which page is open")
	}
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return err
	}))
	for _, tool := range []string{".side", ".tabs", ".filters", "td.tick", "td.buttons"} {
		if !eval[bool](b, `[...document.querySelectorAll("`+tool+`")].every((e) => !e.checkVisibility())`) {
			t.Errorf("%s is printed", tool)
		}
	}
	b.prefers()
	b.open("/planned")
	if !eval[bool](b, `(() => {
		const [grid, head] = [".calendar", "main > .head"].map((s) => document.querySelector(s).getBoundingClientRect());
		return grid.left >= head.left && grid.right <= head.right;
	})()`) {
		t.Error("the calendar is wider than its page")
	}
	b.do(chromedp.EmulateViewport(390, 844))
	b.open("/models")
	if !eval[bool](b, `[...document.querySelectorAll("td.first")].every((e) =>
		e.getBoundingClientRect().bottom <= e.nextElementSibling.getBoundingClientRect().top)`) {
		t.Error("a fact stands beside the name of a model")
	}
}
