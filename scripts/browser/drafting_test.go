package browser

import (
	"fmt"
	"image/color"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
)

// talks is a model whose entries need a day, a number and a picture when they are published.
func talks(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "talks", "name": "Talks", "fields": []obj{
		{"name": "day", "label": "Day", "type": "date", "required": true},
		{"name": "seats", "label": "Seats", "type": "number", "required": true},
		{"name": "cover", "label": "Cover", "type": "media"},
	}})
	return s
}

// byHand keeps this page and those that follow from making an entry of what is typed, as they do a moment later: a slow
// test would no longer find the button.
func (b *tab) byHand() {
	b.t.Helper()
	const off = `typeof isNew === "function" && isNew() && (save = async () => {})`
	b.inject(`addEventListener("DOMContentLoaded", () => ` + off + `)`)
	eval[bool](b, off+", true")
}

// TestBrowserIncompleteDraft begins an entry with its title alone, although it needs more.
func TestBrowserIncompleteDraft(t *testing.T) {
	b := talks(t).openTab("/models/talks/entries/create")
	b.byHand()
	b.fill("title", "Light")
	b.press("//main", "Create entry")
	b.see("Created.")
	b.press("//main", "Publish")
	b.see("Day: is required")
	if path := eval[string](b, "location.pathname"); path[len(path)-6:] == "/draft" {
		t.Errorf("the refused form stands at %s", path)
	}
	b.eventually(`[...document.querySelectorAll(".views .tabs li")].pop().textContent`, "Review")
	b.audit(t, "refused")
	b.fill("data.seats", "20")
	b.eventually(`String(document.getElementById("problems").innerText.includes("Seats"))`, "false")
	b.missing("Seats: is required")
	b.see("Day: is required")
}

// TestBrowserChoiceSaves chooses a picture and nothing else: that is saved like anything typed.
func TestBrowserChoiceSaves(t *testing.T) {
	s := talks(t)
	id := s.upload("lamp.png", color.White)
	at := "/models/talks/entries/" + s.made("/models/talks/entries?draft=true", obj{"title": "Light"})
	b := s.openTab(at)
	b.do(mouseClick(chromedp.CSS(`button[data-source]`)))
	b.click(`//dialog//button[contains(., "lamp.png")]`)
	b.see("Saved ")
	data := s.call("GET", at+"/draft", nil)["data"].(obj)
	if data["cover"] != id {
		t.Errorf("the draft has the cover %v, chosen was %s", data["cover"], id)
	}
}

// TestBrowserSlugFromTitle makes a slug anew in the language of the entry.
func TestBrowserSlugFromTitle(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/locales", obj{"code": "de", "name": "German"})
	s.call("POST", "/models", obj{"slug": "talks", "name": "Talks", "localized": true})
	at := "/models/talks/entries/" + s.made("/models/talks/entries", obj{"title": "Lamps", "locale": "de"})
	b := s.openTab(at)
	b.fill("title", "Für Öfen")
	b.press("//main", "From the title")
	b.eventually(`document.querySelector("main [name=slug]").value`, "fuer-oefen")
	b.see("Saved ")
	b.eventually(`document.querySelector("h1").textContent + document.title.split(" · ")[0]`, "Für ÖfenFür Öfen")
}

// TestBrowserLeaveSaves leaves a page right after typing: the text is saved, and nobody is
// asked.
func TestBrowserLeaveSaves(t *testing.T) {
	_, _, b := openDesk(t)
	b.see("Publish changes")
	b.fill("data.teaser", "Typed last")
	b.press("//main", "changed, not live")
	b.see("Not published yet")
	b.see("Typed last")
}

// TestBrowserNewEntryKept types the title of a new entry and closes the tab: it is a draft by then.
func TestBrowserNewEntryKept(t *testing.T) {
	s := talks(t)
	b := s.openTab("/models/talks/entries/create")
	b.fill("title", "Kept by itself")
	b.see("Saved ")
	b.fill("data.seats", "7")
	b.eventually("String(location.pathname.endsWith('/create'))", "false")
	at := eval[string](b, "location.pathname")[len("/admin"):]
	b.until("the draft has the number", func() bool {
		return fmt.Sprint(s.call("GET", at+"/draft/edit", nil)["data"].(obj)["seats"]) == "7"
	})
	b.audit(t, "begun")
	b.open(at)
	b.eventually(`document.querySelector("main [name=title]").value`, "Kept by itself")
}

// TestBrowserSavesAfterRefusal types while the service is down or has too much to do: the page says so, and saves
// without another key once the service answers again. This holds for a new entry too.
func TestBrowserSavesAfterRefusal(t *testing.T) {
	for _, status := range []int64{http.StatusServiceUnavailable, http.StatusTooManyRequests} {
		t.Run(http.StatusText(int(status)), func(t *testing.T) {
			s := talks(t)
			b := s.openTab("/models/talks/entries/create")
			b.asks.Store(true) // refusals are expected
			refused := func(name, text string) {
				s.refusal.Store(status)
				b.fill(name, text)
				b.see("Not saved: Try again in a moment.")
				s.refusal.Store(0)
				b.see("Saved ")
			}
			refused("title", "Begun in a storm")
			at := eval[string](b, "location.pathname")[len("/admin"):]
			refused("title", "Saved in a storm")
			if title := s.call("GET", at+"/draft/edit", nil)["title"]; title != "Saved in a storm" {
				t.Errorf("the draft has the title %v", title)
			}
		})
	}
}

// TestBrowserEntryOnPhone: the buttons of an entry stay in sight while one writes.
func TestBrowserEntryOnPhone(t *testing.T) {
	b := lists(t).openTab()
	b.do(chromedp.EmulateViewport(390, 844))
	b.open("/models/posts/entries/create")
	b.audit(t, "new entry on a phone")
	b.see("Publish")
	b.eventually(`(scrollTo(0, document.body.scrollHeight), String(scrollY > 200 && (({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector("button[name=_then]").getBoundingClientRect())))`,
		"true")
}

// TestBrowserTitleOnPhone: the title field of an entry begins within the first 200 px, without
// JavaScript too, and what left the bar for it is in its menu.
func TestBrowserTitleOnPhone(t *testing.T) {
	s, at, _ := previewDesk(t)
	for _, scripts := range []bool{true, false} {
		b := s.openTabWith(scripts)
		b.do(chromedp.EmulateViewport(390, 844))
		b.open(at)
		b.see("Publish changes")
		b.snap(fmt.Sprint("phone-entry-", scripts))
		if top := eval[float64](b, `document.getElementById("f-title").getBoundingClientRect().top`); top > 200 {
			t.Errorf("scripts %v: the title begins at %g px", scripts, top)
		}
		if wide := eval[int](b, "document.documentElement.scrollWidth"); wide > 390 {
			t.Errorf("scripts %v: the page is %d wide", scripts, wide)
		}
		b.press("//main", "⋯")
		b.snap(fmt.Sprint("phone-menu-", scripts))
		b.audit(t, "entry on a phone")
		b.press("//*[contains(@class, 'menu')]", "History")
		b.see("What this version changed")
		b.snap(fmt.Sprint("phone-history-", scripts))
		b.open("/models/posts/entries/create")
		b.snap(fmt.Sprint("phone-new-", scripts))
	}
}

// TestBrowserCopyHangs publishes although the browser does not answer when the page keeps its copy on the device.
func TestBrowserCopyHangs(t *testing.T) {
	s := lists(t)
	b := s.openTab()
	id := s.made("/models/posts/entries", obj{"title": "Heron"})
	b.open("/models/posts/entries/" + id + "/edit")
	eval[bool](b, `(IDBObjectStore.prototype.put = () => ({}), true)`)
	b.press("//main", "Publish")
	b.see("Published: everybody can read it.")
}
