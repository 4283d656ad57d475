package links_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/links"
	"headless/pkg/must"
	"headless/pkg/refs"
	"headless/pkg/site"
	"headless/pkg/table"
)

// textWorld makes a model with texts, and targets of two models: those with the same number have the
// same address.
func textWorld(t *testing.T, n int) (tb table.Table, targets []string) {
	t.Helper()
	tb, _, _ = raceWorld(t)
	e := entriesOn(tb)
	models := &site.Models{Store: e.Store.Store, HasEntries: e.ModelHasEntries}
	_, err := models.Create(t.Context(), editor, body(t,
		`{"slug": "texts", "name": "Texts", "fields": [{"name": "body", "type": "richtext"}]}`))
	must.Do(t, err)
	for _, model := range []string{"posts", "texts"} {
		for i := range n {
			made, err := e.Create(t.Context(), editor, model, body(t, fmt.Sprintf(
				`{"title": "T", "slug": "target-%d", "status": "published"}`, i)))
			must.Do(t, err)
			targets = append(targets, made.ID)
		}
	}
	return tb, targets
}

// read returns a text as readers see it.
func read(t *testing.T, e *editing.Entries, text string) string {
	t.Helper()
	now, err := e.Store.Site(t.Context())
	must.Do(t, err)
	data := []map[string]any{{"body": text}}
	shown := links.Texts{Site: now, Entries: e}
	_, err = shown.Expand(t.Context(), &now.Models["texts"].Model, data, nil)
	must.Do(t, err)
	return data[0]["body"].(string)
}

// TestWhatWasReadCanBeSentBack edits random texts as a client reads them and saves them: every
// reference stays, also where two targets have the same address.
func TestWhatWasReadCanBeSentBack(t *testing.T) {
	tb, targets := textWorld(t, 3)
	e := entriesOn(tb)
	r := rand.New(rand.NewPCG(3, 4))
	forms := []string{"[a](%s)", "![b](%s \"t\")", "[c](<%s?x=1#y>)", "\n\n[r]: %s#z\n\n", "<%s>",
		"<a href=\"%s\">", "> [d](%s)\n", "- [e](%s)\n"}
	others := []string{"word ", "`[a](/target-0)` ", "\n\n    [a](/target-1)\n\n", "[f](/elsewhere) ", "\n\n", "* "}
	random := func(from []string) string { return from[r.IntN(len(from))] }
	for range 150 {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			fmt.Fprintf(&b, random(forms), "cms://entry/"+random(targets))
			b.WriteString(random(others))
		}
		made, err := e.Create(t.Context(), editor, "texts", map[string]any{"title": "T",
			"data": map[string]any{"body": b.String()}})
		must.Do(t, err)
		was := refs.EntriesIn(b.String())
		shown := read(t, e, b.String())
		if len(was) > 0 && (shown == b.String() || strings.Count(shown, "/target-") < len(was)) {
			t.Fatalf("%q is shown as %q", b.String(), shown)
		}
		sent := random([]string{"", "Before\n\n", "x "}) + shown + random([]string{"", "\n\nAfter", " [g](/else)"})
		if r.IntN(2) == 0 {
			_, err = e.Update(t.Context(), editor, "texts", made.ID,
				map[string]any{"data": map[string]any{"body": sent}}, nil)
			must.Do(t, err)
		} else {
			_, err = e.SaveDraft(t.Context(), editor, "texts", made.ID,
				map[string]any{"data": map[string]any{"body": sent}}, nil)
			must.Do(t, err)
			_, err = e.Publish(t.Context(), editor, "texts", made.ID, editing.PublishOptions{}, nil)
			must.Do(t, err)
		}
		now, err := e.Store.Entry(t.Context(), modelOf(t, e, "texts"), made.ID)
		must.Do(t, err)
		text := now.Data["body"].(string)
		kept := refs.EntriesIn(text)
		for _, target := range was { // a link of its own to the same address becomes a reference, too
			if at := slices.Index(kept, target); at >= 0 {
				kept = kept[at+1:]
				continue
			}
			t.Fatalf("stored %q\nsent   %q\nkept   %q", b.String(), sent, text)
		}
	}
}

func modelOf(t *testing.T, e *editing.Entries, slug string) *site.Model {
	t.Helper()
	now, err := e.Store.Site(t.Context())
	must.Do(t, err)
	return now.Models[slug]
}

// TestAddressesFollowEntries reads a link through the life of its target.
func TestAddressesFollowEntries(t *testing.T) {
	tb, targets := textWorld(t, 1)
	e, id := entriesOn(tb), targets[1]
	link := "[a](cms://entry/" + id + ")"
	step := func(what, want string, err error) {
		t.Helper()
		must.Do(t, err)
		if got := read(t, e, link); got != want {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
	}
	step("made", "[a](/target-0)", nil)
	_, err := e.Update(t.Context(), editor, "texts", id, body(t, `{"slug": "other"}`), nil)
	step("another slug", "[a](/other)", err)
	_, err = e.Unpublish(t.Context(), editor, "texts", id, nil)
	step("unpublished", link, err)
	_, err = e.Publish(t.Context(), editor, "texts", id, editing.PublishOptions{}, nil)
	step("published", "[a](/other)", err)
	step("deleted", link, e.Delete(t.Context(), editor, "texts", id, nil))
	_, err = e.RestoreFromTrash(t.Context(), editor, id)
	step("restored", "[a](/other)", err)
	// A version before addresses saved the entry. The first save that refers to it adds the row.
	must.Do(t, tb.BatchWrite(t.Context(), nil, []table.Key{{Partition: "ADDRESS#" + id, Sort: "a"}}))
	step("without its row", link, nil)
	_, err = e.Create(t.Context(), editor, "texts", map[string]any{"title": "T",
		"data": map[string]any{"body": link}})
	step("referred to", "[a](/other)", err)
}

// counting counts the reads of a table.
type counting struct {
	table.Table
	gets, keys int
}

func (c *counting) Get(ctx context.Context, how table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	c.gets, c.keys = c.gets+1, c.keys+len(keys)
	return c.Table.Get(ctx, how, keys...)
}

// TestTextsTakeOneTrip reads 20 entries with 40 references each.
func TestTextsTakeOneTrip(t *testing.T) {
	tb, targets := textWorld(t, 100)
	c := &counting{Table: tb}
	e := entriesOn(c)
	now, err := e.Store.Site(t.Context())
	must.Do(t, err)
	data := make([]map[string]any, 20)
	for i := range data {
		var b strings.Builder
		for n := range 40 {
			fmt.Fprintf(&b, "[a](cms://entry/%s) ", targets[(i*40+n)%len(targets)])
		}
		data[i] = map[string]any{"body": b.String()}
	}
	c.gets, c.keys = 0, 0
	tags := cms.NewTags()
	shown := links.Texts{Site: now, Entries: e, Tags: tags}
	changed, err := shown.Expand(t.Context(), &now.Models["texts"].Model, data, nil)
	must.Do(t, err)
	if !changed || c.gets != 1 || c.keys != len(targets) {
		t.Errorf("changed %t, %d reads of %d rows, want 1 of %d", changed, c.gets, c.keys, len(targets))
	}
	if n := len(tags.Names(1000)); n != len(targets) {
		t.Errorf("%d tags", n)
	}
}

// TestTextSaveBesideDeletion lets a deletion of an unused entry run between any two steps of a save
// that refers to it in a text: the save succeeds, and the deletion sees it or comes first.
func TestTextSaveBesideDeletion(t *testing.T) {
	for n, met := 1, true; met; n++ {
		tb, targets := textWorld(t, 1)
		id := targets[1]
		holder, err := entriesOn(tb).Create(t.Context(), editor, "texts", body(t, `{"title": "Holder"}`))
		must.Do(t, err)
		var deleted error
		met = false
		p := &pausing{Table: tb, calls: n}
		p.rival = func() {
			met = true
			deleted = entriesOn(tb).DeleteUnused(t.Context(), editor, "texts", id, true, nil)
		}
		_, saved := entriesOn(p).Update(t.Context(), editor, "texts", holder.ID,
			map[string]any{"data": map[string]any{"body": "[a](cms://entry/" + id + ")"}}, nil)
		if saved != nil || deleted != nil && !hasCode(deleted, cms.CodeInUse) {
			t.Errorf("before call %d: saved %v, deleted %v", n, saved, deleted)
		}
	}
}
