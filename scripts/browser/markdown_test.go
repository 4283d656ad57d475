package browser

import (
	"context"
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// writesMarkdown reports whether a field is one of Markdown that has an editor, once the page is
// complete.
func (b *tab) writesMarkdown(name string) bool {
	b.t.Helper()
	b.eventually("document.readyState", "complete")
	if !eval[bool](b,
		fmt.Sprintf("Boolean(window.choose) && Boolean(document.querySelector('textarea.markdown[name=%q]'))", name)) {
		return false
	}
	eval[bool](b,
		fmt.Sprintf("(document.querySelector('[name=%q]').scrollIntoView({ block: 'nearest' }), true)",
			name)) // visible fields become editors
	b.eventually(fmt.Sprintf("String(document.querySelector('[name=%q]').hidden)", name), "true")
	return true
}

// editor is an expression for the text of the editor of a field.
func editor(name string) string {
	return fmt.Sprintf("document.querySelector('[name=%q]').parentElement"+
		".querySelector('[data-editor]').shadowRoot.querySelector('.cm-content')", name)
}

// write types into the editor of a field, over its text.
func (b *tab) write(name, text string) {
	b.t.Helper()
	b.selectAll(name)
	b.keys(text)
}

// selectAll puts the focus into the editor of a field, with all of its text selected: in a cell of a table the first
// press selects the text of the cell.
func (b *tab) selectAll(name string) {
	b.t.Helper()
	eval[bool](b, editor(name)+".focus(), true")
	for range 2 {
		b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(2)))
	}
}

// enter presses the key as a keyboard does: a character follows only where no script took the key.
func (b *tab) enter() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown,
			input.DispatchKeyEventTypeKeyUp} {
			key := input.DispatchKeyEventParams{Type: kind, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13}
			if kind == input.DispatchKeyEventTypeKeyDown {
				key.Text = "\r"
			}
			if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, key); err != nil {
				return err
			}
		}
		return nil
	}))
}

// TestBrowserMarkdownEndsMarks turns bold, italic and code on, writes, and turns them off: the text after it is plain.
func TestBrowserMarkdownEndsMarks(t *testing.T) {
	_, _, b := openDesk(t)
	press := func(key string) { b.t.Helper(); b.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(2))) }
	for _, row := range []struct{ before, key, words, want string }{
		{"A ", "b", "warm", "A **warm** light"},
		{"A **dim**, ", "b", "warm ", "A **dim**, **warm**  light"}, // no mark ends after a space
		{"* One ", "i", "warm", "* One *warm* light"},
		{"A **dim** ", "i", "warm", "A **dim** *warm* light"},
		{"A ", "e", "warm", "A `warm` light"},
	} {
		b.write("data.body", row.before)
		press(row.key)
		b.keys(row.words)
		press(row.key)
		b.keys(" light")
		b.eventually(`document.querySelector("[name='data.body']").value`, row.want)
	}
}

// TestBrowserMarkdown writes with the toolbar, keys and the slash menu, and sees the text as it
// will look.
func TestBrowserMarkdown(t *testing.T) {
	s, at, b := openDesk(t)
	b.write("data.body", "Plain ")
	b.keys("text")
	b.eventually(`document.querySelector("[name='data.body']").value`, "Plain text")
	b.selectAll("data.body")
	b.do(chromedp.KeyEvent("b", chromedp.KeyModifiers(2)))
	b.eventually(`document.querySelector("[name='data.body']").value`, "**Plain text**")
	b.eventually(`document.querySelector(".markdown-bar [aria-label=Bold]").ariaPressed`, "true")
	letters := `[...document.querySelectorAll(".markdown-bar:not(.of-table) button:not(:has(svg))")]`
	b.eventually(letters+`.map((e) => e.firstChild.data).join(" ")`, "H2 H3") // all other buttons are drawn
	b.do(chromedp.KeyEvent("b", chromedp.KeyModifiers(2)))
	b.eventually(`document.querySelector("[name='data.body']").value`, "Plain text")
	b.do(chromedp.KeyEvent(kb.F10, chromedp.KeyModifiers(1)))
	b.eventually("document.activeElement.textContent", "H2 Heading 2")
	b.keys(kb.ArrowRight + kb.ArrowLeft)
	b.enter()
	b.eventually(`document.querySelector("[name='data.body']").value`, "## Plain text")
	b.keys(kb.End)
	b.enter()
	b.keys("/quo")
	b.eventually(editor("data.body")+`.getRootNode().querySelector("[aria-selected=true]")?.textContent ?? ""`, "Quote")
	b.eventually(editor("data.body")+`.getAttribute("aria-activedescendant") ?? ""`, "menu-0")
	b.audit(t, "slash menu")
	b.enter()
	b.keys("Said")
	b.eventually(`document.querySelector("[name='data.body']").value`, "## Plain text\n> Said")
	b.enter()
	b.enter()
	b.enter()
	b.keys("* one")
	b.enter()
	b.keys("two")
	b.eventually(`document.querySelector("[name='data.body']").value`, "## Plain text\n> Said\n\n* one\n* two")
	b.do(chromedp.Focus(chromedp.CSS("#f-title")))
	b.eventually(editor("data.body")+".innerText.trim().replace(/\\n+/g, '|')", "Plain text|Said|• one|• two")
	b.press("//main", "Source")
	b.eventually(editor("data.body")+".innerText.trim().replace(/\\n+/g, '|')", "## Plain text|> Said|* one|* two")
	b.see("5 words")
	b.see("Saved ")
	b.until("the draft has the text",
		func() bool { return s.draftOf(at)["body"] == "## Plain text\n> Said\n\n* one\n* two" })
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 390} {
			b.scheme(scheme)
			b.do(chromedp.EmulateViewport(width, 760))
			b.open(at)
			b.writesMarkdown("data.body")
			b.audit(t, "editor, "+scheme)
		}
	}
}

// TestBrowserMarkdownTable makes a table as source, and changes its rows and columns by the toolbar and by
// the menu of a cell.
func TestBrowserMarkdownTable(t *testing.T) {
	_, _, b := openDesk(t)
	b.writesMarkdown("data.body")
	text := `document.querySelector("[name='data.body']").value`
	b.press("//main", "Source")
	b.write("data.body", "Before")
	b.enter()
	b.enter()
	b.keys("/tab")
	b.eventually(editor("data.body")+`.getRootNode().querySelector("[aria-selected=true]")?.textContent ?? ""`, "Table")
	b.enter()
	b.eventually(text, "Before\n\n| Column | Column |\n| ------ | ------ |\n|        |        |\n")
	b.keys("Lamp")
	b.press("//main", "Add a column")
	b.eventually(text, "Before\n\n| Lamp |  | Column |\n| ------ | --- | ------ |\n|        |  |        |\n")
	b.press("//main", "Add a row")
	b.eventually(text, "Before\n\n| Lamp |  | Column |\n| ------ | --- | ------ |\n|  |  |  |\n|        |  |        |\n")
	b.keys("/remove the c")
	b.eventually(editor("data.body")+`.getRootNode().querySelector("[aria-selected=true]")?.textContent ?? ""`,
		"Remove the column")
	b.audit(t, "menu of a table")
	b.enter()
	b.eventually(text, "Before\n\n| Lamp | Column |\n| ------ | ------ |\n|  |  |\n|        |        |\n")
	b.press("//main", "Remove the row")
	b.eventually(text, "Before\n\n| Lamp | Column |\n| ------ | ------ |\n|        |        |\n")
	b.selectAll("data.body")
	b.keys("Plain")
	b.eventually(`String(document.querySelector(".of-table").hidden)`, "true")
}

// TestBrowserMarkdownLinks makes links by the dialog and by [[, to an entry and to an address.
func TestBrowserMarkdownLinks(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", "/models/posts", obj{"url": "/{locale}/posts/{slug}"})
	guide := s.call("POST", "/models/posts/entries", obj{"title": "The care guide", "data": obj{"body": "b"}})
	to := "(cms://entry/" + guide["id"].(string) + ")"
	b := s.openTab(at)
	b.write("data.body", "care")
	b.selectAll("data.body")
	b.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(2)))
	b.see("words of an entry")
	b.keys("no such thing")
	b.enter()
	b.see("0 entries")
	b.chord("a", chromedp.ModifierCtrl)
	b.keys("care guide")
	b.enter()
	b.see("1 entry")
	b.eventually("document.activeElement.textContent", "The care guide Posts, English")
	b.audit(t, "link")
	b.enter()
	b.eventually(`document.querySelector("[name='data.body']").value`, "[care]"+to)
	b.keys(" and [[care g")
	b.eventually(editor("data.body")+`.getRootNode().querySelector("[aria-selected=true]")?.textContent ?? ""`,
		"The care guide Posts, English")
	b.enter()
	b.keys(".")
	b.eventually(`document.querySelector("[name='data.body']").value`, "[care]"+to+" and [The care guide]"+to+".")
}

// transfer makes a paste or drop of data in the editor of the body.
func (b *tab) transfer(kind, fill string) {
	b.t.Helper()
	eval[bool](b, `(() => { const e = `+editor("data.body")+`; const d = new DataTransfer(); `+fill+`;
		const r = e.getBoundingClientRect();
		const more = {bubbles: true, cancelable: true, composed: true, clipboardData: d, dataTransfer: d, clientX: r.left + 20, clientY: r.top + 20};
		e.focus(); return e.dispatchEvent(`+map[string]string{"paste": "new ClipboardEvent('paste', more)",
		"drop": "new DragEvent('drop', more)"}[kind]+`), true; })()`)
}

// TestBrowserMarkdownWithoutLibrary offers no pictures to who may not read the library.
func TestBrowserMarkdownWithoutLibrary(t *testing.T) {
	s, at := desk(t)
	s.call("POST", "/roles", obj{"slug": "writers", "name": "Writers",
		"rules": []any{obj{"models": []string{"posts"}, "actions": []string{"read", "write"}}}})
	s.call("POST", "/users", obj{"email": "eva@example.com", "role": "writers", "password": password})
	images := `[...document.querySelectorAll(".markdown-bar [aria-label=Link], .markdown-bar [aria-label=Image]")].map((e) => e.ariaLabel).join()`
	for who, want := range map[string]string{"eva@example.com": "Link", email: "Link,Image"} {
		b := s.newTab().signIn(who, at)
		b.writesMarkdown("data.body")
		b.eventually(images, want)
	}
}

// TestBrowserMarkdownPictures drops, pastes and chooses a picture, with an alternative text.
func TestBrowserMarkdownPictures(t *testing.T) {
	s, at := desk(t)
	known := s.upload("lamp.png", color.White)
	s.call("PUT", "/media/"+known, obj{"alt": "A known lamp"})
	b := s.openTab(at)
	b.write("data.body", "x")
	for _, kind := range []string{"drop", "paste"} {
		b.transfer(kind,
			`const bytes = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), c => c.charCodeAt(0)); d.items.add(new File([bytes], "`+kind+`.png", {type: "image/png"}))`)
		b.see("Picture: " + kind + ".png")
		b.see("Uploaded.")
		b.audit(t, kind)
		b.keys("A " + kind)
		b.enter()
		b.until("the text has the picture", func() bool {
			return strings.Contains(b.value("data.body"), "![A "+kind+"](cms://media/")
		})
	}
	dropped := strings.TrimSuffix(strings.SplitN(b.value("data.body"), "//media/", 3)[1], ")\n\n![A paste](cms:")
	if alt := s.call("GET", "/media/"+dropped, nil)["alt"]; alt != "A drop" && alt != "A paste" {
		t.Errorf("the file has the alternative text %v", alt)
	}
	b.write("data.body", "")
	b.keys(kb.Backspace)
	b.do(mouseClick(chromedp.CSS(".markdown-bar [aria-label=Image]")))
	b.see("lamp.png")
	b.press("//dialog", "lamp.png")
	b.see("Picture: lamp.png")
	b.eventually("document.activeElement.value", "A known lamp")
	b.enter()
	b.eventually(`document.querySelector("[name='data.body']").value`,
		"![A known lamp](cms://media/"+known+")\n")
	b.eventually(editor("data.body")+".querySelector('img.picture')?.alt ?? ''", "A known lamp")
}

// dropPicture drops a picture in the middle of a word of a text, and waits until its alternative text is asked for.
func (b *tab) dropPicture(name, word string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => {
		const walker = document.createTreeWalker(%s, NodeFilter.SHOW_TEXT), data = new DataTransfer(), range = new Range();
		while (walker.nextNode() && !walker.currentNode.data.includes(%[2]q));
		const at = walker.currentNode.data.indexOf(%[2]q) + Math.floor(%[2]q.length / 2);
		range.setStart(walker.currentNode, at);
		range.setEnd(walker.currentNode, at + 1);
		const { left, top, height } = range.getBoundingClientRect();
		const dot = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0));
		data.items.add(new File([dot], "dot.png", { type: "image/png" }));
		walker.currentNode.parentElement.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true,
			cancelable: true, composed: true, clientX: left + 1, clientY: top + height / 2 }));
		return true;
	})()`, editor(name), word))
	b.see("Picture: dot.png")
	b.see("Uploaded.")
}

// TestBrowserMarkdownDropInWord: a picture that is dropped inside a word stands in a paragraph of its own behind that
// of the word, wherever the cursor was.
func TestBrowserMarkdownDropInWord(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", at, obj{"data": obj{"body": "Walnut boards and oil.\n\nThe end."}})
	b := s.openTab(at)
	b.writesMarkdown("data.body")
	b.dropPicture("data.body", "boards")
	b.keys("A dot")
	b.enter()
	b.until("the text has the picture", func() bool { return strings.Contains(b.value("data.body"), "cms://media/") })
	got := b.value("data.body")
	if before, after, _ := strings.Cut(got, "![A dot](cms://media/"); before != "Walnut boards and oil.\n\n" ||
		!strings.HasSuffix(after, ")\n\nThe end.") {
		t.Errorf("the text is %q", got)
	}
}

// TestBrowserMarkdownWordCount counts the words that readers see: addresses are none.
func TestBrowserMarkdownWordCount(t *testing.T) {
	_, _, b := openDesk(t)
	b.writesMarkdown("data.body")
	b.see("2 words")
	b.put("All [oil lamps](https://example.com/of/long-ago) burn oil: https://example.com/how-they-burn")
	b.see("5 words")
}

// TestBrowserMarkdownPaste pastes what a word processor and a site put on the clipboard.
func TestBrowserMarkdownPaste(t *testing.T) {
	_, _, b := openDesk(t)
	b.selectAll("data.body")
	b.transfer("paste",
		"d.setData('text/html', `<meta><b style=\"font-weight:normal\"><h2>Care</h2><p>Oil <span "+
			"style=\"font-weight:700\">twice</span> a <a href=\"https://example.com/y\">year</a>.</p>"+
			"<ul><li><p>One</p></li><li>Two<ul><li>Deep</li></ul></li></ul>"+
			"<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"+
			"<script>alert(1)</"+"script></b>`); d.setData('text/plain', 'Care')")
	b.eventually(`document.querySelector("[name='data.body']").value`,
		"## Care\n\nOil **twice** a [year](https://example.com/y).\n\n- One\n- Two\n    - Deep\n\n| A   | B   |\n| --- | "+
			"--- |\n| 1   | 2   |")
	b.selectAll("data.body")
	b.transfer("paste", "d.setData('text/plain', '*kept* as\\n is')")
	b.eventually(`document.querySelector("[name='data.body']").value`, "*kept* as\n is")
}

// TestBrowserMarkdownSteps goes on writing while the form around the editor is replaced: the text,
// the cursor and what can be undone stay.
func TestBrowserMarkdownSteps(t *testing.T) {
	s, _, b := openDesk(t)
	b.write("data.body", "One")
	s.delay.Store(patience.Milliseconds())
	b.press("//main", "Add quote")
	eval[bool](b, editor("data.body")+".focus(), true")
	b.keys(" two")
	s.delay.Store(0)
	b.rows("data.parts", 1)
	b.keys(" three")
	b.eventually(`document.querySelector("[name='data.body']").value`, "One two three")
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(2)))
	b.until("typing is undone", func() bool { return !strings.Contains(b.value("data.body"), "three") })
	if eval[int](b, "document.querySelectorAll('.markdown-editor').length") != 1 {
		t.Error("there are several editors")
	}
}

// TestBrowserLongTextKeys types into a text of 200 KB: keys do not wait for copies of the whole
// text, which are made once a second at most, and no typed text is missing in the saved one.
func TestBrowserLongTextKeys(t *testing.T) {
	s, _ := desk(t)
	line := "Oil goes into the *wood*, and can be renewed at any time.\n\n"
	at := "/models/posts/entries/" + s.made("/models/posts/entries", obj{"title": "Long",
		"data": obj{"body": strings.Repeat(line, 200<<10/len(line))}})
	b := s.openTab(at)
	b.writesMarkdown("data.body")
	eval[bool](b, `(() => {
		const own = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
		window.textCopies = 0;
		Object.defineProperty(HTMLTextAreaElement.prototype, "value", { ...own, set(text) {
			if (text.length > 100_000) window.textCopies++;
			own.set.call(this, text);
		} });
		`+editor("data.body")+`.focus();
		window.began = performance.now();
		return true;
	})()`)
	for range 40 {
		b.keys("z")
	}
	type work struct{ Copies, Seconds float64 }
	got := eval[work](b, "({ Copies: textCopies, Seconds: (performance.now() - began) / 1000 })")
	if got.Copies > got.Seconds+1 {
		t.Errorf("%v copies of the text in %v seconds", got.Copies, got.Seconds)
	}
	typed := strings.Repeat("z", 40)
	b.until("what was typed is saved", func() bool {
		text, _ := s.draftOf(at)["body"].(string)
		return strings.Contains(text, typed)
	})
	b.see(" words")
}

// TestBrowserMarkdownPasteCorpus pastes what Word, Google Docs, Pages, Notion and sites put on the
// clipboard: bold, lists, nested lists, tables with their heads and links are kept, and what is
// lost is named.
func TestBrowserMarkdownPasteCorpus(t *testing.T) {
	_, _, b := openDesk(t)
	b.write("data.body", "x")
	inWord := func(list, level int, sign, text string) string {
		return fmt.Sprintf(`<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l%d level%d lfo1'><span style='mso-list:Ignore'>%s<span>&nbsp;&nbsp; </span></span>%s<o:p></o:p></p>`,
			list, level, sign, text)
	}
	for name, c := range map[string]struct{ html, want, lost string }{
		"Word": {`<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><!--StartFragment--><h1>Report<o:p></o:p></h1><p class=MsoNormal>This is <b style='mso-bidi-font-weight:normal'>important</b> and <u>marked</u>.<o:p></o:p></p>` +
			`<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span>First</p>` +
			`<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o<span>&nbsp; </span></span>Deep</p>` +
			`<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp; </span></span>Second</p>` +
			`<p class=MsoNormal>Steps:</p><p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span>Step one</p>` +
			`<table class=MsoTableGrid><tr><td><p class=MsoNormal><b>A</b></p></td><td><p class=MsoNormal>B</p></td></tr><tr><td><p class=MsoNormal>1</p><p class=MsoNormal>one</p></td><td><p class=MsoNormal>2</p></td></tr></table><!--EndFragment--></body></html>`,
			"## Report\n\nThis is **important** and marked.\n\n- First\n    - Deep\n- Second\n\nSteps:\n\n1. Step one\n\n| " +
				"**A** | B   |\n| --- | --- |\n| 1 one | 2   |", "underlines"},
		"Google Docs": {`<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700;font-style:italic">Both</span><span style="font-weight:400"> plain</span></p>` +
			`<ul><li dir="ltr"><p role="presentation"><span>One</span></p></li><ul><li dir="ltr"><p role="presentation"><span>Deep</span></p></li></ul><li dir="ltr"><p role="presentation"><span>Two</span></p></li></ul>` +
			`<p><img src="https://localhost/x"></p></b>`, "***Both*** plain\n\n- One\n    - Deep\n- Two",
			"pictures of other sites"},
		"lists of Word": {
			`<h1 style='mso-list:l2 level1 lfo3'><span style='mso-list:Ignore'>2<span>&nbsp; </span></span>Plan</h1>` +
				inWord(0, 1, "·", "bullet") + inWord(1, 1, "3.", "three") + inWord(1, 2, "o", "deep") +
				inWord(1, 3, "a)", "deepest") + inWord(1, 1, "4.", "four"),
			"## 2 Plan\n\n- bullet\n\n3. three\n    - deep\n        1. deepest\n4. four", ""},
		"footnotes of Word": {`<p class=MsoNormal>Text<a style='mso-footnote-id:ftn1' href="#_ftn1"><span>[1]</span></a> goes on.</p><p><a href="#_ftnref1"><span>[1]</span></a> Note, <a href="file:///C:/a.docx">file</a>, <a href=" https://a.example/ ">site</a><a href="https://a.example/"></a>.</p>`,
			"Text\\[1\\] goes on.\n\n\\[1\\] Note, file, [site](https://a.example/).", "links that only work in their document"},
		"checks of Google Docs": {`<b style="font-weight:normal"><ul><li role="checkbox" aria-checked="true"><img src="data:image/png;base64,AAAA" aria-roledescription="checkbox"><p role="presentation"><span style="text-decoration:line-through">Done</span></p></li><li role="checkbox" aria-checked="false"><img src="data:image/png;base64,AAAA"><p role="presentation"><span>Open</span></p></li></ul><br><p>After</p></b>`,
			"- [x] ~~Done~~\n- [ ] Open\n\nAfter", ""},
		"Apple Notes": {`<div>Prices</div><div><br></div><object><table><tbody><tr><td><div>a</div></td><td><div>b</div></td></tr><tr><td><div>1</div></td><td><div>2</div></td></tr></tbody></table></object>`,
			"Prices\n\n| a   | b   |\n| --- | --- |\n| 1   | 2   |", ""},
		"Gmail": {`<div dir="ltr">Hi,<div><br></div><div>see:</div><pre>a  b</pre></div>`,
			"Hi,\n\nsee:\n\n```\na  b\n```", ""},
		"a table with merged cells": {`<table><caption>Prices</caption><colgroup><col></colgroup><tr><th colspan="2">Both</th><th>C</th></tr><tr><td rowspan="2">R</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>`,
			"Prices\n\n| Both |     | C   |\n| --- | --- | --- |\n| R   | 1   | 2   |\n|     | 3   | 4   |", "merged cells"},
		"a table with a list": {`<table><tr><td>a<table><tr><td>x</td><td>y</td></tr></table></td><td>b<ul><li>c</li><li>d</li></ul></td></tr><tr><td>1</td><td>2</td></tr></table>`,
			"| a x y | b c d |\n| --- | --- |\n| 1   | 2   |", "lists and tables in cells"},
		"Pages": {`<p class="p1"><b>Bold</b> and <i>italic</i></p><ol class="ol1"><li class="li1">One</li><li class="li1">Two</li></ol>`,
			"**Bold** and *italic*\n\n1. One\n2. Two", ""},
		"Notion": {`<meta charset='utf-8'><h3>Tasks</h3><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Done</span></li><li><div class="checkbox checkbox-off"></div> <span>Open</span></li></ul>`,
			"### Tasks\n\n- [x] Done\n- [ ] Open", ""},
		"a site": {`<article><h2>Care</h2><p>See <a href="https://example.com/a">the guide</a>, H<sub>2</sub>O.</p><dl><dt>Oil</dt><dd>Linseed</dd></dl><iframe src="https://example.com"></iframe></article>`,
			"## Care\n\nSee [the guide](https://example.com/a), H2O.\n\n**Oil**\n\nLinseed",
			"raised and lowered characters, videos and embedded pages"},
	} {
		b.selectAll("data.body")
		b.transfer("paste", fmt.Sprintf("d.setData('text/html', %q); d.setData('text/plain', 'plain')", c.html))
		b.eventually(`document.querySelector("[name='data.body']").value`, c.want)
		if t.Log(name); c.lost != "" {
			b.see("Not kept of what was pasted: " + c.lost)
		}
	}
	b.audit(t, "named")
}

// TestBrowserMarkdownKeys nests a list by Tab, links words by a pasted address, leaves a table by
// Enter, and finds and replaces.
func TestBrowserMarkdownKeys(t *testing.T) {
	_, _, b := openDesk(t)
	b.write("data.body", "x")
	put := func(text string) {
		eval[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector("[name='data.body']"); e.value = %q;
			e.dispatchEvent(new Event("input", {bubbles: true})); e.focus(); return true; })()`, text))
		b.do(chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	}
	value := `document.querySelector("[name='data.body']").value`
	put("- a\n- b")
	b.keys(kb.Tab)
	b.eventually(value, "- a\n  - b")
	b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	b.eventually(value, "- a\n- b")
	put("read this")
	b.selectAll("data.body")
	b.transfer("paste", "d.setData('text/plain', 'https://example.com/a')")
	b.eventually(value, "[read this](https://example.com/a)")
	b.press("//main", "Source")
	put("| A |\n| - |\n| 1 |")
	b.eventually(`String(document.querySelector(".of-table")?.hidden)`, "false")
	b.enter()
	b.keys("| 2 |")
	b.enter()
	b.keys("end")
	b.eventually(value, "| A |\n| - |\n| 1 |\n| 2 |\n\nend")
	shiftTab := func() {
		b.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
	}
	put("| A | B |\n| - | - |\n| 1 |   |")
	// from the last cell, to the first of its row, and to the head
	shiftTab()
	b.keys("one" + kb.Tab + "two" + kb.Tab + "three" + kb.Tab + "four") // Tab after the last cell adds a row
	b.eventually(value, "| A | B |\n| - | - |\n| one | two  |\n| three | four |")
	shiftTab()
	shiftTab()
	shiftTab()
	shiftTab()
	b.keys("Head")
	b.eventually(value, "| A | Head |\n| - | - |\n| one | two  |\n| three | four |")
	shiftTab()
	shiftTab() // out of the first cell, and of the editor
	b.until("the editor was left", func() bool {
		return eval[bool](b, "document.activeElement.closest('.cm-content') === null")
	})
	put("one two one")
	b.do(chromedp.KeyEvent("f", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.until("the panel is open",
		func() bool { return eval[bool](b, "document.activeElement?.closest('.markdown-find') !== null") })
	b.keys("one")
	b.enter()
	b.see("of 2")
	b.audit(t, "find")
	b.do(chromedp.SetValue(chromedp.CSS(".markdown-find .field:nth-of-type(2) input"), "three"))
	b.press("//div[@role='search']", "Replace all")
	b.eventually(value, "three two three")
}

// TestBrowserFindLetters replaces words behind letters that have other lengths in lower case.
func TestBrowserFindLetters(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", at, obj{"data": obj{"body": strings.Repeat("İ", 9) + " a cat (CAT)"}})
	b := s.openTab(at)
	b.see("4 words")
	eval[bool](b, editor("data.body")+".focus(), true")
	b.do(chromedp.KeyEvent("f", chromedp.KeyModifiers(chromedp.ModifierCtrl)),
		chromedp.SetValue(chromedp.CSS(".markdown-find .field input"), "cat"),
		chromedp.SetValue(chromedp.CSS(".markdown-find .field:nth-of-type(2) input"), "dog"))
	b.press("//div[@role='search']", "Replace all")
	b.see("2 replaced")
	b.until("the draft has the words", func() bool {
		return s.draftOf(at)["body"] == strings.Repeat("İ", 9)+" a dog (dog)"
	})
}
