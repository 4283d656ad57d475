package browser

import (
	"context"
	"regexp"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestBrowserLanguages: the profile chooses the language of the pages and of their scripts. Content keeps
// its own words.
func TestBrowserLanguages(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Delete", "kind": "collection",
		"fields": []obj{
			{"name": "save", "label": "Save", "type": "text"}, {"name": "body", "label": "Body", "type": "richtext"}}})
	id := s.made("/models/posts/entries", obj{"title": "Cancel", "status": "published",
		"data": obj{"save": "Publish", "body": "Undo"}})
	b := s.openTab("/profile")
	eval[string](b, `document.getElementById("f-language").value = "de"`)
	b.press("//main", "Save")
	b.see("Gespeichert.")
	b.open("/models/posts/entries/" + id)
	for _, text := range []string{"Verlauf", "Cancel", "Save", "Delete"} { // a tab, the entry, the field and the model
		b.see(text)
	}
	b.fill("data.save", "Publish it")
	b.see("Gespeichert ")
	b.see("Geändert, nicht live")
	if got := eval[string](b, `document.querySelector("[name='data.save']").value`); got != "Publish it" {
		t.Errorf("the field has %q", got)
	}
	b.do(chromedp.WaitVisible(chromedp.CSS(`.markdown-bar button[title^="Fett"]`)))
	b.audit(t, "entry in German")
}

// turnedPaths counts the long paths of a page, and lists those that begin at their right end.
const turnedPaths = `(() => {
	const left = (text) => {
		const range = document.createRange();
		range.selectNodeContents(text);
		return range.getBoundingClientRect().left;
	};
	const found = [...document.querySelectorAll("td *, dd *")].filter((e) => e.firstChild?.data?.trim() === "/");
	const turned = found.filter((e) => left(e.childNodes[0]) > left(e.childNodes[2])); // a place to break is between them
	return found.length + ": " + turned.map((e) => e.textContent);
})()`

// hours ends a time of a day with hours from 00 to 23.
var hours = regexp.MustCompile(`[0-2]\d:[0-5]\d$`)

// TestBrowserRightToLeft: Arabic pages run from right to left, on a wide screen and on a phone.
func TestBrowserRightToLeft(t *testing.T) {
	s := lists(t)
	s.call("PUT", "/profile", obj{"language": "ar"})
	b := s.newTab()
	b.open("/login")
	b.fill("email", email)
	b.fill("password", password+"\r")
	b.see("الرئيسية")
	b.open("/models/posts/entries?all=true")
	live := eval[string](b, `[...document.querySelectorAll("td.first a")].find((a) =>
		a.innerText.trim() === "Live post").pathname.replace("/admin", "")`)
	for _, width := range []int64{1280, 390} {
		b.do(chromedp.EmulateViewport(width, 900))
		for _, path := range []string{"/", "/models/posts/entries?all=true", "/models/posts/entries/create", live} {
			b.open(path)
			if dir := eval[string](b, `document.dir + " " + document.documentElement.lang`); dir != "rtl ar" {
				t.Fatalf("%s is %q", path, dir)
			}
			if eval[bool](b, `document.documentElement.scrollWidth > innerWidth`) {
				t.Errorf("%s is wider than %d", path, width)
			}
			b.audit(t, path+" in Arabic")
		}
	}
	if !eval[bool](b, `[...document.querySelectorAll(".locales li > a:not(.side-by-side)")].every((a) =>
		a.firstElementChild.getBoundingClientRect().left >= a.lastElementChild.getBoundingClientRect().right)`) {
		t.Error("the state of a language stands before its name")
	}
	for _, width := range []int64{390, 768} {
		b.do(chromedp.EmulateViewport(width, 900))
		b.open("/activity")
		if !eval[bool](b, `[...document.querySelectorAll("td > .avatar")].every((a) =>
			Math.abs(a.getBoundingClientRect().top - a.nextElementSibling.getBoundingClientRect().top) < 12)`) {
			t.Errorf("a name stands below its avatar at %d px", width)
		}
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	const long = "/a-long-path/that-may-break/in-its-cell"
	s.call("POST", "/redirects", obj{"from": long, "to": "/a"})
	s.call("POST", "/menus", obj{"slug": "main", "name": "Main", "items": obj{"en": []obj{{"label": "A", "href": long}}}})
	for _, path := range []string{"/redirects", "/menus/main"} {
		b.open(path)
		if got := eval[string](b, turnedPaths); got != "1: " {
			t.Errorf("%s: the number of paths, and those that begin at their right end: %s", path, got)
		}
	}
	b.open("/models/posts/entries?all=true")
	if !eval[bool](b, `document.getElementById("menu").getBoundingClientRect().left > innerWidth / 2`) {
		t.Error("the menu is at the left")
	}
	times := `[...document.querySelectorAll("td time[data-zoned]")].map((e) => e.textContent)`
	b.until("the times of the list", func() bool { return len(eval[[]string](b, times)) > 0 })
	for _, text := range eval[[]string](b, times) {
		if !hours.MatchString(text) {
			t.Errorf("scripts write %q, where the service writes hours from 00 to 23", text)
		}
	}
}

// TestBrowserAcceptsLanguages: without a choice in the profile, the browser chooses, also before one signs in.
func TestBrowserAcceptsLanguages(t *testing.T) {
	s := newSite(t)
	b := s.newTab()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetUserAgentOverride,
			emulation.SetUserAgentOverrideParams{UserAgent: "Browser", AcceptLanguage: "ja"})
		return err
	}))
	b.open("/login")
	b.see("ログイン")
	b.fill("email", email)
	b.fill("password", password+"\r")
	b.see("ホーム")
	b.audit(t, "home in Japanese")
}
