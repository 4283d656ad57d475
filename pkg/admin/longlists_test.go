package admin_test

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"headless/pkg/admin/admintest"
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

// formIn returns the values that a browser without scripts sends to save an entry.
func formIn(t *testing.T, page answer) url.Values {
	t.Helper()
	form := admintest.FormIn(page.Body.String())
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

// TestLongListKinds opens the forms of entries whose lists are long in other ways: each page is bounded, and saving a
// value of it and a step leave everything else as it was.
func TestLongListKinds(t *testing.T) {
	many := func(n int, row string) string { return "[" + strings.Repeat(row+",", n-1) + row + "]" }
	for name, of := range map[string]struct{ fields, data string }{
		"blocks": {`{"name":"list","type":"blocks","fields":[{"name":"hero","type":"group","fields":[
			{"name":"head","type":"text"},{"name":"text","type":"richtext"}]}]}`,
			`"list":` + many(3000, `{"type":"hero","head":"A","text":"B"}`)},
		"a list in a group": {`{"name":"in","type":"group","fields":[` + rowFields + `]}`,
			`"in":{"list":` + longRows(3000) + `}`},
		"a list in rows": {`{"name":"outer","type":"list","fields":[{"name":"title","type":"text"},` + rowFields + `]}`,
			`"outer":[{"title":"One","list":` + longRows(3000) + `},{"title":"Two","list":` + longRows(2000) + `}]`},
		"rows of short lists": {`{"name":"outer","type":"list","fields":[{"name":"title","type":"text"},` + rowFields + `]}`,
			`"outer":` + many(300, `{"title":"One","list":`+longRows(20)+`}`)},
		"long texts": {`{"name":"list","type":"list","fields":[{"name":"text","type":"textarea"}]}`,
			`"list":` + many(300, `{"text":"`+strings.Repeat("a\\n", 700)+`"}`)},
		"several lists": {rowFields + `,` + strings.ReplaceAll(rowFields, `"list","type"`, `"more","type"`) + `,` +
			strings.ReplaceAll(rowFields, `"list","type"`, `"few","type"`),
			`"list":` + longRows(3000) + `,"more":` + longRows(2000) + `,"few":` + longRows(3)},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLongList(t, of.fields+`,{"name":"teaser","type":"text"}`, of.data)
			was := l.must(t, 200, "GET", l.at+"/draft/edit", nil).at(t, "data").(map[string]any)
			form := l.open("")
			form.Set("data.teaser", "Mine")
			for key := range form {
				if list, ok := strings.CutSuffix(key, "._rows"); ok && strings.HasPrefix(form.Get(key), "0 ") {
					form = l.step(form, "down "+list+".0")
					form = l.step(form, "up "+list+".1")
					break
				}
			}
			l.save(form)
			was["teaser"] = "Mine"
			now := l.must(t, 200, "GET", l.at+"/draft/edit", nil).at(t, "data")
			if !reflect.DeepEqual(now, any(was)) {
				t.Error("a save of another field changed a list")
			}
			for key := range form {
				if list, ok := strings.CutSuffix(key, "._rows"); ok && form.Get(key) != "" {
					form = l.open("?rows." + list + "=-1999")
				}
			}
		})
	}
}

// TestLongRelation edits a relation to 500 entries, of which the form shows a part, while another person adds one.
func TestLongRelation(t *testing.T) {
	s := newSite(t)
	l := longList{t, s.as(t, adminEmail), s.browse(t), ""}
	l.must(t, 201, "POST", "/models", `{"slug":"topics","name":"Topics","fields":[]}`)
	l.must(t, 201, "POST", "/models",
		`{"slug":"notes","name":"Notes","fields":[{"name":"topics","type":"relation","model":"topics","many":true}]}`)
	ids := make([]string, 502)
	for i := range ids {
		ids[i] = l.must(t, 201, "POST", "/models/topics/entries", fmt.Sprintf(`{"title":"Topic %d"}`, i)).text(t, "id")
	}
	l.at = "/models/notes/entries/" + l.must(t, 201, "POST", "/models/notes/entries", map[string]any{"title": "N",
		"status": "published", "data": map[string]any{"topics": ids[:500]}}).text(t, "id")
	form := l.open("?rows.data.topics=101")
	shown := form["data.topics"]
	if !strings.HasPrefix(shown[0], "100 ") || shown[1] != ids[100] || len(shown) > 102 {
		t.Fatalf("shows %d: %v", len(shown), shown[:2])
	}
	theirs := slices.Insert(slices.Clone(ids[:500]), 50, ids[501])
	l.must(t, 200, "PUT", l.at+"/draft", map[string]any{"data": map[string]any{"topics": theirs}})
	form = l.step(form, "down data.topics "+ids[100])
	form["data.topics"] = append(slices.DeleteFunc(form["data.topics"], func(id string) bool { return id == ids[103] }),
		ids[500], ids[3])
	l.save(form)
	last := slices.Index(theirs, shown[len(shown)-1]) + 1
	want := slices.Insert(theirs, last, ids[500]) // the other is in the list already
	want[101], want[102] = want[102], want[101]
	want = slices.DeleteFunc(want, func(id string) bool { return id == ids[103] })
	var got []string
	for _, id := range l.must(t, 200, "GET", l.at+"/draft/edit", nil).at(t, "data", "topics").([]any) {
		got = append(got, id.(string))
	}
	if !slices.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		t.Errorf("%d topics, want %d; they differ from number %d on", len(got), len(want), at+1)
	}
}

// TestLongListBeside shows a long list beside that of its translation: the same rows of both, and no step copies all.
func TestLongListBeside(t *testing.T) {
	s := newSite(t)
	l := longList{t, s.as(t, adminEmail), s.browse(t), ""}
	l.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	l.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","localized":true,"fields":[`+rowFields+
		`,{"name":"teaser","type":"text"}]}`)
	body := `"data":{"teaser":"Read","list":` + longRows(3000) + `}}`
	en := l.must(t, 201, "POST", "/models/notes/entries", `{"title":"N","locale":"en",`+body).text(t, "id")
	l.at = "/models/notes/entries/" +
		l.must(t, 201, "POST", "/models/notes/entries", `{"title":"D","locale":"de","data":{}}`).text(t, "id")
	page := l.browser.get(t, l.at+"?rows.data.list=201&beside="+en)
	for _, part := range []string{"201.\n  name: Row 201\n", "300.\n  name: Row 300\n"} {
		if !strings.Contains(page.Body.String(), part) {
			t.Errorf("the page of %d bytes lacks %q", page.Body.Len(), part)
		}
	}
	if page.Body.Len() > maxEntryPage || contains(page, "200.\n") || contains(page, "Use this text: list") {
		t.Errorf("the page has %d bytes", page.Body.Len())
	}
	form := formIn(t, page)
	form.Set("_do", "fill")
	filled := formIn(t, l.browser.post(t, l.at+"/draft?beside="+en, form))
	if filled.Get("data.teaser") != "Read" || filled.Has("data.list.0.name") {
		t.Errorf("filled: %q, %d inputs", filled.Get("data.teaser"), len(filled))
	}
	l.must(t, 200, "PUT", l.at+"/draft", `{"data":{"list":`+longRows(3000)+`}}`)
	form = formIn(t, l.browser.get(t, l.at+"?beside="+en))
	form.Set("_do", "fill data.list")
	if filled = formIn(t, l.browser.post(t, l.at+"/draft?beside="+en, form)); filled.Get("data.list._rows") != "0 2900" {
		t.Errorf("a step for a long list: %q", filled.Get("data.list._rows"))
	}
}

// TestLongListProblems publishes an entry in which rows are wrong: the page says so at a row that it shows, and names
// others by their numbers. A person who may only read turns the pages by links.
func TestLongListProblems(t *testing.T) {
	l := newLongList(t, strings.Replace(rowFields, `"name","type":"text"`, `"name","type":"text","required":true`, 1),
		`"list":`+longRows(3000))
	form := l.open("?rows.data.list=2901")
	form.Set("data.list.2950.name", "")
	l.save(form)
	form = l.open("?rows.data.list=101")
	form.Set("data.list.150.name", "")
	form.Set("_then", "publish")
	a := l.browser.post(t, l.at+"/draft", form)
	for _, part := range []string{`href="#f-data.list.150.name"`, "no. 2,951 › name: is required", `value="100 2800"`} {
		if a.Code != 422 || !contains(a, part) {
			t.Errorf("%d, %d bytes, no %q", a.Code, a.Body.Len(), part)
		}
	}
	l.must(t, 201, "POST", "/users", map[string]any{"email": "eve@example.com", "name": "Eve", "role": "viewer",
		"password": password})
	page := l.browseAs(t, "eve@example.com").get(t, l.at+"?rows.data.list=101")
	if !contains(page, `href="?rows.data.list=-100#f-data.list"`) || !contains(page, `href="?rows.data.list=201#f-data.list"`) ||
		contains(page, "Save and show") || page.Body.Len() > maxEntryPage {
		t.Errorf("for a reader: %d, %d bytes", page.Code, page.Body.Len())
	}
}
