package browser

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// clipboard presses Ctrl and the key of "copy", "cut" or "paste". All tabs share the clipboard.
func (b *tab) clipboard(verb string) {
	b.t.Helper()
	key := map[string]string{"copy": "c", "cut": "x", "paste": "v"}[verb]
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, page.BringToFront, cdp.Empty{}); err != nil {
			return err
		}
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeRawKeyDown,
			input.DispatchKeyEventTypeKeyUp} {
			event := input.DispatchKeyEventParams{Type: kind, Modifiers: int64(chromedp.ModifierCtrl), Key: key,
				Code: "Key" + string(key[0]-32), WindowsVirtualKeyCode: int64(key[0] - 32)}
			if kind == input.DispatchKeyEventTypeRawKeyDown {
				event.Commands = []string{verb}
			}
			if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, event); err != nil {
				return err
			}
		}
		return nil
	}))
}

// selectText puts the focus into the editor of a text and selects a part of it, from one place to another.
func (b *tab) selectText(from, to string) {
	b.t.Helper()
	eval[bool](b, `(() => { const e = document.querySelector("[name='data.body']");
		e.setSelectionRange(`+from+`, `+to+`); return true; })()`)
}

// TestBrowserTextBlocksOnClipboard copies and cuts blocks by the keys of the clipboard and pastes them into the text of
// another entry, also in the middle of a line: they stay blocks.
func TestBrowserTextBlocksOnClipboard(t *testing.T) {
	s, at, picture, b := textBlocks(t)
	figure := "```block figure\nphoto: " + picture + "\ncaption: Sun\n```"
	b.put("First.\n\n" + figure + "\n\nLast.")
	b.eventually(frames, "Picture with caption: Sun")
	other := s.copyOf(b)
	second := "/models/posts/entries/" + s.made("/models/posts/entries",
		obj{"title": "Chairs", "data": obj{"body": "Alpha beta."}})
	other.open(second)
	other.writesMarkdown("data.body")

	// With the cursor on a block and nothing selected.
	b.selectText("8", "8")
	b.clipboard("copy")
	other.selectText("5", "5")
	other.clipboard("paste")
	other.eventually(body, "Alpha\n"+figure+"\n beta.")
	other.eventually(frames, "Picture with caption: Sun")
	other.until("the draft has the block", func() bool {
		return s.draftOf(second)["body"] == "Alpha\n"+figure+"\n beta."
	})
	other.chord("z", chromedp.ModifierCtrl)
	other.eventually(body, "Alpha beta.")
	b.clipboard("cut")
	b.eventually(body, "First.\n\n\nLast.")
	b.clipboard("paste")
	b.eventually(body, "First.\n\n"+figure+"\nLast.")
	b.until("the draft has the block", func() bool { return s.draftOf(at)["body"] == "First.\n\n"+figure+"\nLast." })

	// A selection with a block in it.
	b.selectText("2", body+".length - 3")
	b.clipboard("copy")
	other.selectText("0", "5")
	other.clipboard("paste")
	other.eventually(body, "rst.\n\n"+figure+"\nLa beta.")
	other.eventually(frames, "Picture with caption: Sun")

	// A selection that begins and ends with blocks, over a word.
	b.put(figure + "\n\n" + figure)
	b.selectText("0", body+".length")
	b.clipboard("cut")
	b.eventually(body, "")
	other.put("Alpha beta.")
	other.selectText("0", "5")
	other.clipboard("paste")
	other.eventually(body, figure+"\n\n"+figure+"\n beta.")
	other.eventually(frames, "Picture with caption: Sun, Picture with caption: Sun")

	// A drop into a word.
	other.put("Incomprehensible")
	other.transfer("drop", "d.setData('text/plain', "+fmt.Sprintf("%q", figure)+")")
	other.eventually("String(/^\\w+\\n`{3}block[^]*\\n`{3}\\n\\w+$/.test("+body+"))", "true")
}

// TestBrowserTextBlocksCopied copies blocks of a text and of a list by keys, and pastes them into the text and the list
// of entries in other tabs, with their rows, files and related entries. A block that lacks something is asked for it.
func TestBrowserTextBlocksCopied(t *testing.T) {
	s, at, picture, b := textBlocks(t)
	more := s.made("/models/posts/entries", obj{"title": "Read me"})
	figure := "```block figure\nphoto: " + picture + "\ncaption: |-\n  Sun: \"up\"\nmore: " + more + "\n```"
	callout := "```block callout\ntitle: Mind\ntone: warning\npoints: [{\"point\":\"One\"},{\"point\":\"Two\"}]\n```"
	b.put("First.\n\n" + figure + "\n\n" + callout + "\n\nLast.")
	b.eventually(frames, `Picture with caption: Sun: "up", Callout: Mind · warning`)
	group := func(name, label string, fields ...obj) obj {
		return obj{"name": name, "label": label, "type": "group", "fields": fields}
	}
	text := func(name string) obj { return obj{"name": name, "type": "text"} }
	kinds := []obj{group("figure", "Picture with caption", obj{"name": "photo", "type": "media"}, text("caption"),
		obj{"name": "more", "type": "relation", "model": "posts"},
		obj{"name": "also", "type": "relation", "model": "posts", "many": true}, obj{"name": "wide", "type": "boolean"}),
		group("callout", "Callout", obj{"name": "title", "type": "text", "required": true}, text("tone"),
			obj{"name": "points", "type": "list", "fields": []obj{text("point")}})}
	s.call("POST", "/models", obj{"slug": "pages", "name": "Pages", "fields": []obj{
		{"name": "body", "label": "Text", "type": "richtext", "fields": kinds},
		{"name": "parts", "label": "Parts", "type": "blocks", "fields": kinds}}})
	second := "/models/pages/entries/" + s.made("/models/pages/entries",
		obj{"title": "Home", "data": obj{"body": "x\n\n"}})
	other := s.copyOf(b)
	other.open(second)
	other.writesMarkdown("data.body")
	bodyIs := func(want string) {
		t.Helper()
		other.eventually(body, want)
		other.until("the draft has the text", func() bool { return s.draftOf(second)["body"] == want })
	}
	offers := `[...document.querySelectorAll(".paste")].map((e) => e.closest("fieldset").id + " " + e.textContent).join()`
	copyBlock := func(b *tab, place string) {
		t.Helper()
		b.selectText(place, place)
		b.chord(kb.F10, chromedp.ModifierAlt)
		b.keys(kb.Home + kb.ArrowRight)
		b.eventually("document.activeElement.textContent", "Copy")
		b.enter()
		b.see("Copied.")
	}
	copyBlock(b, "8")
	b.eventually("document.activeElement.localName + document.activeElement.className", "divmarkdown-text")
	b.audit(t, "a copied block of a text")
	b.snap("copied")
	other.eventually(offers, "f-data.parts Paste block Picture with caption")
	other.selectText("3", "3")
	other.slash("insert", "Insert block")
	other.eventually(`document.querySelector("dialog").innerText.includes("Paste block")`, "true") // as the list has it
	other.audit(t, "the chooser")
	other.snap("chooser")
	other.keys(kb.End + kb.Tab + kb.Tab)
	other.eventually("document.activeElement.textContent", "Paste block Picture with caption")
	other.enter()
	bodyIs("x\n\n" + figure + "\n")
	other.eventually(frames, `Picture with caption: Sun: "up"`)
	other.keys("Next")
	bodyIs("x\n\n" + figure + "\nNext")

	copyBlock(b, body+`.indexOf("block callout")`)
	other.eventually(offers, "f-data.parts Paste block Callout")
	other.do(chromedp.Focus(chromedp.CSS(".paste")))
	other.enter()
	other.see("Added.")
	other.until("the draft has the block", func() bool {
		parts, _ := s.draftOf(second)["parts"].([]any)
		return len(parts) == 1 && reflect.DeepEqual(parts[0], obj{"type": "callout", "title": "Mind", "tone": "warning",
			"points": []any{obj{"point": "One"}, obj{"point": "Two"}}})
	})

	// With several values in one field.
	also := fmt.Sprintf("also: [%q,%q]\nwide: true", more, at[strings.LastIndex(at, "/")+1:])
	several := strings.Replace(figure, "more: "+more, also, 1)
	other.put("x\n\n" + several)
	other.eventually(frames, `Picture with caption: Sun: "up"`)
	copyBlock(other, "8")
	other.put("y")
	other.do(mouseClick(chromedp.CSS("[aria-label='Insert block']")))
	other.press("//dialog", "Paste block Picture with caption")
	bodyIs("y\n\n" + several + "\n")

	// From a list, where a block lacks what it needs, into a text.
	other.press(`//*[@id="f-data.parts"]`, "Add Callout")
	other.eventually("document.activeElement.name", "data.parts.1.title")
	other.press("//main", "Copy all")
	other.see("Copied.")
	b.put("Only.")
	b.eventually("JSON.parse(localStorage.blocks).blocks.length", "2") // another tab tells it a moment later
	b.do(mouseClick(chromedp.CSS("[aria-label='Insert block']")))
	b.press("//dialog", "Paste blocks Callout, Callout")
	b.see("is required")
	b.audit(t, "a pasted block that lacks something")
	b.eventually(body, "Only.\n\n"+callout+"\n")
	b.fillIn("block.title", "Second")
	b.press("//dialog", "Insert")
	want := "Only.\n\n" + callout + "\n\n```block callout\ntitle: Second\n```\n"
	b.eventually(body, want)
	b.until("the draft has both", func() bool { return s.draftOf(at)["body"] == want })
}

// TestBrowserTextPresets saves a block of a text as a preset with a picture, by keys, and begins a block of another
// entry with it.
func TestBrowserTextPresets(t *testing.T) {
	s, _, _, b := textBlocks(t)
	b.put("First.\n\n```block callout\ntitle: Mind\npoints: [{\"point\":\"One\"}]\n```\n\nLast.")
	b.eventually(frames, "Callout: Mind")
	b.selectText("8", "8")
	b.chord(kb.F10, chromedp.ModifierAlt)
	b.keys(kb.ArrowRight + kb.ArrowRight)
	b.eventually("document.activeElement.textContent", "Save as preset")
	b.enter()
	b.eventually(dialogFocus, "block._preset.name")
	b.keys("Warning")
	b.press(`//*[@id="f-block._preset.image"]`, "Choose a file: Picture")
	b.press("//dialog[contains(@class,'picker')]", "sun.png")
	b.audit(t, "the panel of a preset")
	b.snap("panel")
	b.do(chromedp.Focus(chromedp.CSS("[name='block._preset.name']")))
	b.enter()
	b.see("Saved as the preset “Warning”.")
	b.eventually("document.activeElement.id", "f-block")
	b.audit(t, "a saved preset")
	b.snap("saved")
	b.keys(kb.Escape)
	b.eventually(`String(document.querySelector("dialog"))`, "null")
	b.missing("Not saved.")
	b.eventually(`document.getElementById("save-state").textContent.split(" ")[0]`, "Saved")

	second := "/models/posts/entries/" + s.made("/models/posts/entries",
		obj{"title": "Chairs", "data": obj{"body": "x\n\n"}})
	b.open(second)
	b.writesMarkdown("data.body")
	b.selectText("3", "3")
	b.slash("insert", "Insert block")
	b.eventually(`String(document.querySelector("dialog .thumb")?.naturalWidth > 0)`, "true")
	b.audit(t, "the chooser")
	b.snap("chooser")
	b.keys(kb.Tab + kb.Tab + kb.Tab)
	b.eventually("document.activeElement.textContent", "WarningCallout")
	b.enter()
	b.eventually(dialogFocus, "block.title")
	b.eventually("document.activeElement.value", "Mind")
	b.keys(kb.End + " the gap")
	b.press("//dialog", "Insert")
	want := "x\n\n```block callout\ntitle: Mind the gap\npoints: [{\"point\":\"One\"}]\n```\n"
	b.eventually(body, want)
	b.until("the draft has the block", func() bool { return s.draftOf(second)["body"] == want })
}
