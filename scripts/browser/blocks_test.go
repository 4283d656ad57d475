package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// quotes are the texts of the blocks of an entry's form, in their order.
const quotes = `[...document.querySelectorAll("[name^='data.parts.'][name$='.text']")].map(e => e.name.split(".")[2] + e.value).join(" ")`

// blocks opens an entry with three blocks.
func blocks(t *testing.T) (*site, string, *tab) {
	t.Helper()
	s, at := desk(t)
	s.call("PUT", "/models/posts",
		obj{"fields": []obj{{"name": "body", "label": "Text",
			"type": "richtext"}, {"name": "parts", "label": "Parts", "type": "blocks",
			"fields": []obj{
				{"name": "quote", "label": "Quote", "type": "group", "fields": []obj{{"name": "text", "type": "textarea"}}},
				{"name": "note", "label": "Note", "type": "group", "fields": []obj{{"name": "text", "type": "textarea"}}},
			}}}})
	parts := []any{}
	for _, text := range []string{"a", "b", "c"} {
		parts = append(parts, obj{"type": "quote", "text": text})
	}
	s.call("PUT", at, obj{"data": obj{"body": "x", "parts": parts}})
	b := s.openTab(at)
	b.writesMarkdown("data.body") // which moves the blocks below it
	b.eventually(quotes, "0a 1b 2c")
	return s, at, b
}

// row is an element of the head of a block.
func row(i int, selector string) string {
	return fmt.Sprintf("#f-data\\.parts\\.%d > .steps-of > %s", i, selector)
}

// TestBrowserBlocks moves, copies, inserts and folds blocks by keys.
func TestBrowserBlocks(t *testing.T) {
	s, at, b := blocks(t)
	b.do(chromedp.Focus(chromedp.CSS(row(0, ".drag"))))
	b.keys(kb.ArrowDown)
	b.eventually(quotes, "0b 1a 2c")
	b.eventually("document.activeElement.closest('fieldset').id + document.activeElement.className",
		"f-data.parts.1drag")
	b.keys(kb.ArrowDown)
	b.eventually(quotes, "0b 1c 2a")
	b.do(mouseClick(chromedp.CSS(row(1, "[value='copy data.parts.1']"))))
	b.eventually(quotes, "0b 1c 2c 3a")
	b.do(chromedp.Focus(chromedp.CSS(row(0, ".fold"))))
	b.enter()
	b.eventually("document.getElementById('f-data.parts.0').className + "+
		"document.querySelector('#f-data\\\\.parts\\\\.0 > legend > small').textContent",
		"group foldedb")
	b.do(chromedp.Focus(chromedp.CSS(row(0, "[aria-label^=Insert]"))))
	b.enter()
	b.see("Insert before 1. Quote")
	b.audit(t, "insert")
	b.press("//dialog", "Add Note")
	b.eventually(quotes, "0 1b 2c 3c 4a")
	b.eventually("document.activeElement.name", "data.parts.0.text")
	b.eventually("[...document.querySelectorAll('.folded')].map(e => e.id).join()", "f-data.parts.1")
	b.keys("new")
	b.until("the draft has the blocks", func() bool {
		var got []string
		parts, _ := s.draftOf(at)["parts"].([]any)
		for _, p := range parts {
			block := p.(obj)
			got = append(got, fmt.Sprint(block["type"], ":", block["text"]))
		}
		return strings.Join(got, " ") == "note:new quote:b quote:c quote:c quote:a"
	})
	b.audit(t, "blocks")
}

// TestBrowserBlocksDragged drags a block over the next two.
func TestBrowserBlocksDragged(t *testing.T) {
	_, _, b := blocks(t)
	b.press("//main", "Fold or unfold all") // so that all are in sight
	eval[bool](b, `document.getElementById("f-data.parts").scrollIntoView(), true`)
	_, start := b.middle(row(0, ".drag"))
	_, end := b.middle(row(2, ".drag"))
	b.drag(row(0, ".drag"), "#f-data\\.parts", 0, end+15-start)
	b.eventually(quotes, "0b 1c 2a")
}

// middle returns the position of the middle of an element in the window.
func (b *tab) middle(selector string) (x, y float64) {
	b.t.Helper()
	place := eval[[]float64](b,
		fmt.Sprintf("(r => [r.left + r.width / 2, r.top + r.height / 2])(document.querySelector(%q).getBoundingClientRect())",
			selector))
	return place[0], place[1]
}

// pointAt moves the mouse to the handle of a row, which loads the library, and returns the position when the rows of
// the list can be dragged.
func (b *tab) pointAt(handle, list string) (x, y float64) {
	b.t.Helper()
	x, y = b.middle(handle)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, x, y)
	b.sortable(list)
	return x, y
}

// drag drags a row of a list by its handle, once the library is there.
func (b *tab) drag(handle, list string, right, down float64) {
	b.t.Helper()
	x, y := b.pointAt(handle, list)
	b.pull(x, y, right, down)
	b.over(list, x+right, y+down, func(x, y float64) { b.mouse(input.DispatchMouseEventTypeMouseMoved, x, y) })
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x+right, y+down)
}

// pull presses the mouse at a place and moves it.
func (b *tab) pull(x, y, right, down float64) {
	b.t.Helper()
	b.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	for i := range 10 {
		part := float64(i+1) / 10
		b.mouse(input.DispatchMouseEventTypeMouseMoved, x+right*part, y+down*part)
	}
}

// mouse sends one event of the mouse, whose left button is down.
func (b *tab) mouse(kind input.DispatchMouseEventType, x, y float64) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchMouseEvent,
			input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1})
		return err
	}))
}

// over moves the pointer to and fro by a pixel until the row that is dragged is the one below it, or is in
// the list below it. The library looks 20 times a second for where the pointer moved, and not while rows slide.
func (b *tab) over(list string, x, y float64, move func(x, y float64)) {
	b.t.Helper()
	nudge := 0.0
	b.until("the row is where the pointer is", func() bool {
		nudge = 1 - nudge
		move(x, y+nudge)
		return eval[bool](b, fmt.Sprintf(`(() => {
			const at = document.elementFromPoint(%g, %g), list = at?.closest(%q);
			const row = list && [...list.children].find((row) => row.contains(at));
			return !list || (row ? row.matches(".sortable-ghost") : list.querySelector(".sortable-ghost") !== null);
		})()`, x, y+nudge, list))
	})
}

// sortable waits until the rows of a list can be dragged.
func (b *tab) sortable(list string) {
	b.t.Helper()
	b.eventually(fmt.Sprintf("String(Object.keys(document.querySelector(%q)).some(k => k.startsWith('Sortable')))",
		list), "true")
}

// touch makes the pages that are opened afterwards those of a device with a touch screen.
func (b *tab) touch() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetTouchEmulationEnabled,
			emulation.SetTouchEmulationEnabledParams{Enabled: true})
		return err
	}))
}

// dragByFinger drags a row of a list by its handle on a touch screen.
func (b *tab) dragByFinger(handle, list string, right, down float64) {
	b.t.Helper()
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		b.t.Helper()
		b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, input.DispatchTouchEvent,
				input.DispatchTouchEventParams{Type: kind, TouchPoints: append([]*input.TouchPoint{}, points...)})
			return err
		}))
	}
	b.sortable(list)
	x, y := b.middle(handle)
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y})
	for i := range 10 {
		part := float64(i+1) / 10
		touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: x + right*part, Y: y + down*part})
	}
	b.over(list, x+right, y+down, func(x, y float64) {
		touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: x, Y: y})
	})
	touch(input.DispatchTouchEventTypeTouchEnd)
}

// TestBrowserBlocksWithoutScripts copies a block by its button.
func TestBrowserBlocksWithoutScripts(t *testing.T) {
	s, at, _ := blocks(t)
	b := s.openPlainTab(at)
	b.do(mouseClick(chromedp.CSS("[value='copy data.parts.0']")))
	b.eventually(quotes, "0a 1a 2b 3c")
}

// TestBrowserBlocksUndone removes a block, adds and moves others, and takes each step back, by the
// button and by Ctrl+Z.
func TestBrowserBlocksUndone(t *testing.T) {
	s, at, b := blocks(t)
	click := func(selector string) { // the page may still scroll to the last step
		eval[bool](b, fmt.Sprintf("document.querySelector(%q).click(), true", selector))
	}
	click(row(1, "[value='remove data.parts.1']"))
	b.eventually(quotes, "0a 1c")
	b.see("Removed.")
	b.audit(t, "removed")
	b.press("//div[@class='undo']", "Undo")
	b.eventually(quotes, "0a 1b 2c")
	click(row(0, "[value='copy data.parts.0']"))
	b.eventually(quotes, "0a 1a 2b 3c")
	click(row(3, "[value='up data.parts.3']"))
	b.eventually(quotes, "0a 1a 2c 3b")
	for _, want := range []string{"0a 1a 2b 3c", "0a 1b 2c"} {
		b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
		b.eventually(quotes, want)
	}
	b.until("the draft has the blocks again", func() bool {
		parts, _ := s.draftOf(at)["parts"].([]any)
		return len(parts) == 3 && parts[1].(obj)["text"] == "b"
	})
}

// TestBrowserUndoneInFieldAfterStep types in a field and in a block, and adds, moves and removes blocks: the fields
// stay the same inputs, so that the browser's own undo brings back what they held, with their carets.
func TestBrowserUndoneInFieldAfterStep(t *testing.T) {
	_, _, b := blocks(t)
	ctrlZ := func() { b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl))) }
	holds := func(name, want string) {
		t.Helper()
		b.eventually(fmt.Sprintf("document.querySelector(%q).value", "[name='"+name+"']"), want)
	}
	typed := func(name, text string) { // before its last letter
		eval[bool](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.focus();
			e.setSelectionRange(e.value.length - 1, e.value.length - 1); return true })()`, "[name='"+name+"']"))
		b.keys(text)
	}
	b.write("data.body", "y")
	typed("title", "x")
	holds("title", "Lampxs")
	b.do(mouseClick(chromedp.CSS("[value='add data.parts note']")))
	b.eventually(quotes, "0a 1b 2c 3")
	b.do(chromedp.Focus(chromedp.CSS("[name=title]")))
	b.eventually("document.activeElement.selectionStart + ''", "5")
	ctrlZ()
	holds("title", "Lamps")
	eval[bool](b, editor("data.body")+".focus(), true")
	ctrlZ()
	holds("data.body", "x")
	b.eventually(quotes, "0a 1b 2c 3")

	typed("data.parts.0.text", "x")
	b.eventually(quotes, "0xa 1b 2c 3")
	eval[bool](b, fmt.Sprintf("document.querySelector(%q).click(), true", row(1, "[value='up data.parts.1']")))
	b.eventually(quotes, "0b 1xa 2c 3")
	eval[bool](b, fmt.Sprintf("document.querySelector(%q).click(), true", row(0, "[value='remove data.parts.0']")))
	b.eventually(quotes, "0xa 1c 2")
	b.do(chromedp.Focus(chromedp.CSS("[name='data.parts.0.text']")))
	ctrlZ()
	b.eventually(quotes, "0a 1c 2")
	ctrlZ() // the field holds what it held at first: the step comes next
	b.eventually(quotes, "0b 1a 2c 3")
}

// TestBrowserBlocksOfTwo lets two tabs change two blocks of one page: both changes are kept, and
// only a field that both changed asks.
func TestBrowserBlocksOfTwo(t *testing.T) {
	s, at, a := blocks(t)
	b := s.copyOf(a)
	b.open(at)
	b.eventually(quotes, "0a 1b 2c")
	a.fill("data.parts.0.text", "first of a")
	a.see("Saved ")
	b.fill("data.parts.2.text", "third of b")
	b.eventually(quotes, "0first of a 1b 2third of b")
	b.see("Saved ")
	a.fill("data.parts.1.text", "second of a")
	a.eventually(quotes, "0first of a 1second of a 2third of b")
	b.fill("data.parts.1.text", "second of b")
	b.see("changed this too")
	b.audit(t, "conflict in a block")
	b.press("//main", "Take theirs")
	b.eventually(quotes, "0first of a 1second of a 2third of b")
}

// TestBrowserBlocksOfTwoUndone lets one tab undo its steps after another tab has changed the page: a block that
// one removed and the other edited asks, and the undo of a new block removes no other.
func TestBrowserBlocksOfTwoUndone(t *testing.T) {
	s, at, a := blocks(t)
	b := s.copyOf(a)
	b.open(at)
	b.eventually(quotes, "0a 1b 2c")
	stored := func(want string) {
		t.Helper()
		a.until("the draft has "+want, func() bool {
			var texts []string
			parts, _ := s.draftOf(at)["parts"].([]any)
			for _, part := range parts {
				texts = append(texts, fmt.Sprint(part.(obj)["text"]))
			}
			return strings.Join(texts, " ") == want
		})
	}
	click := func(tab *tab, selector string) {
		eval[bool](tab, fmt.Sprintf("document.querySelector(%q).click(), true", selector))
	}
	click(a, row(1, "[value='remove data.parts.1']"))
	a.eventually(quotes, "0a 1c")
	stored("a c")
	b.fill("data.parts.1.text", "b of the other")
	stored("a b of the other c")
	a.press("//div[@class='undo']", "Undo")
	a.see("changed this too")
	a.press("//main", "Take theirs")
	a.eventually(quotes, "0a 1b of the other 2c")
	stored("a b of the other c")

	click(b, row(0, "[value='copy data.parts.0']"))
	b.eventually(quotes, "0a 1a 2b of the other 3c")
	stored("a a b of the other c")
	click(a, "[value='add data.parts note']")
	a.eventually(quotes, "0a 1a 2b of the other 3c 4")
	a.press("//div[@class='undo']", "Undo")
	a.eventually(quotes, "0a 1a 2b of the other 3c")
	stored("a a b of the other c")
}

// TestClickOnMovingButton clicks on a button that moves while the mouse is pressed: the click is made again.
func TestClickOnMovingButton(t *testing.T) {
	_, _, b := blocks(t)
	eval[bool](b, `addEventListener("pointerdown", () => {
		document.querySelector("[value='add data.parts note']").closest(".add").style.marginTop = "8rem";
	}, {once: true}), true`)
	b.do(mouseClick(chromedp.CSS("[value='add data.parts note']")))
	b.eventually(quotes, "0a 1b 2c 3")
}
