package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// previewSite serves the example site in previewsite/ for the service, and gives its address.
func previewSite(t *testing.T, s *site) (address string) {
	t.Helper()
	key := s.call("POST", "/keys", obj{"kind": "publishable", "name": "Site"})["public_key"].(string)
	fill := strings.NewReplacer("{{cms}}", s.url, "{{key}}", key)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Base(r.URL.Path)
		if r.URL.Path == "/" {
			name = "index.html"
		}
		file, err := os.ReadFile("previewsite/" + name)
		if err != nil {
			w.WriteHeader(http.StatusNoContent) // the browser asks for an icon
			return
		}
		if path.Ext(name) == ".js" {
			w.Header().Set("Content-Type", "text/javascript")
		}
		_, _ = w.Write([]byte(fill.Replace(string(file)))) // the browser reads as much as it wants
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

// previewDesk is desk with a site that shows its posts.
func previewDesk(t *testing.T) (s *site, at, address string) {
	s, at = desk(t)
	address = previewSite(t, s)
	s.call("PUT", "/models/posts", obj{"preview_url": address + "/?locale={locale}&slug={slug}&preview={token}"})
	return s, at, address
}

// framed waits until an expression holds in the frame of the preview.
func (b *tab) framed(expression string) {
	b.t.Helper()
	b.until(expression, func() bool {
		ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
		defer cancel()
		frames, err := chromedp.Run(ctx, chromedp.Nodes(chromedp.CSS("iframe")))
		if err != nil {
			return false // the frame is being replaced
		}
		held, err := chromedp.Run(ctx,
			chromedp.Poll[bool](expression, chromedp.WithPollingInFrame(frames[0]),
				chromedp.WithPollingTimeout(2*time.Second)))
		return err == nil && held
	})
}

// shown waits until the frame shows a text.
func (b *tab) shown(text string) {
	b.t.Helper()
	b.framed(fmt.Sprintf("document.body.innerText.includes(%q)", text))
}

// clickOn clicks on a text of the site once its script is there.
func clickOn(field string) string {
	return fmt.Sprintf(`document.querySelector("[data-field='%s'][data-cms-field]").click() === undefined`, field)
}

// opens clicks on a text of the site until its field of the form has the focus: a page that is renewed at that moment
// loses the click. A field that can be typed in place opens after the time for a second click.
func (b *tab) opens(field string) {
	b.t.Helper()
	b.until("a click on "+field+" opens it", func() bool {
		b.framed(clickOn(field))
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
			if b.focusID() == "f-"+field {
				return true
			}
		}
		return false
	})
}

// typeOn types a text in place of another one on the site.
func typeOn(field, text string) string {
	return fmt.Sprintf(`(() => {
		const e = document.querySelector("[data-field='%s'][data-cms-field]");
		e.dispatchEvent(new MouseEvent("dblclick", { bubbles: true }));
		if (!e.isContentEditable) return false;
		e.textContent = %q;
		e.dispatchEvent(new InputEvent("input", { bubbles: true }));
		e.blur();
		return true;
	})()`, field, text)
}

// TestBrowserFrame writes beside the preview: it follows each save and shows unpublished content, a
// click in it leads to the field, and its widths and its share of the page are chosen by keys.
func TestBrowserFrame(t *testing.T) {
	s, at, address := previewDesk(t)
	b := s.openTab(at)
	b.press("//main", "Preview beside")
	b.shown("About *light*.")
	b.audit(t, "preview beside the form")
	b.fill("title", "Oil lamps") // saves by itself
	b.see("Saved ")
	b.shown("Oil lamps")
	if got := s.call("GET", at, nil)["title"]; got != "Lamps" {
		t.Errorf("readers see %q", got)
	}

	b.opens("data.body")

	b.opens("data.teaser")

	// Plain texts are typed in place, and saved as a draft.
	b.framed(typeOn("title", "Gas lamps"))
	b.eventually(`document.querySelector("[name=title]").value`, "Gas lamps")
	b.until("the draft", func() bool { return s.call("GET", at+"/draft", nil)["title"] == "Gas lamps" })
	if got := s.call("GET", at, nil)["title"]; got != "Lamps" {
		t.Errorf("readers see %q", got)
	}
	b.framed(`(() => { parent.postMessage({cms: "patch", model: "posts", id: "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f", field: "title", value: "Others"}, "*"); return true; })()`)
	b.opens("data.body")
	if got := b.value("title"); got != "Gas lamps" {
		t.Errorf("a text for another entry came into the form: %q", got)
	}

	b.press("//main", "Phone")
	if got := eval[int](b, `document.querySelector(".stage iframe").clientWidth`); got != 390 {
		t.Errorf("the phone is %d wide", got)
	}
	b.do(chromedp.Focus(chromedp.CSS(".divider")))
	before := eval[float64](b, `document.querySelector(".pane").clientWidth`)
	b.keys(kb.ArrowLeft)
	b.eventually(`document.querySelector(".divider").ariaValueNow`, "50")
	if now := eval[float64](b, `document.querySelector(".pane").clientWidth`); now <= before {
		t.Errorf("the pane is %g wide after %g", now, before)
	}
	b.open(at) // the choices are kept
	b.shown("Gas lamps")
	b.eventually(`document.querySelector(".divider").ariaValueNow + document.querySelector(".widths [aria-pressed=true]").textContent`,
		"50Phone")
	b.press("//main", "Preview beside")
	if eval[bool](b, `document.querySelector(".pane").checkVisibility()`) {
		t.Error("the pane is still there")
	}

	// Others may not move the form: a message of another origin is dropped.
	b.do(chromedp.Focus(chromedp.CSS("[name=title]")))
	eval[string](b,
		`window.postMessage({cms: "open", model: "posts", id: "`+path.Base(at)+`", field: "data.teaser"}, "*"); ""`)
	b.focused("f-title")
	policy := eval[string](b,
		`(() => { const r = new XMLHttpRequest(); r.open("GET", location.href, false); r.send(); return r.getResponseHeader("Content-Security-Policy"); })()`)
	if !strings.HasSuffix(policy, "; frame-src "+address) || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %s", policy)
	}
}

// TestBrowserFrameOpensByItself: the pane is open at first only where the form has enough room beside it.
func TestBrowserFrameOpensByItself(t *testing.T) {
	s, at, _ := previewDesk(t)
	b := s.openTab()
	for width, open := range map[int64]string{1680: "true", 1440: "false"} {
		b.do(chromedp.EmulateViewport(width, 900))
		b.open(at)
		b.see("Preview beside")
		b.eventually(`document.querySelector(".entry-bar [aria-expanded]").ariaExpanded`, open)
		b.eventually(`String(document.querySelector(".pane").checkVisibility())`, open)
	}
}

// TestBrowserFrameOnPhone opens the preview on a narrow screen, where it is below the form: the page goes there, and
// the menu is closed.
func TestBrowserFrameOnPhone(t *testing.T) {
	s, at, _ := previewDesk(t)
	b := s.openTab()
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.open(at)
	b.do(mouseClick(chromedp.CSS(".entry-bar details:has(.menu) > summary")))
	b.press("//main", "Preview beside")
	b.shown("About *light*.")
	b.eventually(`String(((r) => r.top >= document.querySelector(".entry-bar").getBoundingClientRect().bottom && r.top < 400)(
		document.querySelector(".pane").getBoundingClientRect()))`, "true")
	b.eventually(`String(document.querySelector(".entry-bar .menu").checkVisibility())`, "false")
	b.opens("data.teaser")
}

// TestBrowserFrameOfNewEntry writes a new entry, which is shown beside its form from its first save on.
func TestBrowserFrameOfNewEntry(t *testing.T) {
	s, _, _ := previewDesk(t)
	b := s.openTab("/models/posts/entries/create")
	b.fill("title", "A new post")
	b.fill("data.body", "Its text.")
	b.press("//main", "Preview beside")
	b.shown("A new post")
	b.fill("title", "A better title")
	b.shown("A better title")
}

// TestBrowserFramePage shows the preview on a page of its own; a click in it opens the form at the
// field.
func TestBrowserFramePage(t *testing.T) {
	s, at, _ := previewDesk(t)
	b := s.openTab(at + "/preview")
	b.shown("About *light*.")
	b.press("//main", "Tablet")
	b.audit(t, "preview page")
	b.opens("data.teaser")
	b.eventually("location.pathname", "/admin"+at+"/edit")
}

// TestBrowserFrameWithoutScripts leads to the preview by a link.
func TestBrowserFrameWithoutScripts(t *testing.T) {
	s, at, _ := previewDesk(t)
	b := s.openPlainTab(at)
	b.missing("Preview beside")
	b.press("//main", "Preview")
	b.eventually(`String(document.querySelectorAll(".preview iframe[src]").length)`, "1")
}

// TestBrowserFramePlainSite reloads a site that does not load the script.
func TestBrowserFramePlainSite(t *testing.T) {
	s, at := desk(t)
	var visits atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w,
			"<!doctype html><title>Site</title><link rel=icon href='data:,'>Visit %d.",
			visits.Add(1)) // the browser reads as much as it wants
	}))
	t.Cleanup(server.Close)
	s.call("PUT", "/models/posts",
		obj{"preview_url": strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/#/{id}?{token}"})
	b := s.openTab(at)
	b.press("//main", "Preview beside")
	b.shown("Visit 1.")
	b.fill("title", "Oil lamps")
	b.see("Saved ")
	b.framed("/Visit [2-9]/.test(document.body.innerText)") // more than once while one types slowly
}

// TestBrowserFrameworks: a page stays as it came until it is loaded, since frameworks compare it with what they
// would draw.
func TestBrowserFrameworks(t *testing.T) {
	s := newSite(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		// The browser reads as much as it wants.
		_, _ = fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><h1 data-cms="posts/%s#title">Lamps</h1>
<script>addEventListener("load", () => { document.body.dataset.early = document.querySelector("h1").attributes.length > 1; });</script>
<script src="%s/assets/preview.js" defer></script>`, "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f", s.url)
	}))
	t.Cleanup(server.Close)
	b := s.newTab()
	b.do(chromedp.Navigate(server.URL))
	b.eventually(`document.querySelector("h1").dataset.cmsField ?? ""`, "title")
	b.eventually(`document.body.dataset.early`, "false")
}

// TestBrowserFrameAfterFailure saves while the site does not answer. The frame shows the site again after the next
// save, also of a site that adds the script once it is loaded.
func TestBrowserFrameAfterFailure(t *testing.T) {
	s, at := desk(t)
	var down atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if down.Load() {
			panic(http.ErrAbortHandler)
		}
		// The browser reads as much as it wants.
		_, _ = fmt.Fprintf(w, `<!doctype html><title>Site</title><link rel="icon" href="data:,"><p>The site.
<script>addEventListener("load", () => setTimeout(() => {
	const script = document.createElement("script");
	script.src = "%s/assets/preview.js";
	document.head.append(script);
}));</script>`, s.url)
	}))
	t.Cleanup(server.Close)
	address := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	s.call("PUT", "/models/posts", obj{"preview_url": address + "/#{id}?{token}"})
	b := s.openTab(at)
	b.broken.Store(true)
	b.press("//main", "Preview beside")
	b.framed(`Boolean(window.cms) && document.body.innerText.includes("The site.")`)
	down.Store(true)
	b.fill("title", "Oil lamps")
	b.framed(`location.protocol === "chrome-error:"`)
	down.Store(false)
	b.fill("title", "Gas lamps")
	b.framed(`Boolean(window.cms) && document.body.innerText.includes("The site.")`)
}

// TestBrowserFrameReusedElements changes the texts of elements, as frameworks do where another page is shown: one
// without a mark or a name opens no field any more.
func TestBrowserFrameReusedElements(t *testing.T) {
	s, at, _ := previewDesk(t)
	b := s.openTab(at)
	b.press("//main", "Preview beside")
	b.opens("data.body")
	b.framed(`Boolean(document.querySelector("h1[data-cms-field=title][tabindex]"))`)
	b.framed(`((h1, div) => { h1.firstChild.data = div.textContent = "Other"; div.removeAttribute("data-cms"); return true; })(
		document.querySelector("h1"), document.querySelector("div[data-cms]"))`)
	b.framed(`document.querySelectorAll("h1[data-cms-field], h1[tabindex], div[data-cms-field]").length === 0`)
	b.framed(typeOn("data.teaser", "Typed")) // its text has no mark from then on
	b.framed(`document.querySelector("[data-field='data.teaser']").dataset.cmsField === "data.teaser"`)
}
