package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserFileTags gives tags to several files, takes that back, and finds files by their tags.
func TestBrowserFileTags(t *testing.T) {
	for name, scripts := range map[string]bool{"scripts": true, "no scripts": false} {
		t.Run(name, func(t *testing.T) {
			s, files := library(t)
			s.call("PUT", "/media/"+files[0], obj{"tags": []string{"old"}})
			b := s.openTabWith(scripts)
			tags := func(i int) string { return fmt.Sprint(s.call("GET", "/media/"+files[i], nil)["tags"]) }
			choose := func() {
				b.open("/media")
				for _, id := range files[:2] {
					b.do(mouseClick(chromedp.CSS(".pick-file[value='" + id + "']")))
				}
			}
			choose()
			b.do(chromedp.SendKeys(chromedp.CSS("#bulk [name=tags]"), "Summer, old"))
			if scripts {
				b.audit(t, "tags of several files")
			}
			b.press("//form[@id='bulk']", "Add tags")
			b.see("Saved.")
			if got := tags(0) + tags(1); got != "[old Summer][Summer old]" {
				t.Errorf("the tags are %s", got)
			}
			b.press("//main", "Undo")
			b.eventually(`String(document.querySelector(".notice.good")?.querySelector("form"))`, "null")
			if got := tags(0) + tags(1); got != "[old][]" {
				t.Errorf("the tags are %s after Undo", got)
			}
			choose()
			b.do(chromedp.SendKeys(chromedp.CSS("#bulk [name=tags]"), "Summer"))
			b.press("//form[@id='bulk']", "Add tags")
			b.see("Saved.")
			b.do(chromedp.SetValue(chromedp.CSS("[name='filter[tag]']"), "Summer"))
			if !scripts { // a script acts at once
				b.press("//main", "Filter")
			}
			b.see("1–2 of 2")
			b.open("/media?q=Summ")
			b.see("1–2 of 2")
			b.open("/media/" + files[1] + "/edit")
			b.see("In use: old, Summer.")
			b.fill("tags", "Winter")
			b.press("//main", "Save")
			b.see("Winter")
			if got := tags(1); got != "[Winter]" {
				t.Errorf("the tags are %s", got)
			}
		})
	}
}
