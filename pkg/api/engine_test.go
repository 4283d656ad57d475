package api_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table"
)

// TestRestoreIntoClosedModel: an entry could be restored into a model that was being deleted, and
// then was in no trash and no model.
func TestRestoreIntoClosedModel(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	e := c.create("things", `{"title": "One"}`)
	c.call(c.admin, "DELETE", "/things/"+e.ID, "").want(204, "")
	entries := &editing.Entries{Store: c.store.Content}
	closed := false
	c.setFault(func(call table.Call) table.Fault {
		if call.Method != "Write" || closed {
			return table.Fault{}
		}
		closed = true // the model is closed elsewhere, just before the restored entry is stored
		return table.Fault{Before: func() { closeThings(t, c.table) }}
	})
	if _, err := entries.RestoreFromTrash(t.Context(), cms.Actor{}, e.ID); err == nil || !closed {
		t.Errorf("restored into a closed model: %v", err)
	}
	page, err := entries.Trash(t.Context(), nil, db.Paging{Page: 1, PerPage: 10})
	if err != nil || page.Total != 1 {
		t.Errorf("%d entries in the trash, %v", page.Total, err)
	}
}

// closeThings makes the model inactive, as another process.
func closeThings(t *testing.T, tb table.Table) {
	t.Helper()
	other := content.New(tb, time.Now)
	ctx := t.Context()
	now, err := other.Site(ctx)
	if err != nil {
		t.Error(err)
		return
	}
	m := *now.Models["things"]
	m.IsActive = false
	tx := other.Begin()
	site.PutModel(tx, now, "things", m)
	if err := other.Commit(ctx, tx); err != nil {
		t.Error(err)
	}
}

// TestPurgeFinishes: a crash after an entry had left the trash used to leave its revisions for
// good.
func TestPurgeFinishes(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	e := c.create("things", `{"title": "One", "data": {"text": "a secret"}}`)
	c.call(c.admin, "DELETE", "/things/"+e.ID, "").want(204, "")
	entries := &editing.Entries{Store: c.store.Content}
	c.setFault(func(call table.Call) table.Fault {
		if call.Method == "BatchWrite" {
			return table.Fault{Kind: table.Throttled}
		}
		return table.Fault{}
	})
	if err := entries.Purge(t.Context(), cms.Actor{}, e.ID); err == nil {
		t.Fatal("the purge was not interrupted")
	}
	c.setFault(table.NoFaults)
	must.Do(t, entries.PurgeExpired(t.Context()))
	now, err := c.store.Site.Site(t.Context())
	must.Do(t, err)
	left, err := c.table.Query(t.Context(), table.Range{Partition: "E#" + now.Models["things"].ID +
		"#" + e.ID})
	if err != nil || len(left) > 0 {
		t.Errorf("%d items are left of the entry, %v", len(left), err)
	}
}

// TestTrashRoundTrips: a page of the trash used to take a round trip for each entry.
func TestTrashRoundTrips(t *testing.T) {
	c := newContent(t)
	c.model(thingsModel)
	for n := range 20 {
		e := c.create("things", fmt.Sprintf(`{"title": "T%d"}`, n))
		c.call(c.admin, "DELETE", "/things/"+e.ID, "").want(204, "")
	}
	synctest.Test(t, func(t *testing.T) {
		counting := table.NewCounting(table.NewFaulty(c.table, table.Latency(2*time.Millisecond)))
		entries := &editing.Entries{Store: content.New(counting, time.Now)}
		page, err := entries.Trash(t.Context(), nil, db.Paging{Page: 1, PerPage: 20})
		if u := counting.Snapshot(); err != nil || len(page.Items) != 20 || u.RoundTrips > 6 {
			t.Errorf("%d entries in %d round trips, %v", len(page.Items), u.RoundTrips, err)
		}
	})
}
