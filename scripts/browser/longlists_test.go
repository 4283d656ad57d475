package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBrowserLongList edits overlapping parts of a list of 1,000 rows in two tabs that save by themselves, and without
// scripts: each shows what the other changed in its part, and all other rows stay.
func TestBrowserLongList(t *testing.T) {
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "notes", "name": "Notes", "fields": []obj{{"name": "list", "type": "list",
		"fields": []obj{{"name": "name", "type": "text"}}}}})
	rows, want := make([]obj, 1000), make([]string, 1000)
	for i := range rows {
		want[i] = fmt.Sprintf("Row %d", i+1)
		rows[i] = obj{"name": want[i]}
	}
	at := "/models/notes/entries/" + s.made("/models/notes/entries", obj{"title": "N", "status": "published",
		"data": obj{"list": rows}})
	stored := func() string {
		var names []string
		for _, row := range s.call("GET", at+"/draft/edit", nil)["data"].(obj)["list"].([]any) {
			names = append(names, fmt.Sprint(row.(obj)["name"]))
		}
		return strings.Join(names, "\n")
	}
	saved := func(b *tab, part string) {
		t.Helper()
		b.see("Saved")
		b.eventually(`document.querySelector("[name='data.list._rows']").value`, part)
	}
	const name = `document.querySelector("[name='data.list.%d.name']").value`

	mine, hers := s.openTab(at+"?rows.data.list=101"), s.openTab(at+"?rows.data.list=151")
	mine.see("101–200 of 1,000")
	hers.fill("data.list.159.name", "Hers")
	hers.do(mouseClick(chromedp.CSS("[value='copy data.list.150']")))
	hers.eventually(fmt.Sprintf(name, 151), "Row 151")
	hers.fill("data.list.151.name", "A copy")
	saved(hers, "150 750")
	want[159] = "Hers"
	want = slices.Insert(want, 151, "A copy")

	mine.do(mouseClick(chromedp.CSS("[value='remove data.list.100']")))
	mine.eventually(fmt.Sprintf(name, 100), "Row 102")
	mine.press("//div[@class='undo']", "Undo")
	mine.eventually(fmt.Sprintf(name, 100), "Row 101")
	mine.do(mouseClick(chromedp.CSS("[value='add data.list']")))
	mine.eventually(fmt.Sprintf(name, 200), "")
	mine.fill("data.list.200.name", "Mine")
	mine.eventually(fmt.Sprintf(name, 160), "Hers") // the save has shown her rows
	mine.eventually(fmt.Sprintf(name, 201), "Mine")
	want = slices.Insert(want, 201, "Mine")
	mine.press("//main", "Next")
	mine.see("203–302 of 1,002")
	mine.snap("long-list")
	mine.fill("_rows.data.list", "901")
	mine.press("//main", "Save and show")
	mine.see("901–1,000 of 1,002")
	if got := stored(); got != strings.Join(want, "\n") {
		t.Errorf("two tabs stored\n%s", got)
	}

	plain := s.openPlainTab(at)
	plain.fill("data.list.0.name", "Plain")
	plain.press("//main", "Next")
	plain.see("101–200 of 1,002")
	if want[0] = "Plain"; stored() != strings.Join(want, "\n") {
		t.Errorf("a page without scripts stored\n%s", stored())
	}
}
