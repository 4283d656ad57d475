package browser

import (
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserSeveralModels fills a relation that leads to two models (extensions §12), with and without
// scripts, and makes an entry of the second model in its dialog.
func TestBrowserSeveralModels(t *testing.T) {
	for name, scripts := range map[string]bool{"scripts": true, "no scripts": false} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.call("POST", "/models", obj{"slug": "authors", "name": "Authors"})
			s.call("POST", "/models", obj{"slug": "pages", "name": "Pages"})
			s.call("POST", "/models", obj{"slug": "teasers", "name": "Teasers", "fields": []obj{
				{"name": "see", "label": "See", "type": "relation", "models": []string{"authors", "pages"}, "many": true}}})
			ada := s.made("/models/authors/entries", obj{"title": "Ada Lovelace"})
			about := s.made("/models/pages/entries", obj{"title": "About us"})
			b := s.openTabWith(scripts, "/models/teasers/entries/create")
			b.byHand()
			b.fill("title", "Seen")
			b.press("//main", "Choose an entry: See")
			b.see("1–1 of 1")
			want := []any{obj{"model": "authors", "id": ada}, obj{"model": "pages", "id": about}}
			if scripts {
				b.audit(t, "several models")
				b.press("//dialog", "Ada Lovelace draft")
				b.do(chromedp.SetValue(chromedp.CSS("dialog select"), "pages"))
				b.press("//dialog", "About us draft")
				b.press("//dialog", "New entry")
				b.see("Complete and publish it later")
				b.keys("Contact")
				b.enter()
				b.eventually(`String(document.querySelector("dialog"))`, "null")
			} else {
				b.choose("Ada Lovelace")
				b.do(chromedp.SetValue(chromedp.CSS("[name=_model]"), "pages"))
				b.press("//main", "Search")
				b.see("About us")
				b.choose("About us")
			}
			b.press("//main", "Create entry")
			b.see("Created.")
			b.see("Ada Lovelace")
			path := strings.TrimPrefix(eval[string](b, "location.pathname"), "/admin")
			data, _ := s.call("GET", path, nil)["data"].(obj)
			got, _ := data["see"].([]any)
			if scripts && len(got) == 3 {
				made, _ := got[2].(obj)
				if made["model"] != "pages" || s.call("GET", "/models/pages/entries/"+made["id"].(string),
					nil)["title"] != "Contact" {
					t.Errorf("the new entry is %v", made)
				}
				got = got[:2]
			} else if scripts {
				t.Errorf("%d entries, want 3", len(got))
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("see %v, want %v", got, want)
			}
		})
	}
}
