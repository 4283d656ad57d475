package browser

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserGallery drops files, writes their texts in the grid, sets a focal point and looks
// where a file is used.
func TestBrowserGallery(t *testing.T) {
	s, files := library(t)
	s.call("POST", "/models/posts/entries", obj{"title": "With a cover", "data": obj{"cover": files[0]}})
	b := s.openTab()
	b.press("//nav", "Media")
	b.see("lamp-n.png")
	got := eval[string](b,
		`[...document.querySelectorAll(".grid img")].map(i => new URL(i.src).searchParams.get("w")).join()`)
	if got != strings.Repeat("320,", 13)+"320" {
		t.Errorf("the pictures are %s wide", got)
	}
	b.audit(t, "grid")
	eval[bool](b, `(() => {
		const data = new DataTransfer();
		for (const name of ["one.txt", "two.txt"]) data.items.add(new File([name], name, { type: "text/plain" }));
		document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
		return true;
	})()`)
	b.see("Created.")
	b.see("two.txt")

	b.press("//nav", "No alternative text")
	b.see("1–14 of 14")
	b.do(chromedp.SendKeys(chromedp.CSS("#alt-"+files[13]), "A lamp\t"))
	b.see("Saved.")
	b.do(chromedp.Reload())
	b.see("1–13 of 13")
	b.press("//nav", "Trash")
	b.see("The trash is empty")
	b.press("//nav", "Media")
	b.see("1–13 of 13") // as it was left
	b.press("//main", "Clear filters")
	b.press("//nav", "Unused")
	b.see("1–15 of 15")
	b.missing("lamp-a.png")

	b.open("/media/" + files[0])
	b.see("With a cover (Posts: Cover)")
	b.press("//main", "Delete")
	b.see("These places show nothing in its stead.")
	for code, name := range map[string]string{"de": "German", "ar": "Arabic"} {
		s.call("POST", "/locales", obj{"code": code, "name": name})
	}
	b.press("//main", "Edit")
	b.press("//main", "Alternative text in 2 other languages")
	b.fill("alts.de", "Eine Lampe")
	b.do(mouseClick(chromedp.CSS("img.focal")))
	b.eventually(`document.querySelector("[name=focal]").value`, "0.5, 0.5")
	b.do(chromedp.SendKeys(chromedp.CSS("[name=focal]"), ""))
	b.audit(t, "focal point")
	b.press("//main", "Save")
	b.see("Saved.")
	b.see("Alternative text in German")
	if file := b.call("GET", "/media/"+files[0], nil); file["focal"] == nil ||
		fmt.Sprint(file["alts"]) != "map[de:Eine Lampe]" {
		t.Errorf("the focal point %v and the texts %v are kept", file["focal"], file["alts"])
	}
	b.scheme("dark")
	b.do(chromedp.EmulateViewport(390, 800))
	b.open("/media/" + files[0])
	b.audit(t, "file")
}

// TestBrowserGalleryWithoutScripts uploads, writes a text and replaces the content under the same
// id.
func TestBrowserGalleryWithoutScripts(t *testing.T) {
	s := newSite(t)
	id := s.upload("lamp.png", color.RGBA{200, 120, 90, 255})
	b := s.openPlainTab()
	b.press("//nav", "Media")
	b.files(map[string][]byte{"a.txt": []byte("a")}, "a.txt")
	b.press("//main", "Upload")
	b.see("Created.")
	b.open("/media")
	b.do(chromedp.SendKeys(chromedp.CSS("#alt-"+id), "A lamp"))
	b.press("//main", "Save")
	b.see("Saved.")
	b.see("a.txt")
	if alt := b.call("GET", "/media/"+id, nil)["alt"]; alt != "A lamp" {
		t.Errorf("the alternative text is %v", alt)
	}
	b.click(`//main//span[.="a.txt"]`)
	b.press("//main", "Replace content")
	b.files(map[string][]byte{"b.txt": []byte("bb")}, "b.txt")
	b.press("//main", "Replace")
	b.see("Saved.")
	b.see("2 B")
}
