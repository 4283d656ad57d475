package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowserFormInFrame sends a form of a site that is framed by another page, on a phone without JavaScript: what was
// typed comes back with what is wrong, in the width of the window, and the thanks are shown.
func TestBrowserFormInFrame(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/forms", obj{"slug": "contact", "name": "Contact", "success_message": "We answer soon.",
		"fields": []obj{{"name": "email", "label": "E-mail", "type": "email", "required": true},
			{"name": "message", "label": "Message", "type": "textarea", "required": true}}})
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			fmt.Fprint(w, `<title>Site</title><iframe name="form" src="/form" width="360" height="600"></iframe>`)
			return
		}
		fmt.Fprintf(w, `<title>Form</title><form method="post" action="%s/api/v1/forms/contact/submit">
			<textarea name="message"></textarea><button>Send</button></form>`, s.url)
	}))
	t.Cleanup(other.Close)
	b := s.newTab()
	b.do(chromedp.EmulateViewport(390, 760))
	b.withoutScripts()
	b.do(chromedp.Navigate(strings.Replace(other.URL, "127.0.0.1", "localhost", 1))) // one process has both sites
	// frame is the page in the frame, once it shows what CSS finds.
	frame := func(css string) chromedp.QueryOption {
		t.Helper()
		var inside chromedp.QueryOption
		b.until(css+" in the frame", func() bool {
			ctx, cancel := context.WithTimeout(b.ctx, time.Second)
			defer cancel()
			frames, err := chromedp.Run(ctx, chromedp.Nodes(chromedp.CSS("iframe")))
			if err != nil {
				return false
			}
			inside = chromedp.FromNode(frames[0])
			_, err = chromedp.Run(ctx, chromedp.WaitVisible(chromedp.CSS(css), inside))
			return err == nil
		})
		return inside
	}
	b.do(chromedp.SendKeys(chromedp.CSS("textarea"), "Long words", frame("textarea")),
		chromedp.Click(chromedp.CSS("button"), frame("button")))
	inside := frame("[name=email][aria-invalid=true]")
	b.snap("form-in-frame")
	if text, err := chromedp.Run(b.ctx, chromedp.Value(chromedp.CSS("textarea"), inside)); text != "Long words" {
		t.Errorf("the message is %q (%v)", text, err)
	}
	b.framed("document.documentElement.scrollWidth <= innerWidth")
	b.do(chromedp.SendKeys(chromedp.CSS("[name=email]"), "ada@example.com", inside),
		chromedp.Click(chromedp.CSS("button"), inside))
	b.framed(`document.body.innerText.trim() === "We answer soon."`)
}

// TestBrowserFormLeadsBack corrects a form on the page that says what is wrong: the visitor gets to the page of thanks
// on the site, which is another origin.
func TestBrowserFormLeadsBack(t *testing.T) {
	s := newSite(t)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/thanks" {
			fmt.Fprint(w, `<title>Thanks</title><p>We answer soon.`)
			return
		}
		fmt.Fprintf(w, `<title>Form</title><form method="post" action="%s/api/v1/forms/contact/submit">
			<input name="email"><button>Send</button></form>`, s.url)
	}))
	t.Cleanup(other.Close)
	s.call("POST", "/keys", obj{"name": "Site", "origins": []string{other.URL}})
	s.call("POST", "/forms", obj{"slug": "contact", "name": "Contact", "success_url": other.URL + "/thanks",
		"fields": []obj{{"name": "email", "label": "E-mail", "type": "email", "required": true}}})
	b := s.newTab()
	b.do(chromedp.Navigate(other.URL), chromedp.Click(chromedp.CSS("button")),
		chromedp.SendKeys(chromedp.CSS("[name=email][aria-invalid=true]"), "ada@example.com"),
		chromedp.Click(chromedp.CSS("button")))
	b.see("We answer soon.")
}

// TestBrowserInboxByKeys opens a submission by keys: the focus goes to it. A phone names no keys.
func TestBrowserInboxByKeys(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/forms", obj{"slug": "contact", "name": "Contact",
		"fields": []obj{{"name": "message", "type": "textarea"}}})
	for _, message := range []string{"Do you mend lamps?", "When are you open?"} {
		res, err := http.PostForm(s.url+"/api/v1/forms/contact/submit", url.Values{"message": {message}})
		if err != nil || res.Body.Close() != nil || res.StatusCode != http.StatusCreated {
			t.Fatal(res, err)
		}
	}
	b := s.openTab("/forms/contact/submissions")
	b.tabTo(60, `e.matches("tbody a")`)
	b.keys(kb.Enter)
	b.see("Mark as spam")
	b.eventually(`document.activeElement.closest(".pane")?.querySelector("h2").textContent`, "Submission")
	b.tabTo(1, `e.textContent === "Mark as read"`)
	b.eventually(`document.querySelector(".find-all input").placeholder`, "Search or jump to…  Ctrl+K")
	b.touch()
	b.open("/forms/contact/submissions")
	b.eventually(`document.querySelector(".find-all input").placeholder`, "Search or jump to…")
}
