package planning_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/db"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
	"headless/pkg/site/renames"
)

// become changes the model posts to text fields of some names.
func (w *world) become(slug string, names []string, list ...renames.Rename) {
	w.t.Helper()
	ctx := context.Background()
	now, err := w.store.Site.Site(ctx)
	w.must(err)
	was := now.ModelByID(w.posts(now).ID)
	next := *was
	next.Slug, next.Fields = slug, nil
	for _, name := range names {
		next.Fields = append(next.Fields, cms.Field{Name: name, Type: cms.TypeText})
	}
	next.RenameFields(list...)
	next.NextGeneration(was, "en")
	tx := w.store.Begin()
	site.PutModel(tx, now, was.Slug, next)
	w.must(w.store.Commit(ctx, tx))
	w.must(w.jobs.Entries.Reindex(ctx))
}

func (w *world) posts(now *site.Site) *site.Model {
	if m := now.Models["news"]; m != nil {
		return m
	}
	return now.Models["posts"]
}

// columnA returns a CSV file with a new value of the field a for each entry.
func (w *world) columnA() string { return "id,data.a\n" + strings.Join(w.entries, ",new\n") + ",new\n" }

// TestColumnRemovedWhileFileIsImported: rows of a file name the columns that the admin area has removed since, and
// are not saved without them.
func TestColumnRemovedWhileFileIsImported(t *testing.T) {
	ctx, w := context.Background(), newWorld(t, cmstest.NewClock(time.Now()), 2)
	w.become("posts", []string{"a", "b"})
	j, err := w.jobs.ImportCSV(ctx, editor, "posts", strings.NewReader(w.columnA()), bulk.CSVOptions{}, nil)
	w.must(err)
	w.become("posts", []string{"b"})
	_, err = w.jobs.Work(ctx, j.ID)
	w.must(err)
	j, err = w.jobs.Get(ctx, cms.Actor{}, j.ID)
	w.must(err)
	if failed := j.Result.Failed; len(failed) != 2 || failed[0].Column != "data.a" {
		t.Errorf("%s, %+v", j.Status, j.Result)
	}
}

// TestFieldRenamedWhileJobRuns renames fields before a job begins to work, or at its second change of an entry, and
// gives their names to others. The job saves, and filters by, the fields that it was started with.
func TestFieldRenamedWhileJobRuns(t *testing.T) {
	ctx := context.Background()
	jobs := map[string]func(w *world) (bulk.Job, error){
		"set": func(w *world) (bulk.Job, error) {
			return w.jobs.Create(ctx, editor, w.body(`{"action": "set", "model": "posts", "set": {"data": {"a": "new"}},
				"ids": ["`+strings.Join(w.entries, `", "`)+`"]}`))
		},
		"set by filter": func(w *world) (bulk.Job, error) {
			return w.jobs.Create(ctx, editor, w.body(`{"action": "set", "model": "posts", "set": {"data": {"a": "new"}},
				"filter": {"data.a": "old"}}`))
		},
		"import": func(w *world) (bulk.Job, error) {
			return w.jobs.ImportCSV(ctx, editor, "posts", strings.NewReader(w.columnA()), bulk.CSVOptions{Publish: true}, nil)
		},
	}
	for change, row := range map[string]struct {
		do   func(w *world)
		want string // data of each entry in the end; "" if the job fails
	}{
		"renamed": {func(w *world) { w.become("posts", []string{"c", "b"}, renames.Rename{From: "a", To: "c"}) },
			"map[b:own c:new]"},
		"another one has the name": {func(w *world) {
			w.become("posts", []string{"c", "b"}, renames.Rename{From: "a", To: "c"})
			w.become("posts", []string{"c", "a"}, renames.Rename{From: "b", To: "a"})
		}, "map[a:own c:new]"},
		"the model too": {func(w *world) { w.become("news", []string{"c", "b"}, renames.Rename{From: "a", To: "c"}) },
			"map[b:own c:new]"},
		"the model alone": {func(w *world) { w.become("news", []string{"a", "b"}) }, "map[a:new b:own]"},
		"removed": {func(w *world) {
			w.become("posts", []string{"b"}, renames.Rename{From: "a"})
			w.become("posts", []string{"a"}, renames.Rename{From: "b", To: "a"})
		}, ""},
	} {
		for kind, start := range jobs {
			for _, at := range []int{0, 2} {
				t.Run(fmt.Sprint(change, kind, at), func(t *testing.T) {
					c := cmstest.NewClock(time.Now()) // rows expire by it
					w := newWorld(t, c, 0)
					w.become("posts", []string{"a", "b"})
					for range 4 {
						w.entries = append(w.entries, w.entry("posts", `{"title": "Post", "data": {"a": "old", "b": "own"}}`))
					}
					j, err := start(w)
					w.must(err)
					if at == 0 {
						row.do(w)
					}
					saves, working := 0, *w.jobs.Entries
					working.Follow = func(context.Context, *site.Model, *db.Tx) error {
						if saves++; saves == at {
							row.do(w)
						}
						return nil
					}
					_, err = (&bulk.Jobs{Store: w.jobs.Store, Entries: &working}).Work(ctx, j.ID)
					w.must(err)
					j, err = w.jobs.Get(ctx, cms.Actor{}, j.ID)
					w.must(err)
					if row.want == "" {
						if j.Status != bulk.Failed || !strings.Contains(j.Message, "field") {
							t.Errorf("%s: %q", j.Status, j.Message)
						}
					} else if j.Status != bulk.Done || j.Done != 4 || len(j.Failed) > 0 {
						t.Errorf("%s, %d done, failed: %v, %q", j.Status, j.Done, j.Failed, j.Message)
					}
					now, err := w.store.Site.Site(ctx)
					w.must(err)
					for _, id := range w.entries {
						e, err := w.store.Content.Entry(ctx, w.posts(now), id)
						w.must(err)
						if got := fmt.Sprint(e.Data); got != cmp.Or(row.want, "map[a:own]") {
							t.Errorf("%s", got)
						}
					}
				})
			}
		}
	}
}
