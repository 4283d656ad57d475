package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// passage selects a text in a field, as the keyboard or the mouse does.
func (b *tab) passage(name, text string) {
	b.t.Helper()
	b.writesMarkdown(name)
	b.eventually(fmt.Sprintf(`(() => {
		const field = document.querySelector("[name='%s']"), at = field.value.indexOf(%q);
		field.focus();
		field.setSelectionRange(at, at + %d);
		return String(at >= 0);
	})()`, name, text, len(text)), "true")
	b.eventually(`String(Boolean(document.querySelector("#entry .talk button")))`, "true")
}

// marked is the text that is selected in a field.
func marked(name string) string {
	return fmt.Sprintf(`(() => {
		const field = document.querySelector("[name='%s']");
		return field.selected?.() ?? field.value.slice(field.selectionStart, field.selectionEnd);
	})()`, name)
}

// told announces a window at once, as the poll does every 20 seconds.
func (b *tab) told() {
	b.t.Helper()
	eval[bool](b, `document.dispatchEvent(new Event("visibilitychange")), true`)
}

// TestBrowserComments has two people comment passages beside the form of an entry: by the button, by
// the key, with replies that appear while the page is open, until a passage is gone.
func TestBrowserComments(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", at+"/draft", obj{"data": obj{"body": "About **warm** light.\n\nMore of it."}})
	jonas := s.colleague("Jonas", "jonas@example.com")
	b := s.openTab(at)
	b.passage("data.body", "warm** light")
	b.press("//div[@class='talk']", "Comment")
	b.focused("c-text")
	b.eventually(`document.getElementById("c-quote").value`, "warm** light")
	b.keys("Which light, and how warm?")
	b.snap("comments-new")
	b.press("//*[@id='talk-panel']", "Add comment")
	b.eventually(`document.activeElement.querySelector("blockquote")?.textContent ?? ""`, "warm** light")
	b.see("1 comment")
	b.audit(t, "comments")
	b.eventually(`[...document.querySelectorAll(".thread")].map((e) => [e.dataset.field, e.querySelector("blockquote").textContent, e.querySelector(".said").textContent]).join()`,
		"data.body,warm** light,Which light, and how warm?")

	// A colleague sees it, goes to the passage, answers, and resolves it.
	jonas.open(at)
	jonas.press("//div[@class='talk']", "1 comment")
	jonas.eventually(`document.activeElement.className`, "thread")
	jonas.press("//*[@id='talk-panel']", "warm** light")
	jonas.eventually(marked("data.body"), "warm** light")
	jonas.passage("data.teaser", "Short")
	jonas.do(chromedp.KeyEvent("m", chromedp.KeyModifiers(2|1)))
	jonas.focused("c-text")
	jonas.keys("Too short.")
	jonas.press("//*[@id='talk-panel']", "Add comment")
	jonas.eventually(`String(document.querySelectorAll(".talk-panel .thread").length)`, "2")
	b.told()
	b.see("Too short.")
	b.press("(//*[@id='talk-panel']//article)[2]", "Reply")
	b.do(chromedp.SendKeys(chromedp.CSS(".thread:nth-of-type(2) textarea"), "Longer"))
	jonas.press("(//*[@id='talk-panel']//article)[1]", "Resolve")
	jonas.see("Reopen")
	b.told()
	b.see("Reopen")
	b.keys(" now.") // what is typed stays when others change something
	b.press("//*[@id='talk-panel']", "Send reply")
	b.see("Longer now.")
	for _, scheme := range []string{"dark", "light"} {
		b.scheme(scheme)
		b.auditColours(t, "comments, "+scheme)
		b.snap("comments-" + scheme)
	}

	// A passage is found after changes before it, and shown as lost once it is gone.
	b.fill("data.teaser", "Rather Short")
	b.see("Saved ")
	b.press("//*[@id='talk-panel']", "Short")
	b.eventually(marked("data.teaser"), "Short")
	b.fill("data.teaser", "Long")
	b.see("No longer in the text")
	b.press("//*[@id='talk-panel']", "Close")
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(at)
	b.press("//div[@class='actions']", "⋯")
	b.press("//div[@class='actions']", "Comments 1")
	b.see("No longer in the text")
	b.snap("comments-phone")
	b.audit(t, "comments on a phone")
}

// TestBrowserCommentsOfReaders lets somebody comment who may not change the entry.
func TestBrowserCommentsOfReaders(t *testing.T) {
	s, at := desk(t)
	s.call("POST", at+"/comments", obj{"text": "First", "field": "data.body", "quote": "light"})
	b := s.person("Vera", "vera@example.com", "viewer")
	b.open(at)
	b.press("//div[@class='views']", "Comments 1")
	b.see("First")
	b.do(chromedp.SendKeys(chromedp.CSS("#c-text"), "Second"))
	b.press("//*[@id='talk-panel']", "Add comment")
	b.see("Second")
	s.call("POST", at+"/comments", obj{"text": "Third"})
	b.told()
	b.see("Third")
	b.audit(t, "comments of readers")
}

// TestBrowserReaders: who may only read an entry sees values, and neither inputs nor buttons that do nothing. Without
// JavaScript, the text is shown without the signs of Markdown.
func TestBrowserReaders(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", at+"/draft", obj{"data": obj{"parts": []any{obj{"type": "quote", "text": "So."}}}})
	b := s.person("Vera", "vera@example.com", "viewer")
	const shown = `[...document.querySelectorAll(".sheet :is(button, input, textarea)")].filter((e) => e.offsetHeight &&
		(e.tagName === "BUTTON" || getComputedStyle(e).borderTopWidth !== "0px")).length + ""`
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		b.open(at)
		b.do(chromedp.WaitVisible(chromedp.CSS(".markdown-text")))
		b.eventually(shown, "0")
		b.audit(t, "an entry for readers")
		b.snap("reader-" + scheme)
	}
	b.withoutScripts()
	b.open(at)
	b.see("About light.")
	b.missing("*light*")
}

// TestBrowserCommentsInBlocks comments a passage of a block. It is found after the block has moved.
func TestBrowserCommentsInBlocks(t *testing.T) {
	s, at := desk(t)
	part := func(text string) obj { return obj{"type": "quote", "text": text} }
	s.call("PUT", at+"/draft", obj{"data": obj{"parts": []any{part("One says"), part("Two say")}}})
	b := s.openTab(at)
	b.passage("data.parts.1.text", "say")
	b.press("//div[@class='talk']", "Comment")
	b.focused("c-text")
	b.keys("Who?")
	b.press("//*[@id='talk-panel']", "Add comment")
	b.eventually(`document.activeElement.dataset.field ?? ""`, "data.parts.1.text")
	b.eventually(`document.querySelector(".talk button").closest(".field").querySelector("textarea").name`,
		"data.parts.1.text")
	s.call("PUT", at+"/draft", obj{"data": obj{"parts": []any{part("Two say"), part("None")}}})
	b.open(at)
	b.press("//div[@class='talk']", "1 comment")
	b.see("Who?")
	b.press("//*[@id='talk-panel']", "say")
	b.eventually(marked("data.parts.0.text"), "say")
	b.missing("No longer in the text")
}

// TestBrowserCommentsOfNew comments an entry on the page on which it was begun: the panel is there from
// its first save on, and what is typed meanwhile stays.
func TestBrowserCommentsOfNew(t *testing.T) {
	s, _ := desk(t)
	b := s.openTab("/models/posts/entries/create?locale=en")
	b.fill("title", "Candles")
	b.fill("data.teaser", "Made of wax")
	b.eventually(`String(location.pathname.endsWith("/create"))`, "false")
	at := strings.TrimPrefix(eval[string](b, `location.pathname`), "/admin")
	b.fill("data.teaser", "Made of bees wax")
	b.passage("data.teaser", "bees")
	b.press("//div[@class='talk']", "Comment")
	b.focused("c-text")
	b.keys("Ours?")
	b.press("//*[@id='talk-panel']", "Add comment")
	b.eventually(`document.activeElement.querySelector("blockquote")?.textContent ?? ""`, "bees")
	s.call("POST", at+"/comments", obj{"text": "Say so."})
	b.told()
	b.see("Say so.")
	b.eventually(`String(dirty || saving)`, "null")
	if got := s.call("GET", at+"/draft", nil)["data"].(obj)["teaser"]; got != "Made of bees wax" {
		t.Errorf("the draft has %v", got)
	}
	b.audit(t, "comments of a new entry")
}

// TestBrowserCommentOnce presses the button of a comment twice over a slow line: it is sent once.
func TestBrowserCommentOnce(t *testing.T) {
	s, _, b := openDesk(t)
	b.do(mouseClick(chromedp.CSS("[data-pane=comments]")),
		chromedp.SendKeys(chromedp.CSS("#comments form.form [name=text]"), "Please look"))
	s.delay.Store(200)
	eval[bool](b, `(() => { const send = document.querySelector("#comments form.form button:not([type=button])");
		send.click(); send.click(); return true; })()`)
	b.eventually(`document.querySelectorAll(".thread").length + document.activeElement.className`, "1thread")
}

// TestBrowserMention names a colleague beside the form of an entry. Only ids were mentions, and nobody can type them.
func TestBrowserMention(t *testing.T) {
	s, at, b := openDesk(t)
	jonas := s.colleague("Jonas Ost", "jonas@example.com")
	b.do(mouseClick(chromedp.CSS("[data-pane=comments]")), chromedp.WaitVisible(chromedp.CSS("#c-text")))
	b.focus("#c-text")
	b.keys("Please look, @jonas")
	b.press("//*[@id='talk-panel']", "Add comment")
	b.see("Please look, @Jonas Ost")
	b.audit(t, "a mention")
	b.snap("mention")
	jonas.open("/tasks")
	jonas.see("Please look, @Jonas Ost")
	jonas.press("//main//table", "Lamps")
	jonas.eventually(`document.activeElement.className + location.pathname.replace(/^.admin/, "")`, "thread"+at+"/review")
	jonas.snap("mention-read")
}

// TestBrowserMentionList offers the names of those who may read the entry after "@": by the keyboard, by a press on a
// phone, in a reply too, and on the page of the review. A user who may not read entries is not offered.
func TestBrowserMentionList(t *testing.T) {
	s, at, b := openDesk(t)
	for _, name := range []string{"Jonas Ost", "Jona West", "Maria Nord"} {
		s.call("POST", "/users", obj{"email": strings.ReplaceAll(name, " ", ".") + "@example.com", "name": name,
			"role": "editor", "password": password})
	}
	s.call("POST", "/roles", obj{"slug": "guests", "name": "Guests", "rules": []obj{}})
	s.call("POST", "/users", obj{"email": "g@example.com", "name": "Jon Guest", "role": "guests", "password": password})
	const listed = `[...document.querySelectorAll("#mentions li")].map((e) => e.textContent + (e.ariaSelected === "true" ? "*" : "")).join()`
	const active = `document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.textContent ?? ""`
	b.do(mouseClick(chromedp.CSS("[data-pane=comments]")), chromedp.WaitVisible(chromedp.CSS("#c-text")))
	b.focus("#c-text")
	b.keys("Look, @")
	b.eventually(listed, "Administrator*,Jona West,Jonas Ost,Maria Nord")
	b.audit(t, "names for a mention")
	b.snap("mention-list")
	b.keys("jon")
	b.eventually(listed, "Jona West*,Jonas Ost")
	b.keys(kb.ArrowDown)
	b.eventually(active, "Jonas Ost")
	b.enter()
	b.keys("and @nord" + kb.Tab)
	b.eventually(`document.getElementById("c-text").value + document.querySelectorAll("#mentions").length`,
		"Look, @Jonas Ost and @Maria Nord 0")
	b.keys("and me@jona, @jo")
	b.eventually(listed, "Jona West*,Jonas Ost")
	b.keys(kb.Escape) // closes the list, and not the panel
	b.eventually(listed+` + document.getElementById("talk-panel").hidden`, "false")
	b.keys("n")
	b.eventually(listed+` + document.activeElement.value.slice(-4)`, "@jon")
	b.press("//*[@id='talk-panel']", "Add comment")
	b.see("Look, @Jonas Ost and @Maria Nord and me@jona, @jon")

	// A reply on a phone, on the page of the review.
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(at + "/review")
	b.press("//article", "Reply")
	b.focus("[id^=reply]")
	b.keys("@")
	b.eventually(listed, "Administrator*,Jona West,Jonas Ost,Maria Nord")
	b.keys(kb.Escape) // closes the list, and not the reply
	b.eventually(listed+` + document.activeElement.value`, "@")
	b.keys(kb.Backspace + "@jona")
	b.eventually(listed, "Jona West*,Jonas Ost")
	b.audit(t, "names for a mention on a phone")
	eval[bool](b, `document.activeElement.scrollIntoView({ block: "center" }), true`)
	b.snap("mention-list-phone")
	b.do(mouseClick(chromedp.CSS("#mentions li:last-child")))
	b.eventually(`document.activeElement.value`, "@Jonas Ost ")
	b.press("//article", "Send reply")
	b.see("@Jonas Ost")
	jonas := s.newTab().signIn("Jonas.Ost@example.com")
	jonas.open("/tasks")
	jonas.eventually(`String(document.querySelectorAll("tbody tr").length)`, "2")
}
