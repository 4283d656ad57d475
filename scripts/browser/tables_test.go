package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// cell is an expression for a cell of the first table in the editor of a field; the head is row 0.
func cell(row, column int) string {
	return fmt.Sprintf("%s.querySelector('.grid table')?.rows[%d]?.cells[%d]", editor("data.body"), row, column)
}

// inCell is an expression for what the cell that has the focus holds.
const inCell = `(() => { const e = document.querySelector("[data-editor]").shadowRoot.activeElement;
	return e?.matches("textarea") ? e.ariaLabel + ": " + e.value : ""; })()`

const body = `document.querySelector("[name='data.body']").value`

// put writes a text into the body as a merge does, and puts the cursor at its start.
func (b *tab) put(text string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector("[name='data.body']"); e.value = %q;
		e.dispatchEvent(new Event("input", {bubbles: true})); e.setSelectionRange(0, 0); return true; })()`, text))
}

func (b *tab) chord(key string, modifiers ...chromedp.Modifier) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}

// TestBrowserTables makes a table and types through it by keys alone.
func TestBrowserTables(t *testing.T) {
	s, at, b := openDesk(t)
	b.writesMarkdown("data.body")
	b.write("data.body", "Before")
	b.enter()
	b.enter()
	b.keys("/tab")
	b.eventually(editor("data.body")+`.getRootNode().querySelector("[aria-selected=true]")?.textContent ?? ""`, "Table")
	b.enter()
	b.eventually(inCell, "Column, head: Column")
	b.keys("Lamp" + kb.Tab + "Price" + kb.Tab + "A|B" + kb.Tab + "12" + kb.Tab + "Next")
	b.eventually(body, "Before\n\n| Lamp | Price |\n| ------ | ------ |\n| A\\|B       | 12       |\n| Next |  |\n")
	b.eventually(cell(1, 0)+".firstChild.textContent", "A|B")
	b.enter() // below the last row a line follows
	b.keys("After")
	text := "Before\n\n| Lamp | Price |\n| ------ | ------ |\n| A\\|B       | 12       |\n| Next |  |\n\nAfter"
	b.eventually(body, text)
	b.keys(kb.ArrowUp + kb.ArrowUp)
	b.eventually(inCell, "Lamp, row 2: Next")
	b.keys(kb.ArrowUp + kb.Home + kb.ArrowLeft)
	b.eventually(inCell, "Price, head: Price")
	b.keys(kb.ArrowDown + kb.ArrowLeft + kb.ArrowLeft)
	b.keys("x")
	b.eventually(body, strings.Replace(text, "12 ", "x12 ", 1))
	b.chord("z", chromedp.ModifierCtrl)
	b.eventually(body, text)
	b.eventually(inCell, "Price, row 1: 12")
	b.chord("y", chromedp.ModifierCtrl)
	b.eventually(body, strings.Replace(text, "12 ", "x12 ", 1))
	b.eventually(inCell, "Price, row 1: x12")
	b.chord("z", chromedp.ModifierCtrl)
	b.eventually(inCell, "Price, row 1: 12")
	b.keys(kb.ArrowUp)
	b.eventually(inCell, "Price, head: Price")
	b.keys(kb.ArrowUp + "!")
	b.eventually(body, strings.Replace(text, "Before\n\n", "Before\n!\n", 1))
	b.chord("z", chromedp.ModifierCtrl)
	b.eventually(body, text)
	b.keys(kb.ArrowDown)
	b.eventually(inCell, "Lamp, head: Lamp")
	b.chord(kb.Tab, chromedp.ModifierShift)
	b.keys("?")
	b.eventually(body, strings.Replace(text, "Before\n\n", "Before\n?\n", 1))
	b.chord("z", chromedp.ModifierCtrl)
	b.until("the draft has the table", func() bool { return s.draftOf(at)["body"] == text })
}

// TestBrowserTableRows adds, moves, aligns and removes rows and columns by keys and by the bar of a table.
func TestBrowserTableRows(t *testing.T) {
	_, _, b := openDesk(t)
	b.writesMarkdown("data.body")
	b.put("x\n\n|A|B|\n|-|--|\n|1|2|\n|3|4|\n")
	b.do(chromedp.Focus(chromedp.CSS("#f-title")))
	b.eventually("String(Boolean("+cell(2, 1)+"))", "true")
	eval[bool](b, cell(1, 0)+".lastChild.focus(), true")
	b.eventually(inCell, "A, row 1: 1")
	b.chord(kb.ArrowDown, chromedp.ModifierAlt, chromedp.ModifierShift)
	b.eventually(body, "x\n\n|A|B|\n|-|--|\n|3|4|\n|1|2|\n")
	b.eventually(inCell, "A, row 2: 1")
	b.press("//main", "Add a column")
	b.eventually(body, "x\n\n|A|  |B|\n|-| --- |--|\n|3|  |4|\n|1|  |2|\n")
	b.eventually(inCell, "Column 2, row 2: ")
	b.keys("new")
	b.chord(kb.ArrowRight, chromedp.ModifierAlt, chromedp.ModifierShift)
	b.eventually(body, "x\n\n|A|B|  |\n|-|--| --- |\n|3|4|  |\n|1|2| new |\n")
	b.do(mouseClick(chromedp.CSS(".of-table [aria-label='Align right']")))
	b.eventually(body, "x\n\n|A|B|  |\n|-|--| --: |\n|3|4|  |\n|1|2| new |\n")
	b.eventually(`document.querySelector(".of-table [aria-label='Align right']").ariaPressed`, "true")
	b.eventually(cell(2, 2)+".style.textAlign", "right")
	b.do(mouseClick(chromedp.CSS(".of-table [aria-label='Align right']")))
	b.eventually(body, "x\n\n|A|B|  |\n|-|--| --- |\n|3|4|  |\n|1|2| new |\n")
	b.chord(kb.Enter, chromedp.ModifierAlt)
	b.eventually(inCell, "A, row 3: ")
	b.keys("5")
	b.eventually(body, "x\n\n|A|B|  |\n|-|--| --- |\n|3|4|  |\n|1|2| new |\n| 5 |  |  |\n")
	b.press("//main", "Remove the row")
	b.eventually(body, "x\n\n|A|B|  |\n|-|--| --- |\n|3|4|  |\n|1|2| new |\n")
	b.press("//main", "Remove the column")
	b.eventually(body, "x\n\n|B|  |\n|--| --- |\n|4|  |\n|2| new |\n")
	for range 10 { // one history: back to where the table was put
		b.chord("z", chromedp.ModifierCtrl)
	}
	b.eventually(body, "x\n\n|A|B|\n|-|--|\n|1|2|\n|3|4|\n")
	b.press("//main", "Delete the table")
	b.eventually(body, "x\n\n")
	b.eventually(`String(document.querySelector(".of-table").hidden)`, "true")
	b.chord("z", chromedp.ModifierCtrl)
	b.eventually("String(Boolean("+cell(2, 1)+"))", "true")
}

// TestBrowserTableBetweenChanges changes a text before and behind a table at once, as a script does: nothing else
// changes. It also deletes a table with words on both sides of it.
func TestBrowserTableBetweenChanges(t *testing.T) {
	s, at := desk(t)
	text := func(before, after string) string {
		return "- " + before + "\n- two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n- three " + after + "\n- four"
	}
	s.call("PUT", at, obj{"data": obj{"body": text("one", "end")}})
	b := s.openTab(at)
	b.eventually("String(Boolean("+cell(0, 0)+"))", "true")
	eval[bool](b, fmt.Sprintf(`(e => { e.value = %q; return e.dispatchEvent(new Event("input", { bubbles: true })); })(
		document.querySelector("[name='data.body']"))`, text("another", "stop")))
	b.until("the draft has a text", func() bool { return s.draftOf(at)["body"] != text("one", "end") })
	if got := s.draftOf(at)["body"]; got != text("another", "stop") {
		t.Errorf("the draft has %q", got)
	}
	b.selectText(`e.value.indexOf("er\n") + 2`, `e.value.indexOf("p\n- four") + 1`)
	b.keys(kb.Delete)
	b.eventually(body, "- another\n- four")
}

// TestBrowserTablePaste pastes what a spreadsheet and a page put on the clipboard into a cell.
func TestBrowserTablePaste(t *testing.T) {
	_, _, b := openDesk(t)
	b.writesMarkdown("data.body")
	paste := func(fill string) {
		eval[bool](b, `(() => { const d = new DataTransfer(); `+fill+`;
			document.querySelector("[data-editor]").shadowRoot.activeElement.dispatchEvent(new ClipboardEvent("paste",
				{bubbles: true, cancelable: true, composed: true, clipboardData: d})); return true; })()`)
	}
	b.put("x\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\nend")
	b.eventually("String(Boolean("+cell(1, 1)+"))", "true")
	eval[bool](b, cell(1, 1)+".lastChild.focus(), true")
	paste(`d.setData("text/plain", "a|b\t\"two\nlines\"\nc\td\n")`)
	b.eventually(body, "x\n\n| A | B |  |\n| - | - | --- |\n| 1 | a\\|b | two<br>lines |\n|  | c | d |\n\nend")
	b.eventually(cell(1, 2)+".lastChild.value", "two\nlines")
	b.chord("z", chromedp.ModifierCtrl)
	b.eventually(body, "x\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\nend")
	eval[bool](b, cell(0, 0)+".lastChild.focus(), true")
	paste(`d.setData("text/plain", "N\tM"); d.setData("text/html", "<table><tr><td><b>N</b></td><td>M</td></tr>" +
		"<tr><td><a href='https://example.com/a'>link</a></td><td>8</td></tr></table>")`)
	b.eventually(body, "x\n\n| **N** | M |\n| - | - |\n| [link](https://example.com/a) | 8 |\n\nend")
	b.eventually(cell(0, 0)+".lastChild.value", "**N**")
	eval[bool](b, cell(1, 1)+".lastChild.focus(), true")
	b.eventually(cell(0, 0)+".firstChild.innerHTML", `<span class="md-strong">N</span>`)
	b.chord("a", chromedp.ModifierCtrl)
	b.keys("see")
	b.chord("a", chromedp.ModifierCtrl)
	paste(`d.setData("text/plain", "https://example.com/b")`)
	b.eventually(body, "x\n\n| **N** | M |\n| - | - |\n"+
		"| [link](https://example.com/a) | [see](https://example.com/b) |\n\nend")
	b.keys(kb.End + " ")
	paste(`d.setData("text/html", "<p>and <b>more</b></p><p>lines</p>"); d.setData("text/plain", "and more")`)
	b.eventually(cell(1, 1)+".lastChild.value", "[see](https://example.com/b)and **more** lines")
}

// TestBrowserTableTexts keeps what is in cells and what stands around a table: marks, references, bars, lines that
// follow.
func TestBrowserTableTexts(t *testing.T) {
	_, _, b := openDesk(t)
	b.writesMarkdown("data.body")
	text := "|a|**b**|\n|:-|-:|\n|[c](cms://entry/x \"t\")|d\\|e|\n|`f`|\n\nend\n"
	b.put(text)
	b.eventually(cell(1, 0)+".firstChild.innerHTML", `<span class="md-link">c</span>`)
	b.eventually(cell(1, 1)+".firstChild.textContent", "d|e")
	eval[bool](b, cell(2, 1)+".lastChild.focus(), true")
	b.eventually(inCell, "**b**, row 2: ")
	b.keys("h i")
	b.eventually(body, strings.Replace(text, "|`f`|", "|`f`| h i |", 1))
	b.chord("b", chromedp.ModifierCtrl)
	b.keys("bold")
	b.eventually(body, strings.Replace(text, "|`f`|", "|`f`| h i**bold** |", 1))
	b.eventually(inCell, "**b**, row 2: h i**bold**")
	b.chord("a", chromedp.ModifierCtrl)
	b.chord("k", chromedp.ModifierCtrl)
	b.see("words of an entry")
	b.keys("https://example.com/z")
	b.enter()
	b.eventually(body, strings.Replace(text, "|`f`|", "|`f`| [h i**bold**](https://example.com/z) |", 1))
	b.eventually(inCell, "**b**, row 2: [h i**bold**](https://example.com/z)")
	b.do(mouseClick(chromedp.CSS(".markdown-bar button"))) // a heading is no part of a cell
	b.eventually(body, strings.Replace(text, "|`f`|", "|`f`| [h i**bold**](https://example.com/z) |", 1))
	b.put("| A | B |\n| - | - |\n| 1 | 2 |\n\nend\n")
	eval[bool](b, `document.querySelector("[name='data.body']").setSelectionRange(32, 32), true`)
	b.keys(kb.ArrowUp + kb.ArrowUp) // over the line between, into the last row
	b.eventually(inCell, "A, row 1: 1")
	b.keys(kb.ArrowDown + kb.ArrowDown + kb.Home + kb.Backspace) // the paragraph does not become a row
	b.eventually(inCell, "B, row 1: 2")
	b.eventually(body, "| A | B |\n| - | - |\n| 1 | 2 |\n\nend\n")
	b.keys(kb.ArrowDown + "typed")
	b.eventually(body, "| A | B |\n| - | - |\n| 1 | 2 |\n\ntyped\nend\n")
}

// TestBrowserTableBeforeScript types a table while the script for tables is still on its way: the table stays source
// until one leaves it.
func TestBrowserTableBeforeScript(t *testing.T) {
	_, _, b := openDesk(t)
	b.writesMarkdown("data.body")
	b.network(&network.Conditions{URLPattern: b.url + "/*/markdown-table.js*",
		Latency: 2000, DownloadThroughput: -1, UploadThroughput: -1})
	b.write("data.body", "| A | B |")
	b.enter()
	b.keys("| - | - |")
	b.enter()
	b.keys("| 1 ")
	b.eventually("String(performance.getEntriesByType('resource')"+
		".some((e) => e.name.includes('markdown-table')))", "true")
	b.keys("| 2 |")
	b.eventually(body, "| A | B |\n| - | - |\n| 1 | 2 |")
	b.enter()
	b.enter()
	b.eventually("String(Boolean("+cell(1, 1)+"))", "true")
}

// TestBrowserTableOnSlowDevice types a table as source, and in a cell, where the device is too slow to parse the whole
// text with each key: both go on as before.
func TestBrowserTableOnSlowDevice(t *testing.T) {
	s, at := desk(t)
	b := s.newTab()
	b.inject("{ const now = Date.now; let ms = 0; Date.now = () => now() + (window.slow ? ms += 50 : ms); }")
	b.signIn(email, at)
	slow := func(step func()) {
		eval[bool](b, "window.slow = true")
		step()
		eval[bool](b, "(window.slow = false, true)")
	}
	b.writesMarkdown("data.body")
	before := "a\n\nb\n\nc\n\n" // each key would parse one of the parts
	b.put(before)
	eval[bool](b, `document.querySelector("[name='data.body']").setSelectionRange(9, 9), true`)
	b.keys("| A | B |")
	b.eventually(`document.querySelector(".of-table") !== null`, "true")
	b.enter()
	b.keys("| - | - |")
	slow(b.enter)
	b.keys("| 1 | 2 |")
	b.enter()
	b.enter()
	b.keys("end")
	b.eventually(body, before+"| A | B |\n| - | - |\n| 1 | 2 |\n\nend")
	b.eventually("Boolean("+cell(1, 1)+")", "true")
	eval[bool](b, cell(1, 1)+".lastChild.focus(), true")
	slow(func() { b.keys("0|") })
	b.eventually(body, before+"| A | B |\n| - | - |\n| 1 | 20\\| |\n\nend")
	b.eventually(inCell, "B, row 1: 20|")
}

// TestBrowserTableSource shows a table as source and as a grid again, in all forms of a page.
func TestBrowserTableSource(t *testing.T) {
	s, _, b := openDesk(t)
	b.writesMarkdown("data.body")
	lines := editor("data.body") + ".innerText.trim().replace(/\\n+/g, '/')"
	b.write("data.body", "x")
	b.enter()
	b.enter()
	b.keys("| A | B |")
	b.enter()
	b.keys("| - | - |")
	b.enter()
	b.keys("| 1 | 2 |")
	b.enter()
	b.enter()
	b.keys("end")
	b.eventually(body, "x\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\nend") // typed as source, it stays so until one leaves it
	b.eventually("String(Boolean("+cell(1, 1)+"))", "true")
	eval[bool](b, cell(1, 1)+".lastChild.focus(), true")
	b.keys(kb.Escape)
	b.eventually(lines, "x/| A | B |/| - | - |/| 1 | 2 |/end")
	b.keys("0")
	b.eventually(body, "x\n\n| A | B |\n| - | - |\n| 1 | 20 |\n\nend")
	b.keys(kb.Escape)
	b.eventually(inCell, "B, row 1: 20")
	b.press("//main", "Show as source")
	b.eventually(lines, "x/| A | B |/| - | - |/| 1 | 20 |/end")
	b.press("//main", "Source")
	b.keys(kb.Tab)
	b.press("//main", "Add a row")
	b.eventually(body, "x\n\n| A | B |\n| - | - |\n| 1 | 20 |\n|  |  |\n\nend")
	wide := "| A | B | C | D | E | F | G | H |\n| - | - | - | - | - | - | - | - |\n" +
		"| [link](https://example.com) | `code` | 3 | 4 | 5 | 6 | 7 | 8 |\n"
	b.see("Saved ")
	pages := map[string]string{}
	for _, locale := range []string{"en", "ar"} {
		pages[locale] = "/models/posts/entries/" + s.made("/models/posts/entries",
			obj{"title": "Lamps", "locale": locale, "data": obj{"body": wide}})
	}
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			for _, page := range pages {
				b.scheme(scheme)
				b.do(chromedp.EmulateViewport(width, 760))
				b.open(page)
				b.writesMarkdown("data.body")
				b.eventually("String(Boolean("+cell(1, 7)+"))", "true")
				eval[bool](b, cell(1, 7)+".lastChild.focus(), true")
				b.eventually(inCell, "H, row 1: 8")
				b.audit(t, "table, "+scheme)
			}
		}
	}
	b.open(pages["ar"])
	b.writesMarkdown("data.body")
	b.eventually("String(Boolean("+cell(1, 7)+"))", "true")
	eval[bool](b, cell(1, 7)+".lastChild.focus(), true")
	b.keys(kb.Home + kb.ArrowRight) // the text reads from right to left: the cell before is to the right
	b.eventually(inCell, "G, row 1: 7")
}
