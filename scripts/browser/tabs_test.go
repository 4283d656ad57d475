package browser

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserTabsKeepEverything lets two and three tabs write in one entry, each in fields of its
// own, and save in any order. No value that was saved goes back to an older one (finding B1: the
// second save of a tab put back the fields that another tab had saved in between).
func TestBrowserTabsKeepEverything(t *testing.T) {
	for _, tabs := range []int{2, 3} {
		t.Run(fmt.Sprint(tabs, " tabs"), func(t *testing.T) { writeInTabs(t, tabs, 200) })
	}
}

func writeInTabs(t *testing.T, n, steps int) {
	s := newSite(t)
	fields := []string{"title", "data.one", "data.two", "data.three"}
	s.call("POST", "/models", obj{"slug": "notes", "name": "Notes", "fields": []obj{
		{"name": "one", "type": "text"}, {"name": "two", "type": "text"}, {"name": "three", "type": "text"}}})
	at := "/models/notes/entries/" + s.made("/models/notes/entries", obj{"title": "Shared", "status": "published"})
	tabs := []*tab{s.newTab()}
	tabs[0].signIn(email)
	for len(tabs) < n {
		tabs = append(tabs, s.copyOf(tabs[0]))
	}
	for _, b := range tabs {
		b.open(at)
		b.until("the page is ready", func() bool { return eval[bool](b, "document.readyState === 'complete'") })
	}
	typed, saved := map[string]string{}, map[string]string{}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	save := func(owner int) {
		// A save that has begun by itself may be without the last text.
		eval[string](tabs[owner], "Promise.resolve(saving).then(save).then(() => { window.done = true; }), ''")
		tabs[owner].until("the save ends", func() bool {
			return eval[bool](tabs[owner], "!saving && Boolean(window.done)")
		})
		for i, name := range fields {
			if i%n == owner && typed[name] != "" {
				saved[name] = typed[name]
			}
		}
		draft := s.call("GET", at+"/draft", nil)
		for name, want := range saved {
			if got := valueAt(draft, name); got != want {
				t.Fatalf("seed %d: after a save of tab %d %s is %q, saved was %q", seed, owner, name, got, want)
			}
		}
	}
	for step := range steps {
		field := random.IntN(len(fields))
		owner := field % n
		typed[fields[field]] = fmt.Sprintf("Text %d of tab %d", step, owner)
		eval[string](tabs[owner], fmt.Sprintf(`(() => { window.done = false;
			const e = document.querySelector("main [name='%s']"); e.value = %q;
			e.dispatchEvent(new Event("input", {bubbles: true})); return ""; })()`, fields[field], typed[fields[field]]))
		if random.IntN(2) == 0 {
			save(owner)
		}
	}
	for owner := range tabs {
		save(owner)
	}
}

// valueAt returns a text of an entry by its path: title, or data and a key.
func valueAt(entry obj, path string) string {
	if path == "title" {
		return entry["title"].(string)
	}
	text, _ := entry["data"].(obj)[path[len("data."):]].(string)
	return text
}

// TestBrowserTabOnPhone: a row of tabs that does not fit on a phone shows the present one.
func TestBrowserTabOnPhone(t *testing.T) {
	s, at := desk(t)
	b := s.openTab()
	b.do(chromedp.EmulateViewport(390, 844))
	b.open(at + "/review")
	b.eventually(`(() => {
		const row = document.querySelector(".entry-bar .tabs ul").getBoundingClientRect();
		const tab = document.querySelector(".entry-bar .tabs [aria-current]").getBoundingClientRect();
		return tab.left >= row.left - 1 && tab.right <= row.right + 1 && scrollY === 0 ? "shown" : "cut off";
	})()`, "shown")
}
