package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// tick selects the rows of a list by their titles.
func (b *tab) tick(titles ...string) {
	b.t.Helper()
	for _, title := range titles {
		b.click(fmt.Sprintf(`//tr[contains(., %q)]//input`, title))
	}
}

// TestBrowserSeveralReviews asks for the review of three entries without scripts. A colleague approves
// one, is told why another is refused, and sends the third back.
func TestBrowserSeveralReviews(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "review": 1})
	var third string
	for _, title := range []string{"First", "Second", "Third"} {
		third = s.made("/models/posts/entries", obj{"title": title})
	}
	jonas := s.colleague("Jonas", "jonas@example.com")
	b := s.openPlainTab("/models/posts/entries")
	b.press("//form", "Ask for review…")
	b.see("Nothing was selected.")
	b.tick("First", "Second", "Third")
	b.press("//form", "Ask for review…")
	b.see("Second (English, version 1, not asked)")
	b.click(`//label[contains(., "Jonas")]//input`)
	b.fill("note", "For Monday")
	b.audit(t, "ask for several reviews")
	b.press("//main", "Ask for review")
	b.see("Saved.")

	jonas.open("/models/posts/entries?filter%5Breview%5D=requested")
	jonas.tick("First", "Second")
	jonas.press("//form", "Approve…")
	jonas.see("Second (English, version 1, in review)")
	second := `//label[contains(., "Second")]//a`
	jonas.eventually(fmt.Sprintf(`String(document.evaluate(%q, document).iterateNext().href.endsWith("/review"))`, second),
		"true")
	s.call("PUT", "/models/posts/entries/"+entryID(jonas, second), obj{"title": "Second, again"})
	jonas.press("//main", "Approve")
	jonas.see("Approve: 1 of 2")
	jonas.see("Somebody saved a newer version than the one that you decided on.")
	jonas.audit(t, "refused reviews")
	jonas.press("//main", "Back to the list")
	jonas.tick("Third")
	jonas.press("//form", "Send back…")
	jonas.press("//main", "Send back")
	jonas.see("is required")
	jonas.fill("note", "Too long")
	jonas.press("//main", "Send back")
	jonas.see("Saved.")
	if state := s.call("GET", "/models/posts/entries/"+third+"/review", nil)["state"]; state != "returned" {
		t.Errorf("the third is %v", state)
	}
}

// entryID is the id in the address of an entry's review that a link has.
func entryID(b *tab, link string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`document.evaluate(%q, document).iterateNext().href.split("/").at(-2)`, link))
}

// TestBrowserReviewIsLive has a reader with the page of a review open while others comment, save, ask
// again and approve. What the reader types stays, and no version is approved that was not shown.
func TestBrowserReviewIsLive(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", "/models/posts", obj{"review": 2})
	s.call("PUT", at+"/draft", obj{"title": "Oil lamps"})
	s.call("POST", at+"/review", obj{})
	jonas := s.colleague("Jonas", "jonas@example.com")
	vera := s.colleague("Vera", "vera@example.com")
	jonas.open(at + "/review")
	jonas.see("nobody yet")
	write := func(field, text string) {
		t.Helper()
		jonas.do(chromedp.SendKeys(chromedp.CSS(field), text))
	}

	// Comments and approvals of others come by themselves.
	write("#c-text", "Which ")
	s.call("POST", at+"/comments", obj{"text": "Name the oil."})
	vera.open(at + "/review")
	vera.press("//main", "Approve")
	vera.see("Saved.")
	jonas.told()
	jonas.see("Name the oil.")
	jonas.eventually(`document.querySelector("#decision dl dd:last-of-type").textContent`, "V Vera")
	jonas.keys("oil?") // the focus is where it was
	jonas.eventually(`document.getElementById("c-text").value`, "Which oil?")
	jonas.press("//main", "Add comment")
	jonas.see("Which oil?")

	// A newer version is shown at a click only. Before, it cannot be approved.
	jonas.press("//main", "Send back")
	write("#r-return", "Say more")
	s.call("PUT", at+"/draft", obj{"title": "Gas lamps"})
	jonas.told()
	jonas.see("Somebody saved a newer version than the one that you see.")
	jonas.audit(t, "a newer version than the reviewed one")
	jonas.missing("Gas lamps")
	jonas.eventually(`String(document.querySelector("form[action$='/approve'] button").disabled)`, "true")
	jonas.told() // says it once
	jonas.press("//main", "Show it")
	jonas.focused("changed")
	jonas.see("Gas")
	jonas.eventually(`document.getElementById("r-return").value`, "Say more")
	jonas.eventually(`document.querySelector("#decision dl dd:last-of-type").textContent`, "nobody yet")

	// One that was saved a moment ago is refused, and shown.
	s.call("PUT", at+"/draft", obj{"title": "Sun lamps"})
	jonas.press("//*[@id='decision']//form", "Send back")
	jonas.see("Somebody saved a newer version than the one that you decided on.")
	jonas.see("Sun")
	jonas.eventually(`document.getElementById("r-return").value`, "Say more")
	jonas.audit(t, "a refused decision")
	jonas.press("//main", "Approve")
	jonas.see("Saved.")
	if state := s.call("GET", at+"/review", nil); state["version"] != "d3" || len(state["approvals"].([]any)) != 1 {
		t.Errorf("the review is %v", state)
	}

	// The form for a note goes with the review; a typed note waits until the reader goes on, and becomes a comment.
	jonas.press("//main", "Send back")
	write("#r-return", "Too short")
	vera.open(at + "/review")
	vera.press("//main", "Send back")
	vera.do(chromedp.SendKeys(chromedp.CSS("#r-return"), "Not now\r"))
	vera.press("//*[@id='decision']//form", "Send back")
	vera.see("Saved.")
	jonas.told()
	jonas.see("Copy your text before you go on.")
	jonas.eventually(`document.getElementById("r-return").value`, "Too short")
	jonas.press("//main", "Show it")
	jonas.see("Not now")
	jonas.eventually(`document.getElementById("c-text").value`, "Too short")
	if !jonas.asksToStay() {
		t.Error("the note is left without a question")
	}
}

// TestBrowserApproveOnPhone opens the link of a mail on a phone, signs in, approves the version that it is about, and
// goes on to publish it, up to the link to the site.
func TestBrowserApproveOnPhone(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", "/models/posts", obj{"review": 1, "url": "https://site.example/blog/{slug}"})
	s.call("POST", "/users", obj{"email": "jonas@example.com", "name": "Jonas", "role": "editor", "password": password})
	s.call("PUT", at+"/draft", obj{"title": "Oil lamps", "data": obj{"body": "About *oil*.", "teaser": "Longer"}})
	s.call("POST", at+"/review", obj{"note": "Before Monday"})
	b := s.newTab()
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(at + "/review")
	b.fill("email", "jonas@example.com")
	b.fill("password", password)
	b.press("//main", "Sign in")
	b.see("Before Monday")
	if b.offers("Publish") {
		t.Error("who approves may publish before it is approved")
	}
	b.press("//main", "Approve")
	b.see("Saved.")
	b.snap("phone-approved")
	if b.offers("Approve") {
		t.Error("who has approved is asked again")
	}
	b.audit(t, "approved on a phone")
	b.press(`//section[@id="decision"]`, "Publish")
	b.see("Published: everybody can read it.")
	b.see("View on the site")
	b.snap("phone-published")
	if e := s.call("GET", at, nil); e["title"] != "Oil lamps" {
		t.Errorf("published %v", e["title"])
	}
}
