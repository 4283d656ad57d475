package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// view is the example site as an editor sees it: in the frame beside the form, or in a window of its
// own.
type view struct {
	*tab
	form   *tab // the edit page
	framed bool
}

// doc is the document of the site in the page that has it.
func (v view) doc() string {
	if v.framed {
		return `document.querySelector(".preview iframe").contentDocument`
	}
	return "document"
}

// waits waits until an expression about the document d of the site holds.
func (v view) waits(expression string) {
	v.t.Helper()
	v.eventually(fmt.Sprintf(`String(((d) => %s)(%s))`, expression, v.doc()), "true")
}

// place finds the middle of an element of the site, and scrolls to it. Both are as the mouse needs them.
func (v view) place(selector string) (x, y float64) {
	v.t.Helper()
	v.waits(fmt.Sprintf(`d.readyState === "complete" && d.querySelector(%q)?.checkVisibility()`, selector))
	at := eval[[]float64](v.tab, fmt.Sprintf(`(() => {
		const e = %s.querySelector(%q), frame = e.ownerDocument.defaultView.frameElement;
		if (e.localName !== "button") e.scrollIntoView({ block: "center", behavior: "instant" });
		const r = e.getBoundingClientRect(), f = frame?.getBoundingClientRect();
		const scale = frame ? f.width / frame.offsetWidth : 1;
		return [(f?.left ?? 0) + (r.left + Math.min(r.width / 2, 60)) * scale, (f?.top ?? 0) + (r.top + r.height / 2) * scale];
	})()`, v.doc(), selector))
	return at[0], at[1]
}

func (v view) click(selector string) {
	v.t.Helper()
	x, y := v.place(selector)
	v.do(chromedp.MouseEvent(chromedp.MouseMoved, x, y), chromedp.MouseClickXY(x, y))
}

// scripted waits until the page of the site is ready and has its script.
func (v view) scripted() {
	v.t.Helper()
	v.waits(`Boolean(d.defaultView.cms) && d.body.dataset.ready === "true"`)
}

// hover rests the pointer on an element until the buttons of its block are there. It comes from elsewhere
// each time, since the site is told of a pointer only when that enters an element.
func (v view) hover(selector string) (x, y float64) {
	v.t.Helper()
	v.scripted()
	v.until("the buttons of "+selector, func() bool {
		x, y = v.place(selector)
		v.do(chromedp.MouseEvent(chromedp.MouseMoved, 1, 1), chromedp.MouseEvent(chromedp.MouseMoved, x, y))
		return eval[bool](v.tab, fmt.Sprintf(`%s.querySelector("#cms-block")?.checkVisibility() ?? false`, v.doc()))
	})
	return x, y
}

// button rests the pointer on an element and presses one of the buttons of its block.
func (v view) button(selector, text string) {
	v.t.Helper()
	fromX, fromY := v.hover(selector)
	n := map[string]int{"Above": 1, "Below": 2, "Move up": 3, "Move down": 4, "Remove": 5}[text]
	x, y := v.place(fmt.Sprintf("#cms-block button:nth-child(%d)", n))
	for i := range 12 { // through all that lies between
		part := float64(i+1) / 12
		v.do(chromedp.MouseEvent(chromedp.MouseMoved, fromX+(x-fromX)*part, fromY+(y-fromY)*part))
	}
	v.do(chromedp.MouseClickXY(x, y))
}

// key presses a key of a block with Alt and other keys.
func (v view) key(selector, key string, with chromedp.Modifier) {
	v.t.Helper()
	v.scripted()
	v.waits(fmt.Sprintf(
		`(d.activeElement.blur(), d.querySelector(%q)?.focus(), d.querySelector("#cms-block")?.checkVisibility())`,
		selector))
	v.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierAlt|with)))
}

// apart opens the preview in a window of its own.
func (b *tab) apart() *tab {
	b.t.Helper()
	found := chromedp.WaitNewTarget(b.ctx, func(i *target.Info) bool { return strings.Contains(i.URL, "/site/") })
	b.press("//main", "In a window")
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithTargetID(<-found))
	b.t.Cleanup(cancel)
	return b.tabOf(ctx)
}

// sections are the blocks of the page of the example site.
const sections = `[...d.querySelectorAll("main > section")].map((e) => e.querySelector("ul") ? "products" : e.querySelector("blockquote") ? "quote" : "text").join(" ")`

// onSite opens an entry of the example site, whose page is at a path of the delivery API, with its page in the frame
// beside the form or in a window.
func onSite(t *testing.T, model, path string, framed bool) (s *site, b *tab, v view, at string) {
	t.Helper()
	s = newSiteWith(t, "demo")
	at = "/models/" + model + "/entries/" + s.deliveredID(path)
	b = s.openTab(at)
	b.press("//main", "Preview beside")
	if framed {
		return s, b, view{b, b, true}, at
	}
	return s, b, view{b.apart(), b, false}, at
}

// TestBrowserBlocksOnSite changes the blocks of a page on the site by the mouse and by keys.
func TestBrowserBlocksOnSite(t *testing.T) {
	for _, framed := range []bool{true, false} {
		t.Run(map[bool]string{true: "frame", false: "window"}[framed], func(t *testing.T) {
			s, b, v, at := onSite(t, "home", "/home", framed)
			if !framed {
				b.press("//main", "Preview beside") // the pane is closed
			}
			has := func(want string) {
				t.Helper()
				v.until("the draft has "+want, func() bool {
					var got []string
					blocks, _ := s.draftOf(at)["blocks"].([]any)
					for _, block := range blocks {
						got = append(got, block.(obj)["type"].(string))
					}
					return strings.Join(got, " ") == want
				})
				b.eventually("String(dirty || saving)", "null")
				v.waits(fmt.Sprintf("!d.defaultView.shown && %s === %q", sections, want)) // the page came again
				v.waits("(d.defaultView.shown = true)")
			}
			block := func(n int) string { return fmt.Sprintf("main > section:nth-of-type(%d) :is(h2, blockquote p)", n) }
			add := func(name string) {
				t.Helper()
				b.press("//dialog", "Add "+name)
			}
			v.button(block(1), "Move down")
			has("products text quote")
			v.key(block(2), kb.ArrowUp, 0)
			has("text products quote")
			v.waits(`d.hasFocus() && d.activeElement === d.querySelector("main > section:nth-of-type(1)")`)
			v.do(chromedp.KeyEvent(kb.ArrowDown, chromedp.KeyModifiers(chromedp.ModifierAlt))) // the focus went with it
			has("products text quote")
			v.key(block(2), kb.ArrowUp, 0)
			has("text products quote")
			v.key(block(2), kb.ArrowDown, 0)
			has("text quote products")
			v.button("main > section:nth-of-type(3) li", "Move up")
			has("text products quote")
			v.button("main > section:nth-of-type(3) .by", "Remove")
			has("text products")
			v.key(block(1), kb.Delete, 0)
			has("products")
			v.button(block(1), "Above")
			add("Text")
			has("text products")
			v.key(block(2), kb.Insert, chromedp.ModifierShift)
			add("Quote")
			has("text quote products")
			v.button("main > section:nth-of-type(1)", "Below")
			add("Quote")
			has("text quote quote products")
			v.key(block(4), kb.Insert, 0)
			add("Text")
			has("text quote quote products text")
		})
	}
}

// TestBrowserFocusComesLate has the focus return to a moved block when the pointer rests on another one
// already. The buttons stay with the pointer, so that a click removes no other block.
func TestBrowserFocusComesLate(t *testing.T) {
	s, b, v, at := onSite(t, "home", "/home", true)
	v.hover("main > section:nth-of-type(1) h2")
	model, id, _ := strings.Cut(strings.TrimPrefix(at, "/models/"), "/entries/")
	eval[bool](b, fmt.Sprintf(
		`document.querySelector(".preview iframe").contentWindow.postMessage({ cms: "fields", model: %q, id: %q,
		names: [], rows: ["data.blocks.0", "data.blocks.1", "data.blocks.2"], focus: "data.blocks.1" }, "*"), true`,
		model, id))
	v.waits(`d.querySelector("main > section:nth-of-type(2)").contains(d.activeElement)`)
	x, y := v.place("#cms-block button:nth-child(5)")
	v.do(chromedp.MouseClickXY(x, y))
	b.until("the first block is removed", func() bool {
		blocks, _ := s.draftOf(at)["blocks"].([]any)
		return len(blocks) == 2 && blocks[0].(obj)["type"] == "products"
	})
}

// TestBrowserWorkOnSite does on the example site what editors do most: a typo is fixed in place and in
// a long text, and a picture is changed, each with at most three clicks.
func TestBrowserWorkOnSite(t *testing.T) {
	for _, framed := range []bool{true, false} {
		t.Run(map[bool]string{true: "frame", false: "window"}[framed], func(t *testing.T) {
			s, b, v, at := onSite(t, "posts", "/posts/how-bright", framed)
			ready := func() {
				t.Helper()
				b.eventually("String(dirty || saving)", "null")
				v.waits(`Boolean(d.querySelector("h1[data-cms-field]")) && d.querySelector("main img")?.naturalWidth > 0`)
			}
			shows := func(what, expression string, since time.Time) {
				t.Helper()
				v.waits(expression)
				t.Logf("%s: the site shows it after %d ms", what, time.Since(since).Milliseconds())
			}

			// The title, by a double click on it. It is on the site while one types.
			ready()
			x, y := v.place("h1")
			v.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
			v.waits(`d.activeElement.isContentEditable`)
			v.do(chromedp.KeyEvent(kb.End))
			v.keys("!")
			since := time.Now()
			b.eventually(`document.querySelector("[name=title]").value`, "How bright is bright enough?!")
			v.waits(`d.activeElement.isContentEditable`) // typing goes on
			b.until("the draft",
				func() bool { return s.call("GET", at+"/draft/edit", nil)["title"] == "How bright is bright enough?!" })
			x, y = v.place(".by")
			v.do(chromedp.MouseClickXY(x, y))
			shows("title", `d.querySelector("h1").textContent.startsWith("How bright is bright enough?!")`, since)

			// A long text: a click on any paragraph leads to its editor.
			ready()
			v.click("main div > p:first-child")
			b.focused("f-data.body")
			b.fill("data.body", "Light *falls*.")
			since = time.Now()
			shows("text", `d.querySelector("main em")?.textContent === "falls"`, since)

			// A click on the picture opens the library, and another one chooses.
			ready()
			was := eval[string](v.tab, v.doc()+`.querySelector("main img").src`)
			v.click("main img")
			b.click(`//dialog//button[contains(., "workshop.png")]`)
			since = time.Now()
			shows("picture", fmt.Sprintf(`Boolean(d.querySelector("main img")) && d.querySelector("main img").src !== %q`, was),
				since)
			if framed {
				b.audit(t, "the site beside the form")
			}
		})
	}
}

// TestBrowserTypesWholeFieldsOnSite double-clicks a title to which the site adds a word: it is not typed in place,
// since the word would be saved, but its field opens.
func TestBrowserTypesWholeFieldsOnSite(t *testing.T) {
	_, b, v, _ := onSite(t, "posts", "/posts/how-bright", true)
	v.scripted()
	v.waits(`Boolean(d.querySelector("h1[data-cms-field]"))`)
	eval[string](v.tab, fmt.Sprintf(`((text) => text.data = "News: " + text.data)(%s.querySelector("h1").firstChild)`,
		v.doc()))
	x, y := v.place("h1")
	v.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	b.focused("f-title")
	v.waits(`!d.querySelector("h1").isContentEditable`)
	b.eventually(`document.querySelector("[name=title]").value`, "How bright is bright enough?")
}

// TestBrowserTypesOneLineOnSite ends typing into a title by Enter, as in its field, and takes pasted lines as one.
func TestBrowserTypesOneLineOnSite(t *testing.T) {
	s, b, v, at := onSite(t, "posts", "/posts/how-bright", true)
	v.scripted()
	v.waits(`Boolean(d.querySelector("h1[data-cms-field]"))`)
	x, y := v.place("h1")
	v.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	v.waits(`d.activeElement.isContentEditable`)
	v.waits(`d.execCommand("selectAll") && d.execCommand("insertText", false, "One\n two")`)
	b.eventually(`document.querySelector("[name=title]").value`, "One two")
	v.do(chromedp.KeyEvent(kb.Enter))
	b.until("the draft", func() bool { return s.call("GET", at+"/draft/edit", nil)["title"] == "One two" })
	v.waits(`!d.activeElement.isContentEditable && d.querySelector("h1").textContent.startsWith("One two")`)
}

// TestBrowserTypesAsStoredOnSite types into a text that the site shows in capitals and on one line: its letters and its
// lines stay.
func TestBrowserTypesAsStoredOnSite(t *testing.T) {
	_, b, v, _ := onSite(t, "home", "/home", true)
	v.scripted()
	const quote = `document.querySelector("#entry textarea[name$='.quote']")`
	b.until("the site shows the lines", func() bool {
		return eval[bool](b, fmt.Sprintf(`((q, p) => {
			if (q && q.value !== "One\nTwo") {
				q.value = "One\nTwo";
				q.dispatchEvent(new Event("input", { bubbles: true }));
			}
			return Boolean(p?.dataset.cmsField) && p.textContent.startsWith("One\nTwo");
		})(%s, %s.querySelector("blockquote p"))`, quote, v.doc()))
	})
	b.eventually("String(dirty || saving)", "null")
	v.scripted()
	v.waits(`(d.querySelector("blockquote p")?.dataset.cmsField ?? "") !== ""`)
	eval[string](b, v.doc()+`.querySelector("blockquote p").style.textTransform = "uppercase"`)
	x, y := v.place("blockquote p")
	v.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	v.waits(`d.activeElement.isContentEditable`)
	v.do(chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	v.keys("!")
	b.eventually(quote+`.value`, "One\nTwo!")
}
