package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"headless/pkg/must"
)

// section is a site whose section of 60 pages in two languages is to be relaunched: five areas of eleven
// pages below one page, a page of texts that link to them, and a menu.
func section(t *testing.T) (s *site, ids map[string]string, delivery string) {
	t.Helper()
	s, ids = newSite(t), map[string]string{}
	s.call("POST", "/locales", obj{"code": "de", "name": "German"})
	s.call("POST", "/models", obj{"slug": "pages", "name": "Pages", "tree": true, "localized": true,
		"url": "/{locale?}/{path}", "fields": []obj{{"name": "body", "label": "Text", "type": "richtext"}}})
	page := func(title, parent string) {
		body := obj{"title": title, "status": "published", "position": len(ids), "data": obj{"body": "About " + title}}
		if parent != "" {
			body["parent"] = ids[parent]
			body["data"] = obj{"body": fmt.Sprintf("See [above](cms://entry/%s).", ids[parent])}
		}
		ids[title] = s.made("/models/pages/entries", body)
		body["title"], body["locale"], body["translation_of"] = title+" de", "de", ids[title]
		delete(body, "parent") // it is the translation of the parent
		ids[title+" de"] = s.made("/models/pages/entries", body)
	}
	page("Products", "")
	for _, area := range []string{"Lamps", "Tables", "Chairs", "Shelves", "Desks"} {
		page(area, "Products")
		for i := range 11 - len(area)%2 {
			page(fmt.Sprintf("%s %d", strings.TrimSuffix(area, "s"), i+1), area)
		}
	}
	page("Solutions", "")
	page("Company", "")
	key := s.call("POST", "/keys", obj{"name": "site", "kind": "publishable"})
	return s, ids, "/delivery/v1/" + key["public_key"].(string)
}

// addresses returns the paths of all pages, by id.
func (s *site) addresses(delivery string) map[string]string {
	s.t.Helper()
	found := map[string]string{}
	var walk func(nodes []any)
	walk = func(nodes []any) {
		for _, v := range nodes {
			node := v.(obj)
			found[node["id"].(string)] = node["url"].(string)
			walk(node["children"].([]any))
		}
	}
	for _, locale := range []string{"en", "de"} {
		var answer struct{ Data []any }
		s.read(delivery+"/pages/tree?locale="+locale, &answer)
		walk(answer.Data)
	}
	return found
}

// chooseOption chooses an option as people do: one click opens the list and another one takes the option. A browser
// without a screen shows no list, so the test counts them.
func (b *tab) chooseOption(field, label string) {
	b.t.Helper()
	ok := eval[bool](b, fmt.Sprintf(`(() => {
		const select = document.querySelector("main select[name=%s]");
		const option = [...select.options].find((o) => o.label.endsWith(%q));
		if (option) select.value = option.value;
		sessionStorage.effort = Number(sessionStorage.effort || 0) + 2;
		return Boolean(option);
	})()`, field, label))
	if !ok {
		b.t.Fatalf("there is no %q", label)
	}
}

func box(id string) string { return fmt.Sprintf("input[name=ids][value='%s']", id) }

// selectTo selects the rows from one to another: two clicks, the second with shift.
func (b *tab) selectTo(from, to string) {
	b.t.Helper()
	b.do(mouseClick(chromedp.CSS(box(from))))
	b.do(chromedp.ScrollIntoView(chromedp.CSS(box(to))))
	x, y := b.middle(box(to))
	b.do(chromedp.MouseClickXY(x, y, chromedp.ButtonModifiers(chromedp.ModifierShift)))
}

// TestBrowserRelaunch relaunches a section of 60 pages in two languages in as few clicks as promised. Every address
// that a page ever had leads to it.
func TestBrowserRelaunch(t *testing.T) {
	s, ids, delivery := section(t)
	const tree = "/models/pages/tree"
	b := s.newTab()
	b.counted()
	b.signIn(email)
	former := map[string]string{} // id, by path
	note := func() {
		for id, path := range s.addresses(delivery) {
			former[path] = id
		}
	}
	note()
	b.task("two areas of 23 pages moved, in both languages", 6, tree, func() {
		b.do(mouseClick(chromedp.CSS(box(ids["Tables"]))))
		b.do(mouseClick(chromedp.CSS(box(ids["Desks"]))))
		b.look(t, "the tree with selected entries")
		b.snap("selected-pages")
		b.press("//form", "Move…")
		b.see("23 addresses change")
		b.look(t, "the form that moves several")
		b.snap("move-several")
		b.chooseOption("to", "Below “Solutions”")
		b.press("//main", "Move")
		b.see("/solutions/desks/desk-1")
	})
	note()
	b.task("nine pages of an area moved, in both languages", 6, tree, func() {
		b.selectTo(ids["Shelve 1"], ids["Shelve 9"])
		b.press("//form", "Move…")
		b.see("9 addresses change")
		b.chooseOption("to", "Below “Company”")
		b.press("//main", "Move")
		b.see("/company/shelve-9")
	})
	note()
	b.task("a page renamed, in both languages", 8, tree, func() {
		b.click(fmt.Sprintf("//a[contains(@href, %q)]", ids["Lamps"]))
		for _, title := range []string{"Lights", "Leuchten"} {
			b.fill("title", title)
			b.fill("slug", strings.ToLower(title))
			b.press("//main", "Publish changes")
			b.see("Published:")
			if title == "Lights" {
				b.press("//nav", "German outdated")
				b.see("Lamps de")
			}
		}
	})
	note()
	b.task("a page moved by keys, in both languages", 1, tree, func() {
		b.do(mouseClick(chromedp.CSS(handleOf(ids["Chairs"]))))
		b.keys(kb.ArrowLeft)
		b.see("Move Chairs at the top?")
		b.look(t, "the question with translations")
		b.snap("move-question")
		b.enter()
		b.see("Chairs is number 2 of 4 at the top.")
	})
	note()
	s.call("POST", "/menus", obj{"slug": "main", "name": "Main menu"})
	b.task("a menu of an area with its pages, in both languages", 6, tree, func() {
		b.selectTo(ids["Chairs"], ids["Chair 11"])
		b.press("//form", "Add to a menu…")
		b.see("Add 12 entries to a menu")
		b.look(t, "the form that adds to a menu")
		b.snap("add-to-menu")
		b.press("//main", "Add")
		b.see("Saved.")
	})
	b.asks.Store(true)
	b.task("a page deleted from the middle, and its address redirected", 8, tree, func() {
		b.click(fmt.Sprintf("//a[contains(@href, %q)]", ids["Shelves"]))
		b.do(mouseClick(chromedp.CSS(".more > summary")))
		b.press("//main", "Delete")
		b.press(`//details[@open]//details[@open]//form`, "Delete")
		b.see("Delete them too")
		b.press("//main", "Move them up")
		b.see("Undo")
		b.press("//main", "Redirect its address")
		b.fill("to", "/products")
		b.press("//main", "Create redirect")
		b.see("Created.")
	})
	note()
	former["/products/shelves"] = ids["Products"] // by the redirect
	menu := s.call("GET", "/menus/main", nil)["items"].(obj)
	for _, locale := range []string{"en", "de"} {
		items := menu[locale].([]any)
		if len(items) != 1 || len(items[0].(obj)["children"].([]any)) != 11 {
			t.Errorf("the menu in %s: %v", locale, items)
		}
	}
	s.leadOn(delivery, former)
}

// leadOn checks that every path leads to the entry of an id.
func (s *site) leadOn(delivery string, paths map[string]string) {
	s.t.Helper()
	now := s.addresses(delivery)
	moved := 0
	for path, id := range paths {
		res, err := http.Get(s.url + delivery + "/resolve?path=" + url.QueryEscape(path))
		must.Do(s.t, err)
		var answer struct {
			Data struct{ ID string }
			Meta struct {
				Kind     string
				Redirect struct{ To string }
			}
		}
		err = json.NewDecoder(res.Body).Decode(&answer)
		res.Body.Close()
		if answer.Meta.Kind == "redirect" {
			moved++
		}
		if err != nil || res.StatusCode != 200 || answer.Data.ID != id && answer.Meta.Redirect.To != now[id] {
			s.t.Errorf("%s: %d %+v (%v), want %s", path, res.StatusCode, answer, err, now[id])
		}
	}
	s.t.Logf("%d paths, of which %d are redirects", len(paths), moved)
}
