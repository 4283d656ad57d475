package admin_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxEntryPage limits the bytes of the page of an entry, whatever its lists.
const maxEntryPage = 300 << 10

// longRows returns the JSON of rows with the numbers from 1 to n.
func longRows(n int) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"name":"Row %d","note":"Note %d"}`, i+1, i+1)
	}
	return "[" + strings.Join(rows, ",") + "]"
}

// formIn returns what a browser without scripts sends of the form of an entry.
func formIn(t *testing.T, page answer) url.Values {
	t.Helper()
	form, text := url.Values{}, page.Body.String()
	for _, input := range regexp.MustCompile(`<input (?:id="[^"]*" )?(?:type="(?:hidden|text)" )?name="([^"]*)"[^>]*>`).
		FindAllStringSubmatch(text, -1) {
		value := regexp.MustCompile(` value="([^"]*)"`).FindStringSubmatch(input[0])
		if strings.Contains(input[0], `type="checkbox"`) && !strings.Contains(input[0], " checked") || value == nil {
			continue
		}
		form.Add(input[1], html.UnescapeString(value[1]))
	}
	for _, area := range regexp.MustCompile(`(?s)<textarea id="[^"]*" name="([^"]*)"[^>]*>\n?(.*?)</textarea>`).
		FindAllStringSubmatch(text, -1) {
		form.Set(area[1], html.UnescapeString(area[2]))
	}
	form.Set("_csrf", page.csrf(t))
	form.Set("_method", "PUT")
	return form
}

// longList is an entry with a list of 20,000 rows, in the browser of one person.
type longList struct {
	*testing.T
	client
	browser browser
	at      string
}

func newLongList(t *testing.T, fields, data string) longList {
	t.Helper()
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","fields":[`+fields+`]}`)
	id := c.must(t, 201, "POST", "/models/notes/entries", `{"title":"N","status":"published","data":{`+data+`}}`)
	return longList{t, c, s.browse(t), "/models/notes/entries/" + id.text(t, "id")}
}

const (
	rowFields = `{"name":"list","type":"list","fields":[{"name":"name","type":"text"},{"name":"note","type":"text"}]}`
	manyRows  = 20_000
)

// open returns the form of the entry, at a part of a list.
func (l longList) open(query string) url.Values {
	l.Helper()
	page := l.browser.get(l.T, l.at+query)
	if page.Code != 200 || page.Body.Len() > maxEntryPage {
		l.Fatalf("%s: %d, %d bytes", query, page.Code, page.Body.Len())
	}
	return formIn(l.T, page)
}

// save sends a form and returns where it leads.
func (l longList) save(form url.Values) string {
	l.Helper()
	a := l.browser.post(l.T, l.at+"/draft", form)
	if a.Code != 303 {
		l.Fatalf("save: %d, %d bytes", a.Code, a.Body.Len())
	}
	return a.Header().Get("Location")
}

// step presses a button of a form that changes it, and returns the new form.
func (l longList) step(form url.Values, do string) url.Values {
	l.Helper()
	form.Set("_do", do)
	a := l.browser.post(l.T, l.at+"/draft", form)
	if a.Code != 200 || a.Body.Len() > maxEntryPage {
		l.Fatalf("%s: %d, %d bytes", do, a.Code, a.Body.Len())
	}
	return formIn(l.T, a)
}

// names returns the name and the note of each stored row.
func (l longList) names() []string {
	l.Helper()
	var names []string
	for _, row := range l.must(l.T, 200, "GET", l.at+"/draft/edit", nil).at(l.T, "data", "list").([]any) {
		row := row.(map[string]any)
		names = append(names, fmt.Sprint(row["name"], " ", row["note"]))
	}
	return names
}

// want compares the stored rows with those of a list that was not changed, after a change.
func (l longList) want(after string, change func(rows []string) []string) {
	l.Helper()
	rows := make([]string, manyRows)
	for i := range rows {
		rows[i] = fmt.Sprintf("Row %d Note %d", i+1, i+1)
	}
	got, want := l.names(), change(rows)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			l.Fatalf("after %s: %d rows, want %d; row %d is %q, want %q", after, len(got), len(want), i+1,
				got[min(i, len(got)-1)], want[min(i, len(want)-1)])
		}
	}
}

// TestLongList edits an entry with 20,000 rows, of which the form shows 100: whatever is saved, all other rows stay.
func TestLongList(t *testing.T) {
	l := newLongList(t, rowFields+`,{"name":"teaser","type":"text"}`, `"list":`+longRows(manyRows))
	form := l.open("")
	if form.Get("data.list._rows") != "0 19900" || form.Has("data.list.100._id") {
		t.Fatalf("shows %s", form.Get("data.list._rows"))
	}
	form.Set("data.teaser", "Read this")
	l.save(form)
	same := func(rows []string) []string { return rows }
	l.want("another field", same)

	form = l.open("?rows.data.list=101")
	form.Set("data.list.149.note", "Mine")
	if to := l.save(form); !strings.HasSuffix(to, "?ok=saved&rows.data.list=101") {
		t.Errorf("a save leads to %s", to)
	}
	edited := func(rows []string) []string {
		rows[149] = "Row 150 Mine"
		return rows
	}
	l.want("a row of the window", edited)

	form = l.open("?rows.data.list=101")
	form = l.step(form, "remove data.list.100")
	form = l.step(form, "add data.list")
	form.Set("data.list.199.name", "New")
	form = l.step(form, "move data.list.199 101")
	form = l.step(form, "up data.list.198")
	form.Set("_rows.data.list", "20000")
	if to := l.save(form); !strings.HasSuffix(to, "?ok=saved&rows.data.list=20000#f-data.list") {
		t.Errorf("a jump leads to %s", to)
	}
	changed := func(rows []string) []string {
		rows = slices.Insert(slices.Delete(edited(rows), 100, 101), 101, "New <nil>")
		rows[197], rows[198] = rows[198], rows[197]
		return rows
	}
	l.want("rows that were added, removed and moved", changed)

	form = l.open("?rows.data.list=20000")
	if form.Get("data.list._rows") != "19999 0" {
		t.Errorf("the last row: %s", form.Get("data.list._rows"))
	}
	form = l.step(form, "remove data.list.19999")
	form = l.step(form, "add data.list")
	form.Set("data.list.19999.name", "Last")
	l.save(form)
	l.want("the only row of a window", func(rows []string) []string {
		return append(changed(rows)[:manyRows-1], "Last <nil>")
	})
	if form = l.open("?rows.data.list=-100"); form.Get("data.list._rows") != "0 19900" {
		t.Errorf("the page before row 101: %s", form.Get("data.list._rows"))
	}
}

// TestLongListOfTwo lets two people edit overlapping parts of a list, while a program adds rows before them.
func TestLongListOfTwo(t *testing.T) {
	l := newLongList(t, rowFields, `"list":`+longRows(manyRows))
	mine, hers := l.open("?rows.data.list=101"), l.open("?rows.data.list=151")
	hers = l.step(hers, "move data.list.150 249")
	hers.Set("data.list.150.note", "Hers")
	hers = l.step(hers, "add data.list")
	hers.Set("data.list.250.name", "Added by her")
	l.save(hers)
	mine.Set("data.list.150.note", "Mine") // she moved it out of this window
	mine.Set("data.list.151.name", "My name")
	mine = l.step(mine, "remove data.list.100")
	mine = l.step(mine, "move data.list.198 100")
	l.save(mine)
	both := func(rows []string) []string {
		moved := "Row 151 Mine"
		rows[151] = "My name Hers"
		rows = slices.Insert(slices.Delete(rows, 150, 151), 249, moved, "Added by her <nil>")
		last := rows[198]
		return slices.Insert(slices.Delete(slices.Delete(rows, 198, 199), 100, 101), 100, last)
	}
	l.want("two people", both)

	mine = l.open("?rows.data.list=101")
	body := l.must(t, 200, "GET", l.at+"/draft/edit", nil).at(t, "data", "list").([]any)
	body = append([]any{map[string]any{"name": "First", "note": "of a program"}}, body...)
	l.must(t, 200, "PUT", l.at+"/draft", map[string]any{"data": map[string]any{"list": body}})
	mine.Set("data.list.120.note", "Mine too")
	mine = l.step(mine, "remove data.list.110")
	l.save(mine)
	l.want("a program", func(rows []string) []string {
		rows = both(rows)
		rows[120], _, _ = strings.Cut(rows[120], " Note")
		rows[120] += " Mine too"
		return slices.Insert(slices.Delete(rows, 110, 111), 0, "First of a program")
	})
}
