package browser

import (
	"encoding/json"
	"image/color"
	"net/http"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"

	"headless/pkg/must"
)

// TestBrowserDemoSite walks through the example site as a visitor does, and looks at a draft as an
// editor does.
func TestBrowserDemoSite(t *testing.T) {
	s := newSiteWith(t, "demo")
	b := s.newTab()
	b.visit("/site/")
	b.see("Heron is sold out until autumn")
	b.see("Lumen & Oak")
	b.missing("Why we oil and never varnish")
	b.press("//main", "Load more")
	b.see("Why we oil and never varnish")
	b.missing("Load more")
	b.eventually(`[...document.images].every((i) => { const at = new URL(i.currentSrc); return at.searchParams.has("w") && i.srcset.includes("w=1024"); }) ? "all" : ""`,
		"all")
	b.audit(t, "list")

	b.do(chromedp.SendKeys(chromedp.CSS("#search input"), "ash steam\r"))
	b.see("1 found")
	b.press("//main", "Steaming ash without losing your temper")
	b.see("breaks")
	b.eventually(`document.querySelector("main img").naturalWidth > 0 ? "shown" : ""`, "shown")
	b.audit(t, "post")

	b.visit("/site/?post=why-we-oil")
	b.see("Once a year")
	b.press("//nav", "Deutsch")
	b.see("Einmal im Jahr")
	b.eventually(`document.documentElement.lang`, "de")
	b.press("//header", "Lumen & Oak")
	b.see("Tag der offenen Werkstatt im Juni")

	b.press("//footer", "Contact")
	b.see("What is it about?")
	b.audit(t, "form")
	b.fill("name", "Ada")
	b.fill("email", "ada@example.com")
	b.fill("message", "Is the Heron back?")
	eval[string](b, `document.querySelector("[name=topic]").value = "An order"`)
	b.press("//main", "Send")
	b.see("Thank you! We answer within two working days.")

	t.Run("preview", func(t *testing.T) {
		id := s.deliveredID("/posts/why-we-oil")
		dot := "![A red dot](cms://media/" + s.upload("dot.png", color.RGBA{200, 20, 20, 255}) + ")"
		s.call("PUT", "/models/posts/entries/"+id+"/draft", obj{"title": "Why we wax", "data": obj{"body": dot}})
		link, _ := s.call("POST", "/models/posts/entries/"+id+"/preview", obj{})["url"].(string)
		at, err := url.Parse(link)
		must.Do(t, err)
		b.visit(at.RequestURI())
		b.see("this page shows a draft. · leave")
		b.see("Why we wax")
		b.eventually(`String(document.querySelector("main img[alt='A red dot']")?.naturalWidth > 0)`, "true")
		b.visit("/site/?post=why-we-oil")
		b.see("Why we oil and never varnish")

		unfinished := s.made("/models/posts/entries?draft=true", obj{"title": "Without a date"})
		made := s.call("POST", "/previews", obj{"drafts": true})
		if at, err = url.Parse(made["url"].(string)); err != nil {
			t.Fatal(err)
		}
		b.visit(at.RequestURI())
		b.see("Preview of all drafts · ")
		b.audit(t, "the site as it will be")
		b.visit(at.RequestURI() + "&post=" + s.call("GET", "/models/posts/entries/"+unfinished, nil)["slug"].(string))
		b.see("Without a date")
		b.missing("Invalid Date")
		b.visit(at.RequestURI() + "&post=why-we-oil")
		b.see("Why we wax")
		reviewer := s.newTab() // on a phone, without an account
		reviewer.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
		for _, page := range []string{"", "&post=why-we-oil", "&page=home"} {
			reviewer.visit(at.RequestURI() + page)
			reviewer.see("Preview of all drafts · ")
			reviewer.audit(t, "the site as it will be on a phone"+page)
			if wide := eval[int](reviewer, "document.documentElement.scrollWidth"); wide > 390 {
				t.Errorf("%q is %d px wide on a phone", page, wide)
			}
		}
		reviewer.eventually(`String(Boolean(window.cms) && document.readyState === "complete")`, "true")
		eval[int](reviewer, `requestIdleCallback(() => { window.idle = true; })`) // after the script, which begins then, too
		reviewer.eventually("String(window.idle)", "true")
		if opened := eval[string](reviewer, `(() => {
			let opened = "";
			window.open = (address) => { opened = address; };
			for (const e of document.querySelectorAll("main *")) if (e.localName !== "a") e.click();
			return opened + (document.querySelector("[data-cms-field]")?.outerHTML ?? "");
		})()`); opened != "" {
			t.Errorf("a tap of a reviewer opens %s", opened)
		}
		reviewer.asks.Store(true)
		reviewer.visit("/site/?ahead=ended&post=why-we-oil")
		reviewer.see("This preview link has ended.")
		reviewer.press("//main", "leave")
		reviewer.see("Why we oil and never varnish")
		b.press("//main", "leave")
		b.see("Why we oil and never varnish")

		home := "/models/home/entries/" + s.deliveredID("/home")
		s.call("PUT", home+"/draft", obj{"data": obj{"claim": "Lamps", "blocks": nil}})
		if at, err = url.Parse(s.call("POST", home+"/preview", obj{})["url"].(string)); err != nil {
			t.Fatal(err)
		}
		b.visit(at.RequestURI())
		b.eventually(`document.querySelector("main h1")?.textContent.startsWith("Lamps") ? "shown" : ""`, "shown")
	})
}

// deliveredID is the id of an entry, read as the example site does.
func (s *site) deliveredID(path string) string {
	s.t.Helper()
	var config struct{ Delivery string }
	s.read("/site/config.json", &config)
	var answer struct{ Data struct{ ID string } }
	s.read(config.Delivery+path, &answer)
	return answer.Data.ID
}

// read decodes the JSON at a public address.
func (s *site) read(path string, into any) {
	s.t.Helper()
	res, err := http.Get(s.url + path)
	must.Do(s.t, err)
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil || res.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s %v", path, res.Status, err)
	}
}

// visit opens a page outside of the admin area.
func (b *tab) visit(path string) { b.t.Helper(); b.do(chromedp.Navigate(b.url + path)) }
