package planning_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/table"
)

// TestMergeDuringCheck merges texts between the two steps of a release's check, when its items were
// looked at and before their results are put together. The first item gives up a unique
// value that the second one takes: the merge overtakes the first, and the release still has no
// problem and is published.
func TestMergeDuringCheck(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 0)
	ctx := context.Background()
	w.model(`{"slug": "codes", "name": "Codes", "fields": [{"name": "code", "type": "text", "unique": true}]}`)
	var items []any
	for i, codes := range [][2]string{{"held", "new"}, {"other", "held"}} {
		id := w.entry("codes", fmt.Sprintf(`{"title": "Code %d", "data": {"code": %q}}`, i, codes[0]))
		w.draft("codes", id, fmt.Sprintf(`{"data": {"code": %q}}`, codes[1]))
		items = append(items, map[string]any{"model": "codes", "id": id, "action": "publish"})
	}
	release := w.release(items...)
	var once sync.Once
	merged := 0
	faulty := table.NewFaulty(w.table, func(call table.Call) table.Fault {
		if call.Method != "Get" || !slices.ContainsFunc(call.Keys,
			func(key table.Key) bool { return strings.HasPrefix(key.Partition, "U#") }) {
			return table.Fault{} // only the second step reads claims of values
		}
		return table.Fault{Before: func() {
			once.Do(func() {
				var err error
				merged, err = w.store.Content.FlushTexts(ctx)
				w.must(err)
			})
		}}
	})
	problems, err := newProcess(faulty, c.Now).releases.Check(ctx, editor, release)
	w.must(err)
	if merged == 0 {
		t.Fatal("nothing was merged between the steps")
	}
	if len(problems) > 0 {
		t.Fatalf("problems: %+v", problems)
	}
	_, err = w.releases.Publish(ctx, editor, release)
	w.must(err)
	w.settle(c)
	if r, err := w.releases.Get(ctx, release); err != nil || r.Status != "published" {
		t.Errorf("the release is %+v, %v", r, err)
	}
	if n := w.events(cms.EventEntryPublished); len(n) != 2 {
		t.Errorf("published: %v", n)
	}
}

// TestCheckReadsTogether checks a release of 30 items: the rows on which their publications have
// conditions are read together, not item by item.
func TestCheckReadsTogether(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 0)
	ctx := context.Background()
	w.model(`{"slug": "codes", "name": "Codes", "fields": [{"name": "code", "type": "text", "unique": true}]}`)
	var items []any
	for i := range 30 {
		id := w.entry("codes", fmt.Sprintf(`{"title": "Code %d"}`, i))
		w.draft("codes", id, fmt.Sprintf(`{"data": {"code": "c%d"}}`, i))
		items = append(items, map[string]any{"model": "codes", "id": id, "action": "publish"})
	}
	release := w.release(items...)
	var reads atomic.Int64
	counted := table.NewFaulty(w.table, func(call table.Call) table.Fault {
		if call.Method == "Get" && slices.ContainsFunc(call.Keys,
			func(key table.Key) bool { return strings.HasPrefix(key.Partition, "U#") }) {
			reads.Add(1)
		}
		return table.Fault{}
	})
	problems, err := newProcess(counted, c.Now).releases.Check(ctx, editor, release)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if n := reads.Load(); n != 1 {
		t.Errorf("claims of values were read %d times", n)
	}
}

// TestCheckOfFreedSharedValue checks a release whose first item frees a value that translations share and that is
// unique, and whose second item takes it.
func TestCheckOfFreedSharedValue(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 0)
	ctx := context.Background()
	w.locale(`{"code": "de", "name": "German"}`)
	w.model(`{"slug": "codes", "name": "Codes", "localized": true, "fields": [
		{"name": "code", "type": "text", "unique": true, "translatable": false}]}`)
	var items []any
	for i, codes := range [][2]string{{"held", "new"}, {"other", "held"}} {
		id := w.entry("codes", fmt.Sprintf(`{"title": "Code %d", "data": {"code": %q}}`, i, codes[0]))
		w.entry("codes", fmt.Sprintf(`{"title": "Zahl %d", "locale": "de", "translation_of": %q}`, i, id))
		w.draft("codes", id, fmt.Sprintf(`{"data": {"code": %q}}`, codes[1]))
		items = append(items, map[string]any{"model": "codes", "id": id, "action": "publish"})
	}
	release := w.release(items...)
	problems, err := w.releases.Check(ctx, editor, release)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, problems: %+v", err, problems)
	}
	w.publish(c, release)
}

// TestCheckOfLeavingTogether checks and publishes releases that take an entry away with entries that hold it and that
// another item takes away, in either order.
func TestCheckOfLeavingTogether(t *testing.T) {
	for _, items := range [][][2]string{{{"below", "down"}, {"top", ""}}, {{"top", ""}, {"below", "down"}},
		{{"top", "down"}, {"below", ""}}, {{"below", ""}, {"top", "down"}}} {
		t.Run(fmt.Sprint(items), func(t *testing.T) {
			c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
			w := newWorld(t, c, 0)
			ctx := context.Background()
			w.model(`{"slug": "pages", "name": "Pages", "tree": true}`)
			ids, parent := map[string]string{}, "null"
			for _, title := range []string{"top", "below", "hidden", "lowest"} {
				status := "published"
				if title == "hidden" {
					status = "draft"
				}
				id := w.entry("pages",
					fmt.Sprintf(`{"title": %q, "status": %q, "parent": %s}`, title, status, parent))
				ids[title], parent = id, `"`+id+`"`
			}
			var list []any
			for _, item := range items {
				body := map[string]any{"model": "pages", "id": ids[item[0]], "action": "unpublish"}
				if item[1] != "" {
					body["children"] = item[1]
				}
				list = append(list, body)
			}
			release := w.release(list...)
			problems, err := w.releases.Check(ctx, editor, release)
			if err != nil || len(problems) > 0 {
				t.Errorf("%v, problems: %+v", err, problems)
			}
			w.publish(c, release)
			if n := len(w.events(cms.EventEntryUnpublished)); n != 3 {
				t.Errorf("%d entries were unpublished", n)
			}
		})
	}
}

// TestCheckOfReturn checks a release that takes an entry away with the one above it, and then publishes it again, which
// needs an approval. Nothing of the release is published.
func TestCheckOfReturn(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 0)
	ctx := context.Background()
	w.model(`{"slug": "pages", "name": "Pages", "tree": true, "review": 1}`)
	add := func(parent string) map[string]any {
		e, err := w.schedules.Entries.Create(ctx, cms.Actor{}, "pages",
			w.body(`{"title": "Page", "status": "published", "parent": `+parent+`}`))
		w.must(err)
		return map[string]any{"model": "pages", "id": e.ID, "action": "publish"}
	}
	top := add("null")
	below := add(`"` + top["id"].(string) + `"`)
	top["action"], top["children"] = "unpublish", "down"
	release := w.release(top, below)
	problems, err := w.releases.Check(ctx, editor, release)
	if err != nil || len(problems) != 1 || problems[0].ID != below["id"] || problems[0].Code != cms.CodeApprovalRequired {
		t.Errorf("%v, problems: %+v", err, problems)
	}
	_, err = w.releases.Publish(ctx, editor, release)
	w.must(err)
	w.settle(c)
	if n := len(w.events(cms.EventEntryUnpublished)); n > 0 {
		t.Errorf("%d entries were unpublished", n)
	}
}

// TestCheckOfPlans checks all plans up to a time: a plan that publishes an entry and unpublishes it again, and
// plans that take away an entry and the one below it, in both orders.
func TestCheckOfPlans(t *testing.T) {
	const publish, early, late = `"publish_at": "2030-01-02T10:00:00Z"`, `"unpublish_at": "2030-01-02T11:00:00Z"`,
		`"unpublish_at": "2030-01-02T12:00:00Z"`
	for name, x := range map[string]struct {
		status, top, below string
		want               int
	}{
		"published for a while":  {"draft", `{` + publish + `, ` + late + `}`, "", 1},
		"with what is below":     {"draft", `{` + publish + `, ` + late + `, "children": "down"}`, "", 0},
		"the one below it later": {"published", `{` + early + `}`, `{` + late + `}`, 1},
		"the one below it first": {"published", `{` + late + `}`, `{` + early + `}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
			w := newWorld(t, c, 0)
			ctx := context.Background()
			w.model(`{"slug": "pages", "name": "Pages", "tree": true}`)
			top := w.entry("pages", `{"title": "Top", "status": "`+x.status+`"}`)
			below := w.entry("pages", `{"title": "Below", "status": "published", "parent": "`+top+`"}`)
			for id, plan := range map[string]string{top: x.top, below: x.below} {
				if plan != "" {
					_, err := w.schedules.Put(ctx, editor, "pages", id, w.body(plan))
					w.must(err)
				}
			}
			now, err := w.store.Site.Site(ctx)
			w.must(err)
			steps, err := w.releases.StepsUntil(ctx, now, c.Now().AddDate(0, 0, 2), 100)
			w.must(err)
			problems, err := w.releases.CheckSteps(ctx, editor, steps)
			if err != nil || len(problems) != x.want || x.want > 0 && (problems[0].ID != top ||
				problems[0].Code != cms.CodeInUse) {
				t.Errorf("%v, problems of %d steps: %+v", err, len(steps), problems)
			}
			for range 40 {
				c.Advance(time.Hour)
				_, err = w.timers.Due(ctx)
				w.must(err)
			}
			if failed := len(w.events(cms.EventEntryScheduleFailed)); failed != x.want {
				t.Errorf("%d plans failed", failed)
			}
		})
	}
}
