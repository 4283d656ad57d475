package browser

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"headless/pkg/must"
)

// TestBrowserHome lists recent edits, open work and recent publications; it shows the state of the
// service only to admins.
func TestBrowserHome(t *testing.T) {
	s := lists(t)
	s.call("POST", "/forms", obj{"slug": "contact", "name": "Contact",
		"fields": []obj{{"name": "message", "type": "textarea"}}})
	s.submit("Hello")
	s.call("POST", "/webhooks", obj{"name": "Build", "url": "http://127.0.0.1:9/x",
		"events": []string{"*"}})
	s.call("POST", "/users", obj{"email": "eva@example.com", "name": "Eva", "role": "editor", "password": password})
	b := s.openTab()
	for _, text := range []string{"Continue", "Lampen", "Posts: 5 drafts",
		"Contact: 1 unread submission", "Recently published", "Live post", "Events and webhooks"} {
		b.see(text)
	}
	b.missing("First steps") // all are done
	b.audit(t, "home")
	b.press("//main", "Posts: 5 drafts")
	b.see("Draft 0")

	e := s.newTab().signIn("eva@example.com")
	e.see("Entries you edited recently appear here.")
	e.missing("Events and webhooks")
	e.missing("First steps")
}

// TestBrowserFirstSteps: Home of a new service says what to do first, and fills the service with a template, without
// scripts too.
func TestBrowserFirstSteps(t *testing.T) {
	b := newSite(t).openPlainTab()
	b.see("First steps")
	b.see("Start with")
	b.audit(t, "first steps")
	b.press(`//li[contains(., "A blog")]`, "Use this template: A blog")
	b.see("The models and their first entries are there.")
	b.missing("Start with")
	b.audit(t, "a started service")
	b.press("//main", "Drafts and dates")
	b.see("/posts/drafts-and-dates")
}

// submit sends a message by the form.
func (s *site) submit(message string) {
	s.t.Helper()
	res, err := http.Post(s.url+"/api/v1/forms/contact/submit", "application/json",
		strings.NewReader(`{"message":"`+message+`"}`))
	must.Do(s.t, err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusCreated {
		s.t.Fatal(res.Status)
	}
}

// inboxRound opens, reads and archives submissions from the list.
func inboxRound(t *testing.T, b *tab) {
	b.see("2 unread")
	b.press("//nav", "Forms 2 unread")
	b.press("//main", "2")
	b.click(`(//a[contains(@class, "row")])[2]`)
	b.do(chromedp.WaitVisible(chromedp.CSS(".pane")))
	b.audit(t, "inbox")
	b.press(`//section[contains(@class, "pane")]`, "Mark as read")
	b.see("Saved.")
	b.eventually(`document.querySelector("#menu .badge").innerText.replace(/\s+/g, " ")`, "1 unread")
	b.press("//nav", "Forms 1 unread")
	b.press("//main", "1")
	b.do(mouseClick(chromedp.CSS("td.tick input")))
	b.press(`//form[@id="bulk"]`, "Archive")
	b.see("Saved.")
	b.missing("unread")
}

// inbox is a site with two submissions.
func inbox(t *testing.T) *site {
	s := newSite(t)
	s.call("POST", "/forms", obj{"slug": "contact", "name": "Contact",
		"fields": []obj{{"name": "message", "type": "textarea"}}})
	for _, text := range []string{"First", "Second"} {
		s.submit(text)
	}
	return s
}

func TestBrowserInbox(t *testing.T) {
	b := inbox(t).openTab()
	inboxRound(t, b)
	b.open("/forms/contact/submissions?all=true")
	// Two submissions of one millisecond stand in either order.
	rows := eval[[]string](b, `[...document.querySelectorAll("tbody tr td:last-child")].map((e) => e.innerText.trim())`)
	if sorted := slices.Sorted(slices.Values(rows)); !slices.Equal(sorted, []string{"message: First", "message: Second"}) {
		t.Fatalf("the rows are %q", rows)
	}
	for _, step := range []struct{ key, row string }{{"j", rows[0]}, {"j", rows[1]}, {"k", rows[0]}} {
		b.keys(step.key)
		b.eventually(`document.querySelector("tr.here td:last-child")?.innerText.trim()`, step.row)
	}
}

// TestBrowserInboxBesidePane: rows stay low beside an open submission, also those of long messages.
func TestBrowserInboxBesidePane(t *testing.T) {
	s := inbox(t)
	s.submit(strings.Repeat("How long does a lamp of oak last? ", 20))
	b := s.openTab("/forms/contact/submissions")
	b.click(`(//a[contains(@class, "row")])[1]`)
	b.do(chromedp.WaitVisible(chromedp.CSS(".pane")))
	const rows = `[...document.querySelectorAll("tbody tr")].map((e) => e.offsetHeight)`
	if highest := slices.Max(eval[[]int](b, rows)); highest > 70 {
		t.Errorf("a row is %d pixels high", highest)
	}
}

func TestBrowserInboxWithoutScripts(t *testing.T) { inboxRound(t, inbox(t).openPlainTab()) }

// TestBrowserManyModels works on a site of 30 models: the menu shows where one is, the palette
// prefers the very name, Home stays short.
func TestBrowserManyModels(t *testing.T) {
	s := newSite(t)
	for i := range 30 {
		slug := fmt.Sprint("model-", i)
		s.call("POST", "/models", obj{"slug": slug, "name": fmt.Sprint("Model ", i),
			"menu": obj{"group": []string{"", "Shop", "Company"}[i%3], "order": i}})
		s.call("POST", "/models/"+slug+"/entries", obj{"title": "A draft"})
	}
	b := s.openTab()
	b.see("Drafts of 18 other models")
	b.open("/models/model-29/entries")
	b.see("Model 29")
	seen := `(() => {
		const [menu, here] = [document.getElementById("menu"), document.querySelector("#menu [aria-current]")].map((e) => e.getBoundingClientRect());
		return String(scrollY === 0 && here.top >= menu.top && here.bottom <= innerHeight);
	})()`
	b.eventually(seen, "true")
	b.ctrlK()
	b.keys("model 2" + kb.Enter)
	b.eventually("location.pathname", "/admin/models/model-2/entries")
	b.open("/requests")
	b.eventually(seen, "true")
}
