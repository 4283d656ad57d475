package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"headless/pkg/must"
)

// desk is a site with a model of every kind of text, and a published entry of it.
func desk(t *testing.T) (s *site, at string) {
	s = newSite(t)
	return s, lamps(s)
}

// lamps adds the model and the entry of a desk.
func lamps(s *site) (at string) {
	s.call("POST", "/locales", obj{"code": "ar", "name": "Arabic", "native_name": "العربية", "direction": "rtl"})
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "localized": true,
		"fields": []obj{
			{"name": "teaser", "label": "Teaser", "type": "textarea"},
			{"name": "body", "label": "Text", "type": "richtext", "required": true},
			{"name": "at", "label": "Starts", "type": "datetime"},
			{"name": "minutes", "label": "Minutes", "type": "number", "max": 60},
			{"name": "related", "label": "Related", "type": "relation", "model": "posts", "many": true},
			{"name": "parts", "label": "Parts", "type": "blocks",
				"fields": []obj{{"name": "quote", "type": "group", "fields": []obj{{"name": "text", "type": "textarea"}}}}},
		}})
	e := s.call("POST", "/models/posts/entries",
		obj{"title": "Lamps", "status": "published",
			"data": obj{"body": "About *light*.", "teaser": "Short", "at": "2026-11-22T09:38:00Z"}})
	return "/models/posts/entries/" + e["id"].(string)
}

// openDesk opens the entry of a desk.
func openDesk(t *testing.T) (s *site, at string, b *tab) {
	t.Helper()
	s, at = desk(t)
	return s, at, s.openTab(at)
}

// TestBrowserTitleWithoutBox: the title of an entry has a line below it while one writes, and no box.
func TestBrowserTitleWithoutBox(t *testing.T) {
	_, _, b := openDesk(t)
	b.do(chromedp.Focus(chromedp.CSS("#f-title")))
	b.eventually(`(({ outlineColor, borderTopWidth, borderBottomWidth }) => [outlineColor, borderTopWidth, borderBottomWidth].join(" "))(
		getComputedStyle(document.getElementById("f-title")))`, "rgba(0, 0, 0, 0) 0px 2px")
	b.snap("title-focused")
}

// value is what an input holds.
func (b *tab) value(name string) string {
	b.t.Helper()
	return eval[string](b, `document.querySelector("main [name='`+name+`']").value`)
}

// endSessions changes the password, which ends every session but the caller's.
func (s *site) endSessions() {
	me := s.call("GET", "/me", nil)["id"].(string)
	s.call("PUT", "/users/"+me, obj{"password": password, "current_password": password})
}

func (s *site) draftOf(at string) obj {
	data, _ := s.call("GET", at+"/draft/edit", nil)["data"].(obj)
	return data
}

// until waits for something outside of the page.
func (b *tab) until(what string, holds func() bool) {
	b.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-tick.C {
		if holds() {
			return
		}
	}
	b.t.Fatalf("it never happened: %s", what)
}

// TestBrowserTypingDuringStep types into other fields while rows are added and removed: nothing is
// lost (finding 1).
func TestBrowserTypingDuringStep(t *testing.T) {
	s, _, b := openDesk(t)
	b.press("//main", "Add quote")
	b.rows("data.parts", 1)
	b.press("//main", "Add quote")
	b.rows("data.parts", 2)
	b.fill("data.parts.0.text", "First")
	b.fill("data.parts.1.text", "Second")
	slow := func(step func()) { // the answer comes after the step
		s.delay.Store(patience.Milliseconds())
		step()
		s.delay.Store(0)
	}
	slow(func() {
		b.press("//main", "Add quote")
		b.do(chromedp.Focus(chromedp.CSS("[name='data.teaser']")))
		b.keys(" and more")
	})
	b.rows("data.parts", 3)
	b.keys(" still")
	if got := b.value("data.teaser"); !strings.Contains(got, "and more") || !strings.Contains(got, "still") {
		t.Errorf("the teaser is %q", got)
	}
	slow(func() {
		b.do(mouseClick(chromedp.CSS("[value='up data.parts.1']")))
		b.do(chromedp.Focus(chromedp.CSS("[name='data.parts.1.text']")))
		b.keys(" moved")
	})
	b.eventually(`document.querySelector("[name='data.parts.1.text']").value`, "First")
	if got := b.value("data.parts.0.text"); !strings.Contains(got, "Second") ||
		!strings.Contains(got, "moved") {
		t.Errorf("the moved block holds %q", got)
	}
}

// TestBrowserTwoEditors has two people save one entry: different fields are merged, and one that
// both changed is asked about (finding 2).
func TestBrowserTwoEditors(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		t.Run(map[bool]string{true: "scripts", false: "no scripts"}[scripts], func(t *testing.T) {
			s, at := desk(t)
			b := s.openTabWith(scripts, at)
			s.call("PUT", at+"/draft", obj{"data": obj{"teaser": "Theirs"}})
			b.fill("data.body", "Mine")
			b.press("//main", "Save")
			b.see("Saved.")
			if got := s.draftOf(at); got["teaser"] != "Theirs" || got["body"] != "Mine" {
				t.Errorf("merged: %v", got)
			}
			s.call("PUT", at+"/draft", obj{"data": obj{"body": "Theirs as well"}})
			b.fill("data.body", "Mine once more")
			b.press("//main", "Save")
			b.see("in another window, changed this too")
			b.see("Theirs as well")
			b.audit(t, "conflict")
			if got := b.value("data.body"); got != "Mine once more" {
				t.Errorf("the form holds %q", got)
			}
			b.press("//main", "Keep mine")
			b.eventually("String(document.querySelector('.conflict'))", "null")
			b.press("//main", "Save")
			b.see("Saved.")
			if got := s.draftOf(at); got["body"] != "Mine once more" {
				t.Errorf("kept: %v", got)
			}
		})
	}
}

// TestBrowserDraftFirst saves a live entry: readers see nothing of it until it is published, and
// its locale is not a field (findings 3 and 4).
func TestBrowserDraftFirst(t *testing.T) {
	s, at, b := openDesk(t)
	if eval[int](b, `document.querySelectorAll("#entry [name=locale], #entry [name=status]").length`) != 0 {
		t.Error("locale or status are fields of the form")
	}
	b.fill("title", "Oil lamps") // saves by itself
	b.see("Saved ")
	b.see("Changed, not live")
	if got := s.call("GET", at, nil)["title"]; got != "Lamps" {
		t.Errorf("readers see %q", got)
	}
	b.press("//main", "changed, not live")
	b.see("Not published yet")
	b.audit(t, "changes")
	b.press("//main", "Publish these changes")
	b.see("Published:")
	if got := s.call("GET", at, nil)["title"]; got != "Oil lamps" {
		t.Errorf("readers see %q", got)
	}
}

// TestBrowserSessionEnds ends the session while somebody writes: a dialog asks for the password,
// and the page stays (finding 5).
func TestBrowserSessionEnds(t *testing.T) {
	s, at, b := openDesk(t)
	s.endSessions()
	long := strings.Repeat("Many words. ", 30_000)
	eval[string](b,
		`(() => { const e = document.querySelector("[name='data.body']"); e.value = "`+long+`"; e.dispatchEvent(new Event("input", {bubbles: true})); return ""; })()`)
	b.see("Sign in again")
	b.audit(t, "sign in again")
	b.do(chromedp.SendKeys(chromedp.CSS("#again-password"), password+kb.Enter))
	b.see("Saved ")
	if got, _ := s.draftOf(at)["body"].(string); len(got) < len(long)-1 {
		t.Errorf("%d of %d characters were saved", len(got), len(long))
	}
}

// TestBrowserSessionEndsWithoutScripts carries the form through the sign-in page.
func TestBrowserSessionEndsWithoutScripts(t *testing.T) {
	s, _ := desk(t)
	b := s.openPlainTab("/models/posts/entries/create")
	b.fill("title", "Written for an hour")
	b.fill("data.body", "Many words")
	s.endSessions()
	b.press("//main", "Create entry")
	b.see("Your session has ended")
	b.fill("email", email)
	b.fill("password", password+"\r")
	b.see("not saved yet")
	if got := b.value("data.body"); got != "Many words" {
		t.Errorf("the form came back with the text %q", got)
	}
	b.press("//main", "Create entry")
	b.see("Created.")
	b.see("Written for an hour")
}

// TestBrowserOffline loses the network, and then the page: the text is saved later, or offered
// again (findings 6 and 27).
func TestBrowserOffline(t *testing.T) {
	s, at, b := openDesk(t)
	b.broken.Store(true)
	s.down.Store(true)
	b.fill("data.teaser", "Written on a train")
	b.see("Offline: kept on this device")
	s.down.Store(false)
	eval[bool](b, `dispatchEvent(new Event("online"))`)
	b.see("Saved ")
	b.until("the draft has the text", func() bool { return s.draftOf(at)["teaser"] == "Written on a train" })

	b.open("/models/posts/entries/create")
	s.down.Store(true) // else the service has the entry after the first pause
	b.fill("title", "Lost with the browser")
	if !b.asksToStay() {
		t.Error("the page is left without a question")
	}
	b.crash()
	s.down.Store(false)
	fresh := s.copyOf(b)
	fresh.open("/models/posts/entries/create")
	fresh.see("was not saved")
	fresh.press("//main", "Bring it back")
	fresh.eventually(`document.querySelector("[name=title]").value`, "Lost with the browser")
}

// copyOf is another tab of the same browser.
func (s *site) copyOf(b *tab) *tab {
	s.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	s.t.Cleanup(cancel)
	return s.tabOf(ctx)
}

// TestBrowserDelete says where an entry is used before it goes to the trash, and takes that back
// (findings 7 and 8).
func TestBrowserDelete(t *testing.T) {
	s, at := desk(t)
	id := at[strings.LastIndex(at, "/")+1:]
	s.call("POST", "/models/posts/entries", obj{"title": "Refers", "data": obj{"body": "b", "related": []string{id}}})
	b := s.openTab(at)
	b.do(mouseClick(chromedp.CSS(".more > summary")))
	b.press("//main", "Delete")
	b.see("It is used here")
	b.see("Refers (Posts: Related")
	b.missing("cannot be undone")
	b.press(`//details[@open]//details[@open]//form`, "Delete")
	b.see("in the trash")
	b.press("//main", "Undo")
	b.see("Restored.")
	b.eventually(`location.pathname`, "/admin"+at)
	if got := s.call("GET", at, nil)["title"]; got != "Lamps" {
		t.Errorf("restored %q", got)
	}
}

// TestBrowserLongText saves 177,000 Arabic letters, over 1 MB as a form without parts (finding 10).
func TestBrowserLongText(t *testing.T) {
	s, at := desk(t)
	b := s.openPlainTab(at)
	eval[string](b, `document.querySelector("[name='data.body']").value = ("ن".repeat(59) + "\n").repeat(3000); ""`)
	b.press("//main", "Save")
	b.see("Saved.")
	if got, _ := s.draftOf(at)["body"].(string); len(got) != 357_000 {
		t.Errorf("%d bytes were saved", len(got))
	}
}

// TestBrowserTimes shows and picks times in the zone of the browser (findings 11 and 12).
func TestBrowserTimes(t *testing.T) {
	s, at := desk(t)
	b := s.openTab()
	b.inZone("America/New_York")
	b.open(at)
	b.see("America/New_York")
	if got := eval[string](b, `document.querySelector("#f-data\\.at").value`); !strings.HasPrefix(got,
		"2026-11-22T04:38") {
		t.Errorf("the time is %s", got)
	}
	eval[string](b,
		`(() => { const e = document.querySelector("#f-data\\.at"); e.value = "2026-11-22T15:00"; e.dispatchEvent(new Event("input", {bubbles: true})); return ""; })()`)
	b.see("Saved ")
	b.until("the draft has the time", func() bool { return s.draftOf(at)["at"] == "2026-11-22T20:00:00Z" })
}

// TestBrowserLanguage says in which language and direction each text is (finding 13).
func TestBrowserLanguage(t *testing.T) {
	s, at := desk(t)
	id := at[strings.LastIndex(at, "/")+1:]
	e := s.call("POST", "/models/posts/entries", obj{"title": "مصابيح", "locale": "ar",
		"translation_of": id, "data": obj{"body": "ب"}})
	b := s.openTab("/models/posts/entries/" + e["id"].(string))
	for _, name := range []string{"title", "data.teaser", "data.body", "seo.title"} {
		if got := eval[string](b,
			`(e => e.lang + " " + e.dir)(document.querySelector("main [name='`+name+`']"))`); got != "ar rtl" {
			t.Errorf("%s is %q", name, got)
		}
	}
}

// TestBrowserMistakes leads from the summary of errors to each field (finding 19).
func TestBrowserMistakes(t *testing.T) {
	s, _ := desk(t)
	b := s.openTab("/models/posts/entries/create")
	b.fill("title", "Wrong")
	b.fill("data.minutes", "90")
	b.press("//main", "Create entry")
	b.see("Minutes: must be at most 60")
	b.focused("problems")
	b.press("//main", "Minutes: must be at most 60")
	b.focused("f-data.minutes")

	// A tall group shows its message. What is typed in it answers the message about it, and no other one.
	row := []obj{{"name": "n", "label": "Lumen", "type": "number", "min": 3}, {"name": "text", "type": "richtext"}}
	rows := obj{"name": "rows", "label": "Sizes", "type": "list", "fields": row}
	s.call("POST", "/models", obj{"slug": "rows", "name": "Rows", "fields": []obj{rows}})
	id := s.made("/models/rows/entries?draft=true", obj{"title": "Wrong", "data": obj{"rows": []obj{{"n": 3}, {"n": 4}}}})
	rows["max"] = 1
	s.call("PUT", "/models/rows", obj{"fields": []obj{rows}})
	b.open("/models/rows/entries/" + id)
	b.fill("data.rows.0.n", "1")
	b.press("//main", "Publish")
	b.see("Sizes › 1 › Lumen: must be at least 3")
	b.press("//main", "Sizes: must have at most 1 items")
	b.focused("f-data.rows")
	if !eval[bool](b, `(e => e.top > 48 && e.bottom < innerHeight)(
		document.querySelector("[id='f-data.rows-hints']").getBoundingClientRect())`) {
		t.Error("the message about the list is out of sight")
	}
	if eval[string](b, `getComputedStyle(document.querySelector("[name='data.rows.1.n']")).borderColor`) ==
		eval[string](b, `getComputedStyle(document.querySelector("[name='data.rows.0.n']")).borderColor`) {
		t.Error("a right field in a wrong list looks wrong")
	}
	b.fill("data.rows.1.n", "5")
	b.missing("at most 1")
	b.see("Sizes › 1 › Lumen: must be at least 3")
	b.eventually(`document.querySelector("[id='f-data.rows.0.n-hints']").textContent`, "must be at least 3")
}

// TestBrowserTranslate translates an entry beside its original.
func TestBrowserTranslate(t *testing.T) {
	s, at, b := openDesk(t)
	b.press("//nav[@aria-label='Languages']", "العربية missing")
	b.press("//nav[@aria-label='Languages']", "Copy the texts")
	b.see("Created.")
	b.see("About light.") // the original beside it
	b.audit(t, "side by side")
	if got := b.value("data.body"); got != "About *light*." {
		t.Errorf("the copied text is %q", got)
	}
	b.open(at)
	b.see("side by side")
	s.call("PUT", at, obj{"title": "Changed"})
	b.open(at)
	b.see("Outdated")
}

// TestBrowserOutdated merges a draft with later saves of the entry.
func TestBrowserOutdated(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", at+"/draft", obj{"title": "Drafted", "data": obj{"body": "Drafted"}})
	s.call("PUT", at, obj{"title": "Saved", "data": obj{"teaser": "Saved"}})
	b := s.openTab(at)
	b.press("//main", "Publish changes")
	b.see("Choose for each field")
	b.audit(t, "outdated")
	b.do(mouseClick(chromedp.CSS("[name='_choice.title'][value=live]")))
	b.press("//main", "Use these choices")
	b.see("Saved.")
	b.press("//main", "Publish these changes")
	b.see("Published:")
	e := s.call("GET", at, nil)
	data := e["data"].(obj)
	if e["title"] != "Saved" || data["body"] != "Drafted" || data["teaser"] != "Saved" {
		t.Errorf("published %v %v", e["title"], data)
	}
}

// TestBrowserPlanned shows plans on the days and at the times of the reader's zone.
func TestBrowserPlanned(t *testing.T) {
	s, at := desk(t)
	day := time.Now().UTC().AddDate(0, 0, 3).Truncate(24 * time.Hour)
	s.call("PUT", at+"/schedule", obj{"unpublish_at": day.Add(2 * time.Hour)}) // the day before in New York
	s.call("POST", at+"/review", obj{"reviewers": []any{s.call("GET", "/profile", nil)["id"]},
		"due": day.Format(time.DateOnly)}) // the same day there
	b := s.openTab()
	b.inZone("America/New_York")
	b.open("/planned")
	b.see("All times are in your zone, America/New_York.")
	before := day.AddDate(0, 0, -1)
	b.eventually(`document.querySelector(".calendar li").closest("td").querySelector("time").dateTime`,
		before.Format(time.DateOnly))
	b.eventually(`[...document.querySelectorAll(".calendar li")].at(-1).closest("td").querySelector("time").dateTime`,
		day.Format(time.DateOnly))
	want := day.Add(2 * time.Hour).In(newYork(t)).Format("15:04")
	b.eventually(`document.querySelector(".calendar li time").textContent`, want)
	b.eventually(`document.querySelector("[data-planned] h2").textContent.replace(",", "")`,
		before.Format("Monday 2 January 2006"))
	b.audit(t, "planned in a zone")
}

// TestBrowserPlannedMoves moves a plan and a release to other days: by keys, by drag with a mouse and a
// finger, back by Undo, and by a form without JavaScript.
func TestBrowserPlannedMoves(t *testing.T) {
	s, at := desk(t)
	day := time.Now().UTC().AddDate(0, 0, 10).Truncate(24 * time.Hour).Add(9 * time.Hour)
	s.call("PUT", at+"/schedule", obj{"publish_at": day, "unpublish_at": day.AddDate(0, 0, 9)})
	release := s.made("/releases", obj{"name": "Winter", "publish_at": day})
	planned := func(path, field string, want time.Time) {
		t.Helper()
		text := want.Format("2006-01-02T15:04:05.000Z")
		for end := time.Now().Add(patience); ; {
			got, _ := s.call("GET", path, nil)[field].(string)
			if got == text {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s is %s, want %s", field, got, text)
			}
		}
	}
	b := s.openTab("/planned?view=week&from=" + day.Format(time.DateOnly))
	b.see("Winter")
	b.snap("planned-week")
	b.audit(t, "week")
	if rows := eval[int](b, `document.querySelectorAll(".calendar tbody tr").length`); rows != 1 {
		t.Errorf("a week has %d rows", rows)
	}
	b.do(chromedp.Focus(chromedp.CSS(`.calendar [data-field=publish_at]:has(a[href*="/entries/"]) .drag`)))
	b.keys(kb.ArrowDown) // out of the week
	b.eventually(`document.activeElement.textContent`, "Undo")
	b.keys(kb.Enter)
	b.eventually(`document.activeElement.closest("li")?.dataset.field ?? ""`, "publish_at")
	b.open("/planned?model=posts")
	b.missing("Winter")
	b.open("/planned")
	b.eventually(`document.querySelector(".calendar [aria-current=date]")?.dateTime ?? ""`, eval[string](b,
		`new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 10)`))
	b.do(chromedp.Focus(chromedp.CSS(`.calendar [data-field=unpublish_at] .drag`)))
	b.keys(kb.ArrowDown)
	b.see("Lamps moved to ")
	planned(at+"/schedule", "unpublish_at", day.AddDate(0, 0, 16))
	b.missing("Filter") // a choice still acts at once
	b.press("", "Undo")
	planned(at+"/schedule", "unpublish_at", day.AddDate(0, 0, 9))
	// The page comes again behind the change, which would end a drag.
	b.eventually(fmt.Sprintf(
		`String(document.querySelector('.calendar td:has(> time[datetime="%s"]) [data-field=unpublish_at]') !== null)`,
		day.AddDate(0, 0, 9).Format(time.DateOnly)), "true")

	winter := `.calendar li:has(a[href$="/releases/` + release + `"]) .drag`
	to := func(days int) (right, down float64) {
		t.Helper()
		eval[bool](b, fmt.Sprintf(`document.querySelector(%q).scrollIntoView({ block: "center" }), true`, winter))
		x, y := b.middle(winter)
		endX, endY := b.middle(fmt.Sprintf(`.calendar td:has(> time[datetime="%s"])`,
			day.AddDate(0, 0, days).Format(time.DateOnly)))
		return endX - x, endY - y
	}
	right, down := to(1)
	b.drag(winter, ".calendar ul", right, down)
	planned("/releases/"+release, "publish_at", day.AddDate(0, 0, 1))
	b.see("Winter moved to ")
	b.snap("planned-moved")
	b.audit(t, "moved")
	b.touch()
	b.open("/planned")
	b.see("Winter")
	right, down = to(3)
	b.dragByFinger(winter, ".calendar ul", right, down)
	planned("/releases/"+release, "publish_at", day.AddDate(0, 0, 3))
	b.do(chromedp.EmulateViewport(390, 900))
	b.eventually(`((day) => String(day.offsetWidth > day.closest(".scroll").clientWidth - 4))(
		document.querySelector(".calendar td:has(li)"))`, "true")

	b = s.openPlainTab("/planned")
	b.press(`//*[contains(@class, "calendar")]//li[contains(., "Winter")]`, "Move to another time")
	b.see("Publish at")
}

func newYork(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	must.Do(t, err)
	return zone
}

// inZone puts the browser into a zone of time.
func (b *tab) inZone(name string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: name})
		return err
	}))
}
