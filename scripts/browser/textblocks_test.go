package browser

import (
	"image/color"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// frames are the frames of the blocks in the text of the entry: types, and words.
const frames = `[...document.querySelector("[data-editor]").shadowRoot.querySelectorAll(".block")].map(e =>
	e.querySelector(".kind").textContent + ": " + (e.querySelector(".words")?.textContent ?? "")).join(", ")`

// dialogFocus is the name of the input in the dialog that has the focus.
const dialogFocus = `document.activeElement.closest("dialog") ? document.activeElement.name : ""`

// textBlocks opens an entry whose text may have blocks.
func textBlocks(t *testing.T) (s *site, at, picture string, b *tab) {
	t.Helper()
	s, at = desk(t)
	picture = s.upload("sun.png", color.RGBA{230, 160, 40, 255})
	s.call("PUT", "/models/posts", obj{"fields": []obj{
		{"name": "body", "label": "Text", "type": "richtext", "fields": []obj{
			{"name": "callout", "label": "Callout", "type": "group", "fields": []obj{
				{"name": "title", "label": "Title", "type": "text", "required": true},
				{"name": "tone", "label": "Tone", "type": "select", "options": []string{"hint", "warning"}},
				{"name": "text", "label": "Text", "type": "textarea"},
				{"name": "points", "label": "Points", "type": "list",
					"fields": []obj{{"name": "point", "label": "Point", "type": "text"}}}}},
			{"name": "embed", "label": "Embed", "type": "group", "fields": []obj{
				{"name": "address", "label": "Address", "type": "url", "required": true},
				{"name": "width", "label": "Width", "type": "number", "max": 1200},
				{"name": "wide", "label": "Whole width", "type": "boolean"},
				{"name": "since", "label": "Since", "type": "date"}}},
			{"name": "figure", "label": "Picture with caption", "type": "group", "fields": []obj{
				{"name": "photo", "label": "Photo", "type": "media", "required": true},
				{"name": "caption", "label": "Caption", "type": "text"},
				{"name": "more", "label": "Read on", "type": "relation", "model": "posts"}}},
		}}}})
	s.call("PUT", at, obj{"data": obj{"body": "First.\n\nLast."}})
	b = s.openTab(at)
	b.writesMarkdown("data.body")
	return s, at, picture, b
}

// slash chooses in the slash menu.
func (b *tab) slash(words, choice string) {
	b.t.Helper()
	b.keys("/" + words)
	b.eventually(editor("data.body")+`.getRootNode().querySelector("[aria-selected=true]")?.textContent ?? ""`, choice)
	b.enter()
}

// TestBrowserTextBlocks inserts blocks into a text by their forms, edits one and removes one. The API has them.
func TestBrowserTextBlocks(t *testing.T) {
	s, at, picture, b := textBlocks(t)
	b.put("First.\n\nLast.") // with the cursor in the first paragraph
	b.do(mouseClick(chromedp.CSS("[aria-label='Insert block']")))
	b.see("Picture with caption")
	b.audit(t, "the types")
	b.press("//dialog", "Callout")
	b.eventually(dialogFocus, "block.title")
	b.keys("Mind: the gap")
	b.do(chromedp.SetValue(chromedp.CSS("dialog [name='block.tone']"), "warning"))
	b.press("//dialog", "Add another")
	b.eventually(dialogFocus, "block.points.0.point")
	b.keys("One")
	b.audit(t, "a block")
	b.press("//dialog", "Insert")
	callout := "```block callout\ntitle: |-\n  Mind: the gap\ntone: warning\npoints: [{\"point\":\"One\"}]\n```"
	b.eventually(body, "First.\n\n"+callout+"\n\nLast.")
	b.eventually(frames, "Callout: Mind: the gap · warning")
	b.keys("After")
	b.eventually(body, "First.\n\n"+callout+"\nAfter\nLast.")
	b.chord("z", chromedp.ModifierCtrl)
	b.eventually(body, "First.\n\n"+callout+"\n\nLast.")

	b.do(mouseClick(chromedp.CSS("[aria-label='Insert block']")))
	b.press("//dialog", "Picture with caption")
	b.eventually("document.activeElement.closest('dialog') ? document.activeElement.textContent : ''",
		"Choose a file: Photo")
	b.press("//dialog", "Insert")
	b.see("is required")
	b.eventually("String(document.activeElement.closest('.wrong')?.id)", "f-block.photo")
	b.audit(t, "a refused block")
	b.enter()
	b.press("//dialog[contains(@class,'picker')]", "sun.png")
	b.fillIn("block.caption", "Sun over \"roofs\"")
	b.press("//dialog", "Insert")
	figure := "```block figure\nphoto: " + picture + "\ncaption: Sun over \"roofs\"\n```"
	b.eventually(body, "First.\n\n"+callout+"\n\n"+figure+"\n\nLast.")
	b.eventually(frames, "Callout: Mind: the gap · warning, Picture with caption: Sun over \"roofs\"")
	b.eventually(`String(document.querySelector("[data-editor]").shadowRoot.querySelector(".block img")?.naturalWidth > 0)`,
		"true")
	b.audit(t, "frames")

	eval[bool](b, `(document.querySelector("[data-editor]").shadowRoot.querySelector(".block button").click(), true)`)
	b.eventually(dialogFocus, "block.title")
	b.eventually("document.activeElement.value", "Mind: the gap")
	b.fillIn("block.title", "Mind the step")
	b.press("//dialog", "Save")
	edited := strings.Replace(callout, "|-\n  Mind: the gap", "Mind the step", 1)
	b.eventually(body, "First.\n\n"+edited+"\n\n"+figure+"\n\nLast.")
	b.press("//main", "Remove block") // the cursor is in the edited one
	b.eventually(body, "First.\n\n\n"+figure+"\n\nLast.")
	b.chord("z", chromedp.ModifierCtrl)
	b.eventually(frames, "Callout: Mind the step · warning, Picture with caption: Sun over \"roofs\"")
	b.until("the draft has the blocks", func() bool {
		return s.draftOf(at)["body"] == "First.\n\n"+edited+"\n\n"+figure+"\n\nLast."
	})
	b.press("//main", "Publish changes")
	b.see("Published: everybody can read it.")
	var answer struct {
		Data struct {
			Data struct{ Body []obj }
		}
	}
	key := s.call("POST", "/keys", obj{"name": "site", "kind": "publishable"})["public_key"].(string)
	s.read("/delivery/v1/"+key+"/posts/lamps?richtext=parts", &answer)
	want := []obj{{"type": "text", "text": "First.\n\n"},
		{"type": "callout", "title": "Mind the step", "tone": "warning", "points": []any{obj{"point": "One"}}},
		{"type": "figure", "caption": "Sun over \"roofs\"", "photo": picture}, {"type": "text", "text": "\nLast."}}
	if got := answer.Data.Data.Body; !reflect.DeepEqual(got, want) {
		t.Errorf("the API has %v", got)
	}
}

// fillIn types into an input of the dialog, over its text.
func (b *tab) fillIn(name, text string) {
	b.t.Helper()
	b.do(chromedp.Focus(chromedp.CSS("dialog [name='" + name + "']")))
	b.chord("a", chromedp.ModifierCtrl)
	b.keys(text)
}

// TestBrowserTextBlocksByKeys does the same by keys alone.
func TestBrowserTextBlocksByKeys(t *testing.T) {
	s, at, _, b := textBlocks(t)
	b.write("data.body", "First.")
	b.enter()
	b.enter()
	b.slash("emb", "Embed")
	b.eventually(dialogFocus, "block.address")
	b.keys(kb.Escape)
	b.eventually("String(document.querySelectorAll('dialog').length)", "0")
	b.slash("insert", "Insert block")
	b.eventually("document.activeElement.textContent", "Callout")
	b.keys(kb.Tab)
	b.enter()
	b.eventually(dialogFocus, "block.address")
	b.keys("https://example.com/a?b=c#d" + kb.Tab + "1300" + kb.Tab + " ")
	b.enter()
	b.eventually(dialogFocus, "block.width")
	b.see("must be at most 1200")
	b.eventually("document.activeElement.ariaInvalid", "true")
	b.chord("a", chromedp.ModifierCtrl)
	b.keys("800")
	b.enter()
	embed := "```block embed\naddress: https://example.com/a?b=c#d\nwidth: 800\nwide: true\n```"
	b.eventually(body, "First.\n\n"+embed+"\n")
	b.keys("Next")
	b.eventually(body, "First.\n\n"+embed+"\nNext")
	b.keys(kb.ArrowUp + "x") // beside the block
	b.eventually("String("+body+".includes('\\n"+strings.ReplaceAll(embed, "\n", "\\n")+"\\n'))", "true")
	b.chord("z", chromedp.ModifierCtrl)
	b.eventually(body, "First.\n\n"+embed+"\nNext")
	b.eventually("String(document.querySelector('.markdown-bar.more').hidden)", "false")
	b.chord(kb.F10, chromedp.ModifierAlt)
	b.eventually("document.activeElement.textContent", "Edit block…")
	b.enter()
	b.eventually(dialogFocus, "block.address")
	b.keys(kb.Tab)
	b.chord("a", chromedp.ModifierCtrl)
	b.keys("900")
	b.enter()
	embed = strings.Replace(embed, "800", "900", 1)
	b.eventually(body, "First.\n\n"+embed+"\nNext")
	b.until("the draft has the block", func() bool { return s.draftOf(at)["body"] == "First.\n\n"+embed+"\nNext" })
	b.chord(kb.Enter, chromedp.ModifierAlt)
	b.eventually(dialogFocus, "block.address")
	b.keys(kb.Escape)
	b.eventually("String(document.querySelectorAll('dialog').length)", "0")
	b.chord(kb.F10, chromedp.ModifierAlt)
	b.keys(kb.ArrowLeft)
	b.eventually("document.activeElement.textContent", "Remove block")
	b.enter()
	b.eventually(body, "First.\n\nNext")
	b.keys("!")
	b.eventually("String("+body+".includes('!'))", "true")
}

// TestBrowserTextBlockLooks audits frames and dialogs in both directions and schemes, at two widths.
func TestBrowserTextBlockLooks(t *testing.T) {
	s, _, picture, b := textBlocks(t)
	text := "x\n\n```block figure\nphoto: " + picture + "\ncaption: Sun over roofs\n```\n\n" +
		"```block callout\ntitle: Mind the gap\ntext: |-\n  Two\n  lines\n```\n\nend\n"
	for _, locale := range []string{"en", "ar"} {
		page := "/models/posts/entries/" + s.made("/models/posts/entries",
			obj{"title": "Lamps", "locale": locale, "data": obj{"body": text}})
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{1280, 390} {
				b.scheme(scheme)
				b.do(chromedp.EmulateViewport(width, 760))
				b.open(page)
				b.writesMarkdown("data.body")
				b.eventually(frames, "Picture with caption: Sun over roofs, Callout: Mind the gap · Two lines")
				name := locale + "-" + scheme + map[int64]string{390: "-narrow"}[width]
				eval[bool](b, `(document.querySelector("[data-editor]").scrollIntoView(), true)`)
				b.snap("frames-" + name)
				b.audit(t, "frames, "+name)
				eval[bool](b,
					`(document.querySelector("[data-editor]").shadowRoot.querySelectorAll(".block button")[1].click(), true)`)
				b.eventually(dialogFocus, "block.title")
				b.snap("dialog-" + name)
				b.audit(t, "dialog, "+name)
			}
		}
	}
}

// TestBrowserTextBlockLeft leaves the form of a block by Escape, takes that back, and sends it after the session has
// ended: what was typed stays.
func TestBrowserTextBlockLeft(t *testing.T) {
	s, _, _, b := textBlocks(t)
	b.put("First.")
	insert := func() {
		b.do(mouseClick(chromedp.CSS("[aria-label='Insert block']")))
		b.press("//dialog", "Callout")
		b.eventually(dialogFocus, "block.title")
	}
	insert()
	b.keys(kb.Escape)
	b.eventually(`String(document.querySelector("dialog"))`, "null")
	b.missing("Not saved.")
	insert()
	b.keys("Long words")
	if !b.asksToStay() {
		t.Error("the page is left without a question")
	}
	b.keys(kb.Escape)
	b.see("Not saved.")
	b.press("//div[@class='undo']", "Undo")
	b.eventually(`document.querySelector("dialog [name='block.title']").value`, "Long words")
	s.endSessions()
	b.press("//dialog", "Insert")
	b.see("Sign in again")
	b.do(chromedp.SendKeys(chromedp.CSS("#again-password"), password+kb.Enter))
	b.eventually(frames, "Callout: Long words")
	b.missing("Not saved.")
}
