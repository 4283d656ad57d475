package browser

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// compose types a word that an input method still composes.
func (b *tab) compose(text string) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (done chromedp.Void, err error) {
		n := int64(len([]rune(text)))
		_, err = cdp.Call(ctx, t, input.ImeSetComposition,
			input.ImeSetCompositionParams{Text: text, SelectionStart: n, SelectionEnd: n})
		return done, err
	})
}

// commit ends the word that an input method composes.
func (b *tab) commit(text string) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (done chromedp.Void, err error) {
		_, err = cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
		return done, err
	})
}

// TestBrowserInputMethods composes Japanese words. Enter and Escape choose among the words of the input method: they
// open, save and close nothing. A half of a word is not saved.
func TestBrowserInputMethods(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "fields": []obj{{"name": "teaser", "type": "text"}}})
	at := "/models/posts/entries/" + s.made("/models/posts/entries", obj{"title": "Lamp"})
	b := s.openTab("/")
	b.ctrlK()
	b.compose("にほ")
	b.keys(kb.Enter)
	if got := eval[string](b, `location.pathname + document.querySelectorAll("dialog[open]").length`); got != "/admin/1" {
		t.Errorf("Enter while a word is composed leads to %s", got)
	}

	b.open("/models/posts/entries")
	b.do(chromedp.Click(chromedp.CSS(`td.buttons > a[href*='edit=']`)))
	b.eventually(`String(document.activeElement.closest("tr.editing") !== null)`, "true")
	b.compose("にほ")
	b.keys(kb.Escape)
	if eval[int](b, `document.querySelectorAll("tr.editing").length`) != 1 {
		t.Error("Escape while a word is composed ends the edit of the row")
	}

	b.open(at)
	b.do(chromedp.Focus(chromedp.CSS("[name='data.teaser']")))
	b.compose("にほ")
	b.see("Not saved yet")
	if got := eval[string](b, `(save(), String(saving))`); got != "null" {
		t.Error("the half of a word is sent")
	}
	b.commit("日本")
	b.see("Saved ")
	if got := s.call("GET", at+"/draft", nil)["data"].(obj)["teaser"]; got != "日本" {
		t.Errorf("saved %q", got)
	}
}
