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
	"headless/pkg/site"
	"headless/pkg/table"
)

// TestMergeDuringCheck merges texts between the two steps of a release's check, when its items were
// looked at and before their results are put together. The first item gives up a unique
// value that the second one takes: the merge overtakes the first, and the release still has no
// problem and is published.
func TestMergeDuringCheck(t *testing.T) {
	c := cmstest.NewClock(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	w := newWorld(t, c, 0)
	ctx, use := context.Background(), w.schedules.Entries
	_, err := (&site.Models{Store: w.store.Site, HasEntries: use.ModelHasEntries}).Create(ctx, editor,
		w.body(`{"slug": "codes", "name": "Codes", "fields": [{"name": "code", "type": "text", "unique": true}]}`))
	w.must(err)
	var items []any
	for i, codes := range [][2]string{{"held", "new"}, {"other", "held"}} {
		e, err := use.Create(ctx, editor, "codes",
			w.body(fmt.Sprintf(`{"title": "Code %d", "data": {"code": %q}}`, i, codes[0])))
		w.must(err)
		_, err = use.SaveDraft(ctx, editor, "codes", e.ID,
			w.body(fmt.Sprintf(`{"data": {"code": %q}}`, codes[1])), nil)
		w.must(err)
		items = append(items, map[string]any{"model": "codes", "id": e.ID, "action": "publish"})
	}
	r, err := w.releases.Create(ctx, editor, map[string]any{"name": "Swap", "items": items})
	w.must(err)
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
	problems, err := newProcess(faulty, c.Now).releases.Check(ctx, editor, r.ID)
	w.must(err)
	if merged == 0 {
		t.Fatal("nothing was merged between the steps")
	}
	if len(problems) > 0 {
		t.Fatalf("problems: %+v", problems)
	}
	_, err = w.releases.Publish(ctx, editor, r.ID)
	w.must(err)
	w.settle(c)
	if r, err = w.releases.Get(ctx, r.ID); err != nil || r.Status != "published" {
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
	ctx, use := context.Background(), w.schedules.Entries
	_, err := (&site.Models{Store: w.store.Site, HasEntries: use.ModelHasEntries}).Create(ctx, editor,
		w.body(`{"slug": "codes", "name": "Codes", "fields": [{"name": "code", "type": "text", "unique": true}]}`))
	w.must(err)
	var items []any
	for i := range 30 {
		e, err := use.Create(ctx, editor, "codes", w.body(fmt.Sprintf(`{"title": "Code %d"}`, i)))
		w.must(err)
		_, err = use.SaveDraft(ctx, editor, "codes", e.ID, w.body(fmt.Sprintf(`{"data": {"code": "c%d"}}`, i)), nil)
		w.must(err)
		items = append(items, map[string]any{"model": "codes", "id": e.ID, "action": "publish"})
	}
	r, err := w.releases.Create(ctx, editor, map[string]any{"name": "Codes", "items": items})
	w.must(err)
	var reads atomic.Int64
	counted := table.NewFaulty(w.table, func(call table.Call) table.Fault {
		if call.Method == "Get" && slices.ContainsFunc(call.Keys,
			func(key table.Key) bool { return strings.HasPrefix(key.Partition, "U#") }) {
			reads.Add(1)
		}
		return table.Fault{}
	})
	problems, err := newProcess(counted, c.Now).releases.Check(ctx, editor, r.ID)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	if n := reads.Load(); n != 1 {
		t.Errorf("claims of values were read %d times", n)
	}
}
