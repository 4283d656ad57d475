package planning_test

import (
	"context"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/planning/bulk"
)

// TestReplaceText replaces a name in an entry and in drafts, and takes that back. Changes that the job did not make,
// and later ones, stay. The same holds for a field that a job sets.
func TestReplaceText(t *testing.T) {
	c := cmstest.NewClock(time.Now()) // rows expire by it
	w := newWorld(t, c, 4)
	ctx, use := context.Background(), w.jobs.Entries
	plain, both, other, late := w.entries[0], w.entries[1], w.entries[2], w.entries[3]
	update := func(id, body string) {
		_, err := use.Update(ctx, editor, "posts", id, w.body(body), nil)
		w.must(err)
	}
	update(plain, `{"title": "By Acme", "data": {"body": "Acme, acme"}}`)
	update(both, `{"title": "Acme"}`)
	w.draft("posts", both, `{"data": {"body": "Acme and Beta"}}`)
	update(other, `{"title": "Beta"}`)
	update(late, `{"data": {"body": "Acme"}}`)
	says := func(step, id, title, body string) {
		t.Helper()
		d, err := use.DraftOrLive(ctx, "posts", id)
		w.must(err)
		if is, _ := d.Entry.Data["body"].(string); d.Entry.Title != title || is != body || d.Outdated {
			t.Errorf("%s: %q, %q, outdated %t", step, d.Entry.Title, is, d.Outdated)
		}
	}
	ids := `"ids": ["` + plain + `","` + both + `","` + other + `","` + late + `"]`
	run := func(body string) bulk.Job {
		t.Helper()
		j, err := w.jobs.Create(ctx, editor, w.body(body))
		w.must(err)
		_, err = w.jobs.Work(ctx, j.ID)
		w.must(err)
		if j, err = w.jobs.Get(ctx, cms.Actor{}, j.ID); err != nil || j.Status != bulk.Done || j.Done != 4 ||
			len(j.Failed) != 0 {
			t.Fatalf("the job: %+v, %v", j, err)
		}
		return j
	}
	replace := `{"action": "replace_text", "model": "posts", "find": "Acme", "replace": "Beta", ` + ids + `}`
	r, err := w.jobs.Rehearse(ctx, editor, w.body(replace))
	if err != nil || r.Total != 4 || r.Changes != 3 || len(r.Examples) != 3 || r.Examples[0].After != "Beta, acme" {
		t.Fatalf("the rehearsal: %+v, %v", r, err)
	}
	byFilter, err := w.jobs.Rehearse(ctx, editor, w.body(`{"action": "replace_text", "model": "posts", "find": "Acme",
		"replace": "Beta", "filter": {"data.body": "Acme"}}`))
	if err != nil || byFilter.Total != 1 || byFilter.Changes != 1 {
		t.Fatalf("the rehearsal by filter: %+v, %v", byFilter, err)
	}
	j := run(replace)
	says("replaced", plain, "By Beta", "Beta, acme")
	says("in the draft too", both, "Beta", "Beta and Beta")
	says("without the text", other, "Beta", "")
	update(late, `{"title": "Saved since"}`)
	run(`{"action": "revert", "model": "posts", "of": "` + j.ID + `", ` + ids + `}`)
	says("taken back", plain, "By Acme", "Acme, acme")
	says("the draft taken back", both, "Acme", "Acme and Beta")
	says("never touched", other, "Beta", "")
	says("saved since", late, "Saved since", "Beta")

	j = run(`{"action": "set", "model": "posts", "set": {"data": {"body": "Same"}}, ` + ids + `}`)
	c.Advance(time.Second)
	update(late, `{"title": "Saved after it"}`)
	run(`{"action": "revert", "model": "posts", "of": "` + j.ID + `", ` + ids + `}`)
	says("a field taken back", plain, "By Acme", "Acme, acme")
	says("saved after it", late, "Saved after it", "Same")
}
