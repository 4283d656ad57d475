package browser

import (
	"context"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"headless/pkg/must"
)

// TestPictures makes the pictures of the guide for editors. `make guide-pictures` runs it.
func TestPictures(t *testing.T) {
	folder := os.Getenv("GUIDE_PICTURES")
	if folder == "" {
		t.Skip("GUIDE_PICTURES names no folder")
	}
	s := newSite(t)
	s.call("POST", "/locales", obj{"code": "de", "name": "German"})
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "localized": true,
		"fields": []obj{
			{"name": "cover", "label": "Cover", "type": "media", "mimes": []string{"image/*"}},
			{"name": "body", "label": "Text", "type": "richtext"},
			{"name": "teaser", "label": "Teaser", "type": "textarea"},
		}})
	var covers []string
	for i, name := range []string{"oil-lamp.png", "workbench.png", "walnut.png", "window.png"} {
		covers = append(covers, s.upload(name, color.RGBA{uint8(220 - 45*i), uint8(120 + 25*i), uint8(70 + 40*i), 255}))
	}
	var at string
	for i, title := range []string{"Why we oil and never varnish", "A lamp for the north wall",
		"Visit the workshop", "How walnut ages"} {
		status := []string{"published", "published", "draft", "published"}[i]
		e := s.made("/models/posts/entries",
			obj{"title": title, "status": status, "data": obj{
				"cover": covers[i], "teaser": "Oil goes into the wood and lets it breathe.",
				"body": "## Oil\n\nOil goes into the wood. It dries *slowly*, and can be renewed at any time.",
			}})
		if i == 0 {
			at = "/models/posts/entries/" + e
			s.call("POST", "/models/posts/entries", obj{"title": "Warum wir ölen", "locale": "de", "translation_of": e})
		}
	}
	s.call("PUT", at+"/draft", obj{"data": obj{"teaser": "Oil goes deep into the wood and lets it breathe for years."}})

	s.call("POST", at+"/review", obj{"note": "For the newsletter on Monday"})
	s.call("POST", at+"/comments", obj{"text": "For years? Say how many.", "field": "data.teaser",
		"quote": "breathe for years"})

	reviewer := s.colleague("Jonas", "jonas@example.com")
	b := s.openTab()
	for _, shown := range []*tab{b, reviewer} {
		shown.do(chromedp.EmulateViewport(1000, 640))
	}
	take := func(b *tab, name string) {
		t.Helper()
		picture, err := chromedp.Run(b.ctx, webp())
		must.Do(t, err)
		must.Do(t, os.WriteFile(filepath.Join(folder, "guide-"+name+".webp"), picture, 0o644))
	}
	for _, p := range []struct{ name, path string }{
		{"home", "/"}, {"list", "/models/posts/entries"}, {"entry", at},
		{"changes", at + "/draft"}, {"media", "/media"},
	} {
		b.open(p.path)
		b.see("")
		b.writesMarkdown("data.body") // waits for the editor, if there is one
		take(b, p.name)
	}
	reviewer.open("/") // so that the next page has its font at once; a page goes without it if it comes late
	reviewer.see("Tasks")
	reviewer.open(at + "/review")
	reviewer.see("nobody yet")
	take(reviewer, "review")
	b.open(at)
	b.press("//div[@class='talk']", "1 comment")
	b.see("Say how many.")
	eval[bool](b, `document.getElementById("f-data.teaser").scrollIntoView({ block: "center" }), true`)
	take(b, "comments")
}

// webp is the page as a small picture.
func webp() chromedp.Action[[]byte] {
	return func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		quality := int64(55)
		shot, err := cdp.Call(ctx, t, page.CaptureScreenshot,
			page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatWebp, Quality: &quality})
		return shot.Data, err
	}
}
