package entryforms

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// idsOf returns the ids of blocks as a form that is opened now gets them.
func idsOf(e *entry, m *site.Model) (ids []string) {
	for _, row := range rowsOf(e.values(m).Values["data.parts"]) {
		ids = append(ids, row[ui.RowKey].(string))
	}
	return ids
}

// TestRowIDs follows the ids of blocks through saves of forms, a save of another program, and changes
// that are taken back. All forms call a block by one id until another program saves the field.
func TestRowIDs(t *testing.T) {
	m := pageModel()
	stored := newEntry(textBlock("A."), textBlock("B."), textBlock("C."))
	before := stored.data["parts"]
	a := &window{m: m}
	a.open(stored)
	rows := a.rows()
	added := newBlock("New.")
	rows[0]["body"] = "Changed."
	a.set([]map[string]any{rows[2], added, rows[0]})
	a.save(stored, false)
	want := fmt.Sprint([]any{"2", added[ui.RowKey], "0"})
	if got := fmt.Sprint(idsOf(stored, m)); got != want {
		t.Errorf("after a save of a form: %s, want %s", got, want)
	}
	stored.data["parts"] = []any{textBlock("C."), textBlock("New."), textBlock("Another program.")}
	if got := fmt.Sprint(idsOf(stored, m)); got != "[0 1 2]" {
		t.Errorf("after a save of another program: %s", got)
	}
	rows = a.rows()
	rows[2]["body"] = "Mine."
	a.set(rows)
	conflicts := a.save(stored, true)
	if len(conflicts) != 1 || conflicts[0].Key != "data.parts.2.body" {
		t.Errorf("a block that another program changed too has the conflicts %+v", conflicts)
	}
	if got := fmt.Sprint(each(a.rows(), ui.RowKey)); got != "[0 1 2]" {
		t.Errorf("the form takes over the ids %s", got)
	}
	stored.data["parts"] = before
	if got := fmt.Sprint(idsOf(stored, m)); got != "[0 1 2]" {
		t.Errorf("after the draft was discarded: %s", got)
	}
}

// each returns one value of each row.
func each(rows []map[string]any, key string) (list []any) {
	for _, row := range rows {
		list = append(list, row[key])
	}
	return list
}

// TestRowIDsAreShort counts what the ids of blocks add to the row of a draft.
func TestRowIDsAreShort(t *testing.T) {
	m := pageModel()
	stored := newEntry(textBlock("A."))
	a := &window{m: m}
	a.open(stored)
	rows := a.rows()
	for i := range 100 {
		rows = append(rows, newBlock(fmt.Sprint(i)))
	}
	a.set(rows)
	a.save(stored, false)
	if got := len(mustJSON(t, stored.ids)); got > 20*len(rows) {
		t.Errorf("%d bytes for %d blocks", got, len(rows))
	}
}

// TestIDsInJSON keeps a key of JSON values that is called as the id of a row is.
func TestIDsInJSON(t *testing.T) {
	m := &site.Model{Model: cms.Model{Fields: []cms.Field{{Name: "any", Type: cms.TypeJSON},
		{Name: "parts", Type: cms.TypeList, Fields: []cms.Field{{Name: "any", Type: cms.TypeJSON}}}}}}
	stored := (&entry{data: map[string]any{}}).values(m)
	value := map[string]any{ui.RowKey: "kept"}
	sent := map[string]any{"data.any": value, "data.parts": []any{map[string]any{"any": value, ui.RowKey: "row"}}}
	merge := MergeEntry(m, overJSON(BaseOf(m, stored)), sent, stored, Choice{})
	body, ids := stored.Split(m, Nest(merge.Mine))
	got := string(mustJSON(t, body))
	if strings.Count(got, `"_id":"kept"`) != 2 || strings.Contains(got, `"row"`) ||
		!strings.HasSuffix(ids["data.parts"], " row") {
		t.Errorf("%s with ids %v", got, ids)
	}
}

// TestForeignIDs leaves out ids of rows that forms of this program do not have: they could not be kept.
func TestForeignIDs(t *testing.T) {
	for id, want := range map[string]any{"ABCDEFGHIJ": "ABCDEFGHIJ", "a b": nil, strings.Repeat("x", 50): nil} {
		in := FormReader{Problems: cms.Problems{}, IDs: true}
		sent := SentValues(pageModel(), in.Typed(pageModel(), url.Values{"data.parts.0.type": {"text"},
			"data.parts.0.body": {"A."}, "data.parts.0._id": {id}}))
		if row := sent["data.parts"].([]any)[0].(map[string]any); row[ui.RowKey] != want {
			t.Errorf("%q becomes %v", id, row[ui.RowKey])
		}
	}
}
