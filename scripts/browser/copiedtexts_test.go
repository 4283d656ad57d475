package browser

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
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
	b.put("data.body", "First.\n\n"+figure+"\n\nLast.")
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
	b.put("data.body", figure+"\n\n"+figure)
	b.selectText("0", body+".length")
	b.clipboard("cut")
	b.eventually(body, "")
	other.put("data.body", "Alpha beta.")
	other.selectText("0", "5")
	other.clipboard("paste")
	other.eventually(body, figure+"\n\n"+figure+"\n beta.")
	other.eventually(frames, "Picture with caption: Sun, Picture with caption: Sun")

	// A drop into a word.
	other.put("data.body", "Incomprehensible")
	other.transfer("drop", "data.body", "d.setData('text/plain', "+fmt.Sprintf("%q", figure)+")")
	other.eventually("String(/^\\w+\\n`{3}block[^]*\\n`{3}\\n\\w+$/.test("+body+"))", "true")
}
