package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hostile is what a receiver answers to have its text run on the page.
const hostile = `<script>document.title="broken in"</script><img src=x onerror="document.title='broken in'">`

func receiver(t *testing.T) (address string, hits *atomic.Int32) {
	hits = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		hits.Add(1)
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, hostile) // the client reads as much as it wants
	}))
	t.Cleanup(s.Close)
	return s.URL + "/hook", hits
}

// webhookRound makes, tests, pauses, edits, redelivers to and deletes a webhook.
func webhookRound(t *testing.T, b *tab) {
	address, hits := receiver(t)
	b.press("//nav", "Webhooks")
	b.press("//main", "New webhook")
	b.fill("name", `Index <b>"1"</b>`)
	b.fill("url", "ftp://example.com")
	b.fill("headers", "X-Team: web")
	b.press("//main", "Create webhook")
	b.see("must") // refused, with the typed values
	if got := eval[string](b, `document.querySelector("[name=headers]").value`); got != "X-Team: web" {
		t.Errorf("the form came back with the headers %q", got)
	}
	b.fill("url", address)
	b.check("events", "*")
	b.check("events", "entry.*")
	b.press("//main", "Create webhook")
	b.see("Copy the secret now")
	b.see("whsec_")
	b.see(`Index <b>"1"</b>`)
	b.do(chromedp.Reload())
	b.see(`Index <b>"1"</b>`)
	b.missing("Copy the secret now")

	b.press("//main", "Send a test")
	b.see("Answer to the test")
	b.see("202")
	b.see(hostile)
	b.see("webhook.test")
	b.do(chromedp.Reload())
	b.see("Answer to the test")
	if hits.Load() != 1 {
		t.Errorf("the receiver was asked %d times", hits.Load())
	}
	if title := eval[string](b, "document.title"); strings.Contains(title, "broken") {
		t.Error("the receiver's text ran on the page")
	}
	b.press("//nav", "Webhooks")
	b.see("Delivered")
	b.press("//main", `Index <b>"1"</b>`)
	b.press("//main", "⋯")
	b.press("//main", "Pause")
	b.see("This webhook is paused")
	b.press("//main", "Resume")
	b.see("Active")
	b.missing("This webhook is paused")

	b.press("//main", "Edit")
	b.see("Save")
	b.fill("name", "Search index")
	b.press("//main", "Save")
	b.see("Saved.")
	b.see("Search index")

	b.click(`//ol[@class="log"]//summary`)
	b.press(`//ol[@class="log"]`, "Redeliver")
	b.see("On its way")
	b.press("//main", "⋯")
	b.press("//main", "New secret")
	b.press(`//details[@open]//details[@open]//form`, "New secret")
	b.see("Copy the secret now")
	b.press("//main", "⋯")
	b.press("//main", "Delete")
	b.press(`//details[@open]//details[@open]//form`, "Delete")
	b.see("Deleted.")
	b.missing("Search index")
}

func TestBrowserWebhooks(t *testing.T) { webhookRound(t, newSite(t).openTab()) }

func TestBrowserWithoutScripts(t *testing.T) { webhookRound(t, newSite(t).openPlainTab()) }

func TestBrowserEntry(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "fields": []obj{
		{"name": "intro", "label": "Introduction", "type": "textarea", "required": true},
		{"name": "minutes", "label": "Minutes", "type": "number", "max": 60},
		{"name": "featured", "label": "Featured", "type": "boolean"},
	}})
	b := s.openTab()
	b.byHand()
	b.press("//nav", "Posts")
	b.press("//main", "New entry")
	b.fill("title", "<i>Lamps</i>")
	b.fill("data.minutes", "90")
	b.press("//main", "Create entry")
	b.see("must be at most 60")
	b.fill("data.minutes", "9")
	b.fill("data.intro", "About light.")
	b.check("data.featured", "true")
	b.press("//main", "Create entry")
	b.see("Created.")
	b.see("Draft")
	b.press("//main", "Publish")
	b.see("Published:")
	b.fill("title", "Lamps and light")
	b.press("//main", "Save")
	b.see("Saved.")
	b.see("Changed, not live")
	b.press("//main", "Publish changes")
	b.see("Published:")
	b.missing("Changed, not live")
	b.press("//div[@class='views']", "History")
	b.click(`(//ol[@class="versions"]//a)[last()]`)
	b.press("//main", "Restore as a draft")
	b.see("Restored as a draft")
	b.press("//main", "Edit")
	b.do(mouseClick(chromedp.CSS(".more > summary")))
	b.press("//main", "Delete")
	b.press(`//details[@open]//details[@open]//form`, "Delete")
	b.see("in the trash")
	b.press("//nav", "Trash")
	b.press("//td", "Restore")
	b.see("Restored.")
}

// TestBrowserKeyboard signs in and makes a webhook with the keys that move and press, and nothing
// else.
func TestBrowserKeyboard(t *testing.T) {
	b := newSite(t).newTab()
	b.open("/webhooks/create")
	b.see("Sign in")
	b.keys(email + kb.Tab + password + kb.Enter)
	b.see("New webhook")
	b.keys(kb.Tab) // the first stop leads past the menu
	if text := eval[string](b, "document.activeElement.textContent"); text != "Skip to content" {
		t.Errorf("the first stop of the tab key is %q", text)
	}
	b.keys(kb.Enter)
	b.focused("main")
	b.keys(kb.Tab) // the way back
	b.keys(kb.Tab)
	b.focused("f-name")
	b.keys("By keys")
	b.keys(kb.Tab)
	b.focused("f-url")
	b.keys("http://127.0.0.1:9/hook")
	b.keys(kb.Enter)
	b.see("Copy the secret now")
	b.keys(kb.Tab)
	if outline := eval[string](b, "getComputedStyle(document.activeElement).outlineStyle"); outline == "none" {
		t.Error("the focus cannot be seen")
	}
}
