package browser

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// historyDesk is a site with an entry whose second version changed a field of each kind.
func historyDesk(t *testing.T) (s *site, at string) {
	s = newSite(t)
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts",
		"fields": []obj{
			{"name": "intro", "label": "Intro", "type": "textarea"},
			{"name": "at", "label": "Starts", "type": "datetime"},
			{"name": "featured", "label": "Featured", "type": "boolean"},
			{"name": "cover", "label": "Cover", "type": "media"},
			{"name": "parts", "label": "Parts", "type": "blocks",
				"fields": []obj{{"name": "quote", "label": "Quote", "type": "group",
					"fields": []obj{{"name": "text", "label": "Words", "type": "textarea"},
						{"name": "large", "label": "Large", "type": "boolean"}}}}},
		}})
	quote := func(text string) any { return obj{"type": "quote", "text": text, "large": false} }
	at = "/models/posts/entries/" + s.made("/models/posts/entries", obj{
		"title": "Lamps", "status": "published", "data": obj{
			"intro": "Short words", "at": "2026-11-22T09:38:00Z", "featured": false,
			"cover": s.upload("oil.png", color.RGBA{200, 120, 90, 255}),
			"parts": []any{quote("So."), quote("It goes on."), quote("The end.")},
		}})
	s.call("PUT", at, obj{"data": obj{
		"intro": "Some short words", "at": "2026-11-23T10:38:00Z", "featured": true,
		"cover": s.upload("wood.png", color.RGBA{20, 120, 190, 255}),
		"parts": []any{quote("It goes on."), quote("The end."), quote("So.")},
	}})
	return s, at
}

// change is the text of the page about a field, with its pictures as dots.
func (b *tab) change(label string) string {
	b.t.Helper()
	return eval[string](b, `(() => {
		const section = [...document.querySelectorAll(".change")].find((e) => e.querySelector("h3").textContent === "`+label+`");
		return section ? "●".repeat(section.querySelectorAll(".diff img").length) + section.querySelector(".diff").innerText : "";
	})()`)
}

// TestBrowserHistory reads what a version changed, as people say it, and takes single changes back
// into a draft: by the mouse, by keys and without scripts.
func TestBrowserHistory(t *testing.T) {
	s, at := historyDesk(t)
	b := s.openTab(at + "/revisions")
	b.see("What this version changed")
	for label, want := range map[string]string{
		"Intro": "ShortSome short words", "Featured": "No → Yes", "Cover": "●● oil.png wood.png",
		"Parts": "1. Quote Words: It goes on. … 2. Quote Words: The end. … 3. Quote moved, was 1 Words: So. …",
	} {
		got := strings.Join(strings.Fields(b.change(label)), " ")
		if got != want {
			t.Errorf("%s: %q, want %q", label, got, want)
		}
	}
	if got := b.change("Starts"); !strings.Contains(got, " → ") || strings.Contains(got, "T09:38") {
		t.Errorf("Starts: %q", got)
	}
	b.look(t, "history")

	data := func() obj { return s.draftOf(at) }
	b.press("//section", "Undo this change: Intro")
	b.see("Restored as a draft")
	if got := data(); got["intro"] != "Short words" || got["featured"] != true {
		t.Errorf("after the intro was taken back: %v", got)
	}
	b.open(at + "/revisions?show=2")
	eval[bool](b, `(document.querySelector("button[value='data.featured']").focus(), true)`)
	b.enter()
	b.see("Restored as a draft")
	if got := data(); got["intro"] != "Short words" || got["featured"] != false {
		t.Errorf("after the box was taken back: %v", got)
	}
	b.open(at + "/revisions?show=2")
	if eval[bool](b, `Boolean(document.querySelector("button[value='data.intro']"))`) {
		t.Error("a change that was taken back can be taken back again")
	}

	plain := s.copyOf(b)
	plain.withoutScripts()
	plain.open(at + "/revisions?show=2")
	plain.press("//section", "Undo this change: Parts")
	plain.see("Restored as a draft")
	first, _ := data()["parts"].([]any)[0].(obj)
	if first["text"] != "So." {
		t.Errorf("after the parts were taken back: %v", first)
	}

	b.open(at)
	b.do(chromedp.EmulateViewport(390, 760))
	b.eventually(`String(document.querySelectorAll(".drag").length)`, "3")
	if wide := eval[int](b, "document.documentElement.scrollWidth"); wide > 390 {
		t.Errorf("the page of the entry is %d wide on a phone", wide)
	}
}

// TestBrowserRestoreRow puts back a row that a version removed and one that it changed: with scripts and without.
func TestBrowserRestoreRow(t *testing.T) {
	s, at := historyDesk(t)
	s.call("PUT", at, obj{"data": obj{"parts": []any{obj{"type": "quote", "text": "It goes on and on.", "large": false},
		obj{"type": "quote", "text": "So.", "large": false}}}})
	texts := func() string {
		var list []string
		parts, _ := s.draftOf(at)["parts"].([]any)
		for _, part := range parts {
			list = append(list, fmt.Sprint(part.(obj)["text"]))
		}
		return strings.Join(list, " | ")
	}
	b := s.openTab(at + "/revisions?show=3")
	b.look(t, "rows to restore")
	b.snap("restore-row")
	b.do(chromedp.EmulateViewport(390, 760))
	eval[any](b, "document.querySelector('[name=row]').scrollIntoView({block: 'center'})")
	b.snap("restore-row-phone")
	if wide := eval[int](b, "document.documentElement.scrollWidth"); wide > 390 {
		t.Errorf("the page is %d wide on a phone", wide)
	}
	b.press("//section", "Restore this row: 2. Quote")
	b.see("Restored as a draft")
	if got := texts(); got != "It goes on and on. | The end. | So." {
		t.Errorf("with scripts the draft has %s", got)
	}
	plain := s.copyOf(b)
	plain.withoutScripts()
	plain.open(at + "/revisions?show=3")
	plain.missing("Restore this row: 2. Quote")
	plain.press("//section", "Restore this row: 1. Quote")
	plain.see("Restored as a draft")
	if got := texts(); got != "It goes on. | The end. | So." {
		t.Errorf("without scripts the draft has %s", got)
	}
	s.call("PUT", "/profile", obj{"language": "ar"})
	s.call("PUT", at+"/draft", obj{"data": obj{"parts": nil}})
	b.open(at + "/revisions?show=3")
	eval[any](b, "document.querySelector('[name=row]').scrollIntoView({block: 'center'})")
	b.snap("restore-row-ar")
}

// TestBrowserHistoryBefore puts back the text that a version changed, though a later one changed it again.
func TestBrowserHistoryBefore(t *testing.T) {
	s, at := historyDesk(t)
	s.call("PUT", at, obj{"data": obj{"intro": "Many words"}})
	b := s.openPlainTab(at + "/revisions?show=2")
	b.see("It was changed again since: those changes are replaced too.")
	b.press("//section", "Undo this change: Featured") // only the intro was changed again
	b.see("Restored as a draft")
	b.open(at + "/revisions?show=2")
	b.audit(t, "a change that was changed again")
	b.press("//section", "Put back the text of before: Intro")
	b.see("Restored as a draft")
	if got := s.draftOf(at); got["intro"] != "Short words" || got["featured"] != false {
		t.Errorf("the draft has %v", got)
	}
}
