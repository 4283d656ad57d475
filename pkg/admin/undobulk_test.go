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
	at, work := "/models/posts/entries", s.working(b)
	live := c.must(t, 201, "POST", at, `{"title":"Live","status":"published"}`).text(t, "id")
	draft := c.must(t, 201, "POST", at, `{"title":"First words"}`).text(t, "id")
	c.must(t, 200, "PUT", at+"/"+draft, `{"title":"Last words"}`)
	job := work(t, "model", "posts", "action", "unpublish", "ids", live, "ids", draft)
	work(t, "model", "posts", "action", "revert", "of", job)
	if e := c.must(t, 200, "GET", at+"/"+live, nil); e.text(t, "status") != "published" {
		t.Errorf("not undone: %s", e.Body)
	}
	if e := c.must(t, 200, "GET", at+"/"+draft, nil); e.text(t, "title") != "Last words" {
		t.Errorf("Undo took back what the job did not do: %s", e.Body)
	}
}

// TestUndoRestoresPublication: what a job took out of the public comes back by Undo without an approval, since readers
// saw it before, and with its time of publication, which may be part of its address. So does what an undo of Undo took
// out.
func TestUndoRestoresPublication(t *testing.T) {
	s := newSite(t)
	admin := s.as(t, adminEmail)
	admin.must(t, 201, "POST", "/users", user("editor@example.com", "editor"))
	c := s.as(t, "editor@example.com")
	admin.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","review":1}`)
	at := "/models/posts/entries"
	work := func(t *testing.T, body string) string {
		t.Helper()
		s.ahead.Add(int64(1e9))
		id := c.must(t, 202, "POST", "/jobs", body).text(t, "id")
		if _, err := s.on.Jobs.Work(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return id
	}
	for _, action := range []string{"unpublish", "archive"} {
		t.Run(action, func(t *testing.T) {
			e := admin.must(t, 201, "POST", at, `{"title":"`+action+`","status":"published"}`)
			id := e.text(t, "id")
			job := work(t, `{"action":"`+action+`","model":"posts","ids":["`+id+`"]}`)
			for _, status := range []string{"published", "", "published"} {
				job = work(t, `{"action":"revert","model":"posts","of":"`+job+`"}`)
				now := c.must(t, 200, "GET", at+"/"+id, nil)
				if status != "" && (now.text(t, "status") != status || now.text(t, "published_at") != e.text(t, "published_at")) {
					t.Errorf("after Undo: %s, want the publication of %s", now.Body, e.text(t, "published_at"))
				}
			}
		})
	}
}

// working returns a function that starts a job by a form, lets it end, and returns its id.
func (s *site) working(b browser) func(*testing.T, ...string) string {
	return func(t *testing.T, pairs ...string) string {
		t.Helper()
		at := b.sent(t, "/jobs", pairs...).Header().Get("Location")
		id, _, _ := strings.Cut(strings.TrimPrefix(at, "/admin/jobs/"), "?")
		if _, err := s.on.Jobs.Work(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return id
	}
}

// TestUndoOnJobPage offers Undo as long as it would do something: for a job that changed entries, once, and then for
// the job that took it back.
func TestUndoOnJobPage(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts"}`)
	id := c.must(t, 201, "POST", "/models/posts/entries", `{"title":"One"}`).text(t, "id")
	work := s.working(b)
	offers := func(job string, want bool) {
		t.Helper()
		if page := b.get(t, "/jobs/"+job); contains(page, `name="of"`) != want {
			t.Errorf("offers Undo: %v, %s", !want, page.Body)
		}
	}
	offers(work(t, "model", "posts", "action", "unpublish", "ids", id), false)
	deleted := work(t, "model", "posts", "action", "delete", "ids", id)
	offers(deleted, true)
	restored := work(t, "model", "posts", "action", "revert", "of", deleted)
	c.must(t, 200, "GET", "/models/posts/entries/"+id, nil)
	offers(deleted, false)
	offers(restored, true)
	work(t, "model", "posts", "action", "revert", "of", restored)
	c.must(t, 404, "GET", "/models/posts/entries/"+id, nil)
	offers(restored, false)
}

// TestUndoOfTheRest: the page of a job says what an undo left. It offers Undo again for the entries that may still be
// taken back, and for no others.
func TestUndoOfTheRest(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[{"name":"body","type":"text"}]}`)
	at, work := "/models/posts/entries", s.working(b)
	var ids []string
	for _, title := range []string{"Lamp", "Chair"} {
		ids = append(ids, c.must(t, 201, "POST", at, map[string]any{"title": title}).text(t, "id"))
	}
	undo := func(job, want string, again bool) {
		t.Helper()
		id := work(t, "model", "posts", "action", "revert", "of", job)
		page := b.get(t, "/jobs/"+job)
		if !contains(page, `<a href="/admin/jobs/`+id+`">`+want+`</a>`) || contains(page, `name="of"`) != again {
			t.Errorf("no %q, or Undo is offered: %v, in %s", want, !again, page.Body)
		}
	}
	set := work(t, "model", "posts", "action", "set", "set.data.body", "new", "ids", ids[0], "ids", ids[1])
	s.ahead.Add(int64(1e9))
	c.must(t, 200, "PUT", at+"/"+ids[1], `{"title":"Stool"}`)
	undo(set, "1 of 2 undone. Somebody has changed the rest since.", false)
	if a := c.do(t, "POST", "/jobs", `{"action":"revert","model":"posts","of":"`+set+`"}`); a.Code != 409 {
		t.Errorf("once more: %d %s", a.Code, a.Body)
	}
	set = work(t, "model", "posts", "action", "set", "set.data.body", "newer", "ids", ids[0], "ids", ids[1])
	s.ahead.Add(int64(1e9))
	c.must(t, 200, "PUT", at+"/"+ids[1], `{"title":"Chair"}`)
	c.must(t, 204, "DELETE", at+"/"+ids[0], nil)
	undo(set, "2 of 2, 2 failed", true)
	c.must(t, 200, "POST", "/trash/"+ids[0]+"/restore", nil)
	undo(set, "Nothing was undone: somebody has changed it since.", false)

	deleted := work(t, "model", "posts", "action", "delete", "ids", ids[0], "ids", ids[1])
	taken := c.must(t, 201, "POST", at, `{"title":"Lamp"}`).text(t, "id")
	undo(deleted, "2 of 2, 1 failed", true)
	c.must(t, 204, "DELETE", at+"/"+taken, nil)
	undo(deleted, "1 of 1", false)
	c.must(t, 200, "GET", at+"/"+ids[0], nil)
}

// TestUndoSaysWhatStays: an undo leaves an entry that somebody has changed since, and its page names that entry.
func TestUndoSaysWhatStays(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[{"name":"body","type":"text"}]}`)
	at, work := "/models/posts/entries", s.working(b)
	for action, more := range map[string][]string{"publish": nil, "unpublish": nil, "archive": nil,
		"replace_text": {"find", "red", "replace", "blue", "sure", "true"}, "set": {"set.data.body", "new"}} {
		t.Run(action, func(t *testing.T) {
			var ids []string
			for _, title := range []string{"A red lamp", "A red chair"} {
				ids = append(ids, c.must(t, 201, "POST", at, map[string]any{"title": title}).text(t, "id"))
				if action == "unpublish" {
					c.must(t, 200, "PUT", at+"/"+ids[len(ids)-1], `{"status":"published"}`)
				}
			}
			job := work(t, append(more, "model", "posts", "action", action, "ids", ids[0], "ids", ids[1])...)
			s.ahead.Add(int64(1e9))
			c.must(t, 200, "PUT", at+"/"+ids[1], `{"title":"A green chair"}`)
			undo := work(t, "model", "posts", "action", "revert", "of", job)
			failed := c.must(t, 200, "GET", "/jobs/"+undo, nil).Data.(map[string]any)["failed"].([]any)
			if len(failed) != 1 || failed[0].(map[string]any)["id"] != ids[1] {
				t.Errorf("failed %v, want the entry that was changed since", failed)
			}
			if page := b.get(t, "/jobs/"+undo); !contains(page, "This entry has been changed since, so it stays as it is.") {
				t.Errorf("the page does not name the entry: %s", page.Body)
			}
			if e := c.must(t, 200, "GET", at+"/"+ids[1], nil); e.text(t, "title") != "A green chair" {
				t.Errorf("the later title is gone: %s", e.Body)
			}
		})
	}
}
