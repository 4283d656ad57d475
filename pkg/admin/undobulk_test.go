package admin_test

import (
	"strings"
	"testing"
)

// TestUndoOfBulkLeavesOthers: Undo on the page of a job takes back the changes of the job. An entry that the job did
// not change keeps the earlier changes of the user.
func TestUndoOfBulkLeavesOthers(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts"}`)
	at := "/models/posts/entries"
	live := c.must(t, 201, "POST", at, `{"title":"Live","status":"published"}`).text(t, "id")
	draft := c.must(t, 201, "POST", at, `{"title":"First words"}`).text(t, "id")
	c.must(t, 200, "PUT", at+"/"+draft, `{"title":"Last words"}`)
	work := func(pairs ...string) string {
		t.Helper()
		at := strings.TrimPrefix(b.sent(t, "/jobs", pairs...).Header().Get("Location"), "/admin")
		id, _, _ := strings.Cut(strings.TrimPrefix(at, "/jobs/"), "?")
		if _, err := s.on.Jobs.Work(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return id
	}
	job := work("model", "posts", "action", "unpublish", "ids", live, "ids", draft)
	work("model", "posts", "action", "revert", "of", job)
	if e := c.must(t, 200, "GET", at+"/"+live, nil); e.text(t, "status") != "published" {
		t.Errorf("not undone: %s", e.Body)
	}
	if e := c.must(t, 200, "GET", at+"/"+draft, nil); e.text(t, "title") != "Last words" {
		t.Errorf("Undo took back what the job did not do: %s", e.Body)
	}
}
