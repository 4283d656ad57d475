package entryforms

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/site"
)

func pageModel() *site.Model {
	return &site.Model{Model: cms.Model{Fields: []cms.Field{
		{Name: "body", Type: cms.TypeRichText},
		{Name: "parts", Type: cms.TypeBlocks, Fields: []cms.Field{
			{Name: "hero", Type: cms.TypeGroup, Fields: []cms.Field{
				{Name: "head", Type: cms.TypeText}, {Name: "button", Type: cms.TypeText}}},
			{Name: "text", Type: cms.TypeGroup, Fields: []cms.Field{{Name: "body", Type: cms.TypeRichText}}},
		}},
	}}}
}

// window is a form that is open in a browser: what it shows, and its base.
type window struct {
	m     *site.Model
	shown map[string]any
	base  Base
}

func (w *window) open(stored *entry) {
	now := stored.values(w.m)
	w.base = overJSON(BaseOf(w.m, now))
	w.shown = map[string]any{"data.body": now.Values["data.body"], "data.parts": now.Values["data.parts"]}
}

// entry is what is stored: the data, and the ids of rows beside it.
type entry struct {
	data map[string]any
	ids  map[string]string
}

func newEntry(parts ...any) *entry { return &entry{data: map[string]any{"parts": parts}} }

func (e *entry) values(m *site.Model) Stored { return StoredOf(m, &cms.Entry{Data: e.data}, e.ids) }

// overJSON returns a base as a form sends it back.
func overJSON(b Base) Base {
	var read Base
	if err := json.Unmarshal([]byte(b.String()), &read); err != nil {
		panic(err)
	}
	return read
}

// save stores what the window shows. refresh makes it show what others stored.
func (w *window) save(stored *entry, refresh bool) []Conflict {
	now := stored.values(w.m)
	merge := MergeEntry(w.m, w.base, w.shown, now, Choice{})
	body, ids := now.Split(w.m, Nest(merge.Mine))
	changed, _ := body["data"].(map[string]any)
	maps.Copy(stored.data, changed)
	stored.ids = ids
	w.base = overJSON(merge.Sent)
	if refresh {
		merge := MergeEntry(w.m, w.base, w.shown, stored.values(w.m), Choice{})
		for key, v := range merge.Others {
			w.shown[key] = v
		}
		w.base = overJSON(merge.Shown)
	}
	return merge.Conflicts
}

// rows returns the rows that the window shows, each with its id.
func (w *window) rows() (list []map[string]any) {
	rows, _ := w.shown["data.parts"].([]any)
	for i, item := range rows {
		row := map[string]any{}
		for key, v := range item.(map[string]any) {
			row[key] = v
		}
		row[ui.RowKey] = RowID(row, i)
		list = append(list, row)
	}
	return list
}

func (w *window) set(rows []map[string]any) {
	var list []any
	for _, row := range rows {
		list = append(list, row)
	}
	w.shown["data.parts"] = list
}

func textBlock(text string) map[string]any { return map[string]any{"type": "text", "body": text} }

// newBlock is a block that was added to a form.
func newBlock(text string) map[string]any {
	return map[string]any{"type": "text", "body": text, ui.RowKey: ui.NewRowID()}
}

// TestTwoWindows merges changes of two people in one page: fields of blocks, moves, removals and
// paragraphs. No word is lost, and only what both changed is a conflict.
func TestTwoWindows(t *testing.T) {
	hero := func(head, button string) map[string]any {
		return map[string]any{"type": "hero", "head": head, "button": button}
	}
	start := []any{hero("Head 1", "Go"), textBlock("One.\n\nTwo."), hero("Head 3", "Buy")}
	for name, c := range map[string]struct {
		a, b      func(rows []map[string]any) []map[string]any
		want      string
		conflicts []string
	}{
		"fields of two blocks": {
			func(r []map[string]any) []map[string]any { r[0]["head"] = "A"; return r },
			func(r []map[string]any) []map[string]any { r[2]["button"] = "B"; return r },
			"A/Go One.\n\nTwo. Head 3/B", nil},
		"fields of one block": {
			func(r []map[string]any) []map[string]any { r[0]["head"] = "A"; return r },
			func(r []map[string]any) []map[string]any { r[0]["button"] = "B"; return r },
			"A/B One.\n\nTwo. Head 3/Buy", nil},
		"a field of a block that was moved": {
			func(r []map[string]any) []map[string]any { return []map[string]any{r[2], r[0], r[1]} },
			func(r []map[string]any) []map[string]any { r[2]["button"] = "B"; return r },
			"Head 3/B Head 1/Go One.\n\nTwo.", nil},
		"a field of a block before which one was added": {
			func(r []map[string]any) []map[string]any { return slices.Insert(r, 0, newBlock("New.")) },
			func(r []map[string]any) []map[string]any { r[0]["head"] = "B"; return r },
			"New. B/Go One.\n\nTwo. Head 3/Buy", nil},
		"a block removed, another changed": {
			func(r []map[string]any) []map[string]any { return r[1:] },
			func(r []map[string]any) []map[string]any { r[2]["head"] = "B"; return r },
			"One.\n\nTwo. B/Buy", nil},
		"a block removed that was changed": {
			func(r []map[string]any) []map[string]any { return r[1:] },
			func(r []map[string]any) []map[string]any { r[0]["head"] = "B"; return r },
			"B/Go One.\n\nTwo. Head 3/Buy", nil},
		"both add a block at the end": {
			func(r []map[string]any) []map[string]any { return append(r, newBlock("A.")) },
			func(r []map[string]any) []map[string]any { return append(r, newBlock("B.")) },
			"Head 1/Go One.\n\nTwo. Head 3/Buy B. A.", nil},
		"two paragraphs of one text": {
			func(r []map[string]any) []map[string]any { r[1]["body"] = "One A.\n\nTwo."; return r },
			func(r []map[string]any) []map[string]any { r[1]["body"] = "One.\n\nTwo B."; return r },
			"Head 1/Go One A.\n\nTwo B. Head 3/Buy", nil},
		"one field by both": {
			func(r []map[string]any) []map[string]any { r[0]["head"] = "A"; return r },
			func(r []map[string]any) []map[string]any { r[0]["head"] = "B"; r[0]["button"] = "B"; return r },
			"A/B One.\n\nTwo. Head 3/Buy", []string{"data.parts.0.head"}},
		"a block whose texts were all replaced and that was moved": {
			func(r []map[string]any) []map[string]any {
				r[1]["body"] = "A."
				return []map[string]any{r[2], r[1], newBlock("New."), r[0]}
			},
			func(r []map[string]any) []map[string]any { r[1]["body"] = "One.\n\nB."; return r },
			"Head 3/Buy A. New. Head 1/Go", []string{"data.parts.1.body"}},
		"a block removed that was changed, and another rewritten in its place": {
			func(r []map[string]any) []map[string]any {
				r[2]["head"], r[2]["button"] = "X", "Y"
				return []map[string]any{r[2], r[1]}
			},
			func(r []map[string]any) []map[string]any { r[0]["head"] = "B"; return r },
			"B/Go X/Y One.\n\nTwo.", nil},
	} {
		stored := newEntry(start...)
		a, b := &window{m: pageModel()}, &window{m: pageModel()}
		a.open(stored)
		b.open(stored)
		a.set(c.a(a.rows()))
		b.set(c.b(b.rows()))
		if conflicts := a.save(stored, true); len(conflicts) > 0 {
			t.Errorf("%s: the first save has conflicts: %+v", name, conflicts)
		}
		var keys []string
		for _, conflict := range b.save(stored, true) {
			keys = append(keys, conflict.Key)
		}
		if got := pageText(stored.data["parts"]); got != c.want || !slices.Equal(keys, c.conflicts) {
			t.Errorf("%s: %q with conflicts %v, want %q with %v", name, got, keys, c.want, c.conflicts)
		}
		if strings.Contains(string(mustJSON(t, stored.data)), ui.RowKey) {
			t.Errorf("%s: ids are stored: %s", name, mustJSON(t, stored.data))
		}
	}
}

// TestLostAnswers saves a form again that is stored already, because the answer was lost. Meanwhile another
// person has changed what it stored. No text is doubled, and no change of that person undone silently.
func TestLostAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		start, stored, typed, theirs, want string
		conflicts                          int
	}{
		"a paragraph between blank lines": {"A\n\nB\n\n\nC", "A\n\nB\n\n\nNew\n\n\nC", "A\n\nB\n\n\nNew\n\n\nC",
			"Theirs\n\nB\n\n\nNew\n\n\nC", "Theirs\n\nB\n\n\nNew\n\n\nC", 0},
		"a paragraph, and then one before it": {"A\nB", "A\n1\nB", "A\n2\n1\nB", "A\n1\nB", "A\n2\n1\nB", 0},
		"a paragraph that goes on":            {"A\nB", "A\n1\nB", "A\n1 and\nB", "A\n1\nB", "A\n1 and\nB", 0},
		"a new block":                         {"", "New", "New", "New", "New", 0},
		"a new block that both changed":       {"", "New", "New by me", "New by them", "New by them", 1},
		"a paragraph, and then one of each before it": {"A\n\nB", "A\n\nNew\n\nB", "A\n\nMine\n\nNew\n\nB",
			"A\n\nTheirs\n\nNew\n\nB",
			"A\n\nTheirs\n\nMine\n\nNew\n\nB", 0},
		"a paragraph between two blank lines": {"A\n\n\nB", "A\n\nNew\n\n\n\nB", "A\n\nNew\n\n\n\nB",
			"A\n\nTheirs\n\nNew\n\n\n\nB",
			"A\n\nTheirs\n\nNew\n\n\n\nB", 0},
		"a replaced paragraph, and then one before it": {"A\n\nB", "New\n\nB", "\nMine\n\nNew\n\nB", "New\n\nB",
			"\nMine\n\nNew\n\nB", 0},
		"a line that they shortened": {"A\n\nOne two", "A\n\nOne two", "A\n\nOne two three", "A\n\nOne",
			"A\n\nOne", 1},
		"a line that they removed": {"A\nB", "A\nB", "A\nB too\nC", "A", "A", 1},
		"sections of both with the same rule": {"A", "A", "A\n\n## Prices\n\n---\n\nFrom 10",
			"A\n\n## Contact\n\n---\n\nWrite", "A\n\n## Contact\n\n---\n\nWrite\n\n## Prices\n\n---\n\nFrom 10", 0},
		"code with equal lines": {"A\n\nB", "A\n\nB", "A\n\n```\n1\n\n2\n```\n\nB", "A\n\n```\n3\n\n2\n```\n\nB",
			"A\n\n```\n3\n\n2\n```\n\n```\n1\n\n2\n```\n\nB", 0},
	} {
		stored, w := newEntry(), &window{m: pageModel()}
		set := func(text string) {
			w.set([]map[string]any{{"type": "text", "body": text, ui.RowKey: "ROW"}})
		}
		w.open(stored)
		if c.start != "" {
			set(c.start)
			w.save(stored, true)
		}
		set(c.stored)
		lost := *w
		lost.save(stored, false)
		other := &window{m: w.m}
		other.open(stored)
		rows := other.rows()
		rows[0]["body"] = c.theirs
		other.set(rows)
		other.save(stored, true)
		set(c.typed)
		conflicts := w.save(stored, true)
		if got := pageText(stored.data["parts"]); got != c.want || len(conflicts) != c.conflicts {
			t.Errorf("%s: %q with conflicts %+v, want %q with %d", name, got, conflicts, c.want, c.conflicts)
		}
	}
}

// TestEqualBlocks changes one of two equal blocks in each of two windows.
func TestEqualBlocks(t *testing.T) {
	stored := newEntry(textBlock("Same."), textBlock("Same."))
	a, b := &window{m: pageModel()}, &window{m: pageModel()}
	a.open(stored)
	b.open(stored)
	for i, w := range []*window{a, b} {
		rows := w.rows()
		rows[i]["body"] = fmt.Sprint("Text ", i, ".")
		w.set(rows)
		if conflicts := w.save(stored, true); len(conflicts) > 0 {
			t.Errorf("window %d has conflicts: %+v", i, conflicts)
		}
	}
	if got := pageText(stored.data["parts"]); got != "Text 0. Text 1." {
		t.Errorf("stored %q", got)
	}
}

// TestNestedRows changes one of the rows inside a block in each of two windows. A form that does not
// show the rows leaves them as they are.
func TestNestedRows(t *testing.T) {
	m := &site.Model{Model: cms.Model{Fields: []cms.Field{{Name: "parts", Type: cms.TypeList, Fields: []cms.Field{
		{Name: "head", Type: cms.TypeText},
		{Name: "rows", Type: cms.TypeList,
			Fields: []cms.Field{{Name: "q", Type: cms.TypeText}, {Name: "a", Type: cms.TypeText}}},
	}}}}}
	question := func(q, a string) map[string]any { return map[string]any{"q": q, "a": a} }
	parts := func(head string, questions ...any) []any {
		return []any{map[string]any{"head": head, "rows": questions}}
	}
	start := parts("H", question("Q1", "A1"), question("Q2", "A2"))
	stored := newEntry(parts("H", question("Q2", "mine"), question("Q1", "A1"))...).values(m)
	sent := map[string]any{"data.parts": parts("H", question("Q1", "theirs"), question("Q2", "A2"))}
	base := BaseOf(m, newEntry(start...).values(m))
	merge := MergeEntry(m, overJSON(base), sent, stored, Choice{})
	want := string(mustJSON(t, parts("H", question("Q2", "mine"), question("Q1", "theirs"))))
	if got := string(mustJSON(t, withoutIDs(m.Field("parts"), merge.Mine["data.parts"]))); got != want ||
		len(merge.Conflicts) > 0 {
		t.Errorf("%s with conflicts %+v, want %s", got, merge.Conflicts, want)
	}
	without := map[string]any{"data.parts": []any{map[string]any{"head": "New"}}}
	merge = MergeEntry(m, overJSON(base), without, stored, Choice{})
	want = string(mustJSON(t, parts("New", question("Q2", "mine"), question("Q1", "A1"))))
	if got := string(mustJSON(t, withoutIDs(m.Field("parts"), merge.Mine["data.parts"]))); got != want {
		t.Errorf("a form without the rows stores %s, want %s", got, want)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	must.Do(t, err)
	return raw
}

// pageText returns the texts of blocks in a line.
func pageText(v any) string {
	var texts []string
	for _, item := range v.([]any) {
		row := item.(map[string]any)
		if row["type"] == "hero" {
			texts = append(texts, fmt.Sprint(row["head"], "/", row["button"]))
		} else {
			texts = append(texts, fmt.Sprint(row["body"]))
		}
	}
	return strings.Join(texts, " ")
}

// TestWindowsKeepEverything lets three windows add paragraphs, edit blocks of their own, move and
// copy them in any order, with saves that are refreshed or not. Every word that was typed is there
// at the end, once.
func TestWindowsKeepEverything(t *testing.T) {
	for range 2 {
		seed := rand.Uint64()
		random := rand.New(rand.NewPCG(seed, 2))
		stored := newEntry(map[string]any{"type": "hero", "head": "H0", "button": "B0"}, textBlock("T0"), textBlock("T1"))
		stored.data["body"] = "Begin.\n\nEnd."
		windows := []*window{{m: pageModel()}, {m: pageModel()}, {m: pageModel()}}
		for _, w := range windows {
			w.open(stored)
		}
		var typed []string
		for step := range 200 {
			w := windows[random.IntN(len(windows))]
			word := fmt.Sprintf("w%d.", step)
			rows := w.rows()
			switch random.IntN(5) {
			case 0:
				lines := linesOf(w.shown["data.body"].(string))
				at := random.IntN(len(lines) + 1)
				w.shown["data.body"] = strings.Join(slices.Insert(lines, at, "", word, ""), "\n")
				typed = append(typed, word)
			case 1:
				row := rows[random.IntN(len(rows))]
				if text, ok := row["body"].(string); ok {
					row["body"] = text + "\n\n" + word
					typed = append(typed, word)
				}
				w.set(rows)
			case 2:
				w.set(slices.Insert(rows, random.IntN(len(rows)+1), newBlock(word)))
				typed = append(typed, word)
			case 3:
				i, j := random.IntN(len(rows)), random.IntN(len(rows))
				rows[i], rows[j] = rows[j], rows[i]
				w.set(rows)
			}
			if random.IntN(2) == 0 {
				w.save(stored, random.IntN(2) == 0)
			}
		}
		for range 2 { // the second time each has what the others saved last
			for _, w := range windows {
				if conflicts := w.save(stored, true); len(conflicts) > 0 {
					t.Fatalf("seed %d: conflicts: %+v", seed, conflicts)
				}
			}
		}
		text := string(mustJSON(t, stored.data))
		for _, word := range typed {
			if n := strings.Count(text, word); n != 1 {
				t.Fatalf("seed %d: %s is there %d times in %s", seed, word, n, text)
			}
		}
		for i, w := range windows {
			if got, want := Digest(w.m.Field("parts"), w.shown["data.parts"]),
				Digest(w.m.Field("parts"), stored.data["parts"]); got != want {
				t.Fatalf("seed %d: window %d shows other blocks than are stored", seed, i)
			}
		}
	}
}

// TestMatchRepeatedLines matches soon, too, where much of a long text is like much of the other. The clock stands
// still, so that a busy machine does not end the patience.
func TestMatchRepeatedLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := slices.Repeat([]string{"a", "b", "c"}, 100_000)
		after := append([]string{"x"}, before[:len(before)-1]...)
		found := matchTexts(before, after)
		if last := len(found) - 1; found[0] != 1 || found[last-1] != last || found[last] != -1 {
			t.Errorf("the first line is at %d, the last at %d and %d", found[0], found[last-1], found[last])
		}
	})
}

// TestPatienceWithTexts merges texts as a whole when others of the entry have taken the time to merge their lines.
func TestPatienceWithTexts(t *testing.T) {
	f := &cms.Field{Type: cms.TypeRichText}
	for end, byLines := range map[time.Time]bool{time.Now().Add(time.Minute): true, time.Now().Add(-time.Second): false} {
		got, ok := merger{end: end}.mergeText(f, "data.body", treeOf(f, "a\nb\nc"), "x\nb\nc", "a\nb\ny")
		if ok != byLines || ok && got.store != "x\nb\ny" {
			t.Errorf("%+v, %v, want %v", got, ok, byLines)
		}
	}
}

// TestReadBase reads bases that no page has, from forms with former values and without.
func TestReadBase(t *testing.T) {
	m := pageModel()
	for _, text := range []string{"", "null", "{", "[]", "1"} {
		for _, form := range []url.Values{{BaseKey: {text}}, {BaseKey: {text}, ui.PlainKey: {"1"}}} {
			stored := newEntry().values(m)
			merge := MergeEntry(m, ReadBase(form), maps.Clone(stored.Values), stored, Choice{})
			if len(merge.Conflicts) > 0 {
				t.Errorf("%v: %+v", form, merge.Conflicts)
			}
		}
	}
}
