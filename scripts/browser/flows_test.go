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
	b.signIn()
	b.press("//nav", "Webhooks")
	b.press("//main", "New webhook")
	b.fill("name", `Index <b>"1"</b>`)
	b.fill("url", "ftp://example.com")
	b.fill("headers", "X-Team: web")
	b.press("//main", "Create webhook")
	b.see("must") // refused, with what was typed
	if got := eval[string](b, `document.querySelector("[name=headers]").value`); got != "X-Team: web" {
		t.Errorf("the form came back with the headers %q", got)
	}
	b.fill("url", address)
	b.check("events", "*")
	b.check("events", "entry.*")
	b.press("//main", "Create webhook")
	b.see("Copy the secret now")
	b.see("whsec_")
	b.press("//main", "Go on to the webhook")
	b.see(`Index <b>"1"</b>`)

	b.press("//main", "Send a test")
	b.see("Answer to the test")
	b.see("202")
	b.see(hostile)
	b.see("webhook.test")
	if hits.Load() != 1 {
		t.Errorf("the receiver was asked %d times", hits.Load())
	}
	if title := eval[string](b, "document.title"); strings.Contains(title, "broken") {
		t.Error("the receiver's text ran on the page")
	}
	b.press("//nav", "Webhooks")
	b.see("delivered, ")
	b.press("//main", `Index <b>"1"</b>`)
	b.press("//main", "Pause")
	b.see("This webhook is paused")
	b.press("//main", "Resume")
	b.see("active")
	b.missing("This webhook is paused")

	b.press("//main", "Edit")
	b.see("Save")
	b.fill("name", "Search index")
	b.press("//main", "Save")
	b.see("Saved.")
	b.see("Search index")

	b.do(chromedp.Click(chromedp.Search(`(//ol[@class="log"]//summary)[1]`)))
	b.press(`//ol[@class="log"]`, "Redeliver")
	b.see("On its way")
	b.press("//main", "New secret")
	b.press(`//details[@open]//form`, "New secret")
	b.see("Copy the secret now")
	b.press("//main", "Go on to the webhook")
	b.press("//main", "Delete")
	b.press(`//details[@open]//form`, "Delete")
	b.see("Deleted.")
	b.missing("Search index")
}

func TestBrowserWebhooks(t *testing.T) { webhookRound(t, newSite(t).newTab()) }

func TestBrowserWithoutScripts(t *testing.T) {
	b := newSite(t).newTab()
	b.withoutScripts()
	webhookRound(t, b)
}

func TestBrowserEntry(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", map[string]any{"slug": "posts", "name": "Posts", "fields": []map[string]any{
		{"name": "intro", "label": "Introduction", "type": "textarea", "required": true},
		{"name": "minutes", "label": "Minutes", "type": "number", "max": 60},
		{"name": "featured", "label": "Featured", "type": "boolean"},
	}})
	b := s.newTab()
	b.signIn()
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
	b.see("draft")
	b.press("//main", "Publish")
	b.see("published")
	b.press("//main", "Edit")
	b.see("Save")
	b.fill("title", "Lamps and light")
	b.press("//main", "Save")
	b.see("Saved.")
	b.press("//main", "Revisions")
	b.press("//main", "Restore")
	b.see("Restored.")
	b.press("//main", "Delete")
	b.press(`//details[@open]//form`, "Delete")
	b.see("Deleted.")
	b.press("//nav", "Trash")
	b.press("//main", "Restore")
	b.see("Restored.")
}

// TestBrowserModel builds a model by the rows of its form, and an entry with groups, a list, blocks and a relation.
func TestBrowserModel(t *testing.T) {
	b := newSite(t).newTab()
	b.withoutScripts()
	b.signIn()
	b.press("//main", "Make a content model")
	b.fill("name", "Guides")
	b.fill("slug", "guides")
	b.fill("fields.0.name", "not a name")
	b.fill("fields.1.name", "steps")
	b.do(chromedp.SetValue(chromedp.CSS("[name='fields.1.type']"), "list"))
	b.do(chromedp.Click(chromedp.Search(`(//main//summary)[2]`)))
	b.fill("fields.1.fields", `[{"name": "what", "type": "text"}, {"name": "done", "type": "boolean"}]`)
	b.fill("fields.2.name", "see")
	b.do(chromedp.SetValue(chromedp.CSS("[name='fields.2.type']"), "relation"))
	b.do(chromedp.Click(chromedp.Search(`(//main//summary)[3]`)))
	b.do(chromedp.SetValue(chromedp.CSS("[name='fields.2.model']"), ""))
	b.press("//main", "Create model")
	b.see("Some fields are missing or invalid")
	if n := eval[int](b, `document.querySelectorAll("[name='fields.0.name'][aria-invalid]").length`); n != 1 {
		t.Error("the wrong name is not marked")
	}
	b.fill("fields.0.name", "place")
	b.do(chromedp.SetValue(chromedp.CSS("[name='fields.0.type']"), "group"))
	b.do(chromedp.Click(chromedp.Search(`(//main//summary)[1]`)))
	b.fill("fields.0.fields", `[{"name": "city", "label": "City", "type": "text", "max": 5}]`)
	b.check("fields.2.remove", "true")
	b.fill("fields.3.name", "parts")
	b.do(chromedp.SetValue(chromedp.CSS("[name='fields.3.type']"), "blocks"))
	b.do(chromedp.Click(chromedp.Search(`(//main//summary)[4]`)))
	b.fill("fields.3.fields", `[{"name": "quote", "type": "group", "fields": [{"name": "text", "type": "text"}]}]`)
	b.press("//main", "Create model")
	b.see("Created.")

	b.press("//nav", "Guides")
	b.press("//main", "New entry")
	b.fill("title", "First")
	b.fill("data.place.city", "Klagenfurt")
	b.fill("data.steps.0.what", "Dig")
	b.do(chromedp.SetValue(chromedp.CSS("[name='data.parts.0.type']"), "quote"))
	b.press("//main", "Create entry")
	b.see("must have at most 5 characters")
	b.fill("data.place.city", "Graz")
	b.fill("data.parts.0.text", "So it is.")
	b.press("//main", "Create entry")
	b.see("Created.")
	b.press("//main", "Edit")
	b.see("Edit First")
	for name, want := range map[string]string{"data.place.city": "Graz", "data.steps.0.what": "Dig", "data.parts.0.text": "So it is."} {
		if got := eval[string](b, `document.querySelector("[name='`+name+`']").value`); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	b.check("data.steps.0._remove", "true")
	b.fill("data.steps.1.what", "Plant")
	b.press("//main", "Save")
	b.see("Saved.")
	b.see("Plant")
	b.missing("Dig")
}

// TestBrowserKeyboard signs in and makes a webhook with the keys that move and press, and nothing else.
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
