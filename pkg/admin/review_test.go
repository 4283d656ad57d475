package admin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestReviewPage asks for a review, comments, sends back and approves by the forms of the page, and
// follows the tasks of both users.
func TestReviewPage(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models",
		`{"slug":"news","name":"News","review":1,"fields":[{"name":"body","label":"Text","type":"textarea"}]}`)
	ada := c.must(t, 201, "POST", "/users", map[string]any{"email": "ada@example.com", "name": "Ada", "role": "editor",
		"password": password}).text(t, "id")
	e := c.must(t, 201, "POST", "/models/news/entries",
		`{"title":"Opening","data":{"body":"We open at nine."}}`).text(t, "id")
	at := "/models/news/entries/" + e
	root, reviewer := s.browse(t), s.browseAs(t, "ada@example.com")
	submit := func(b browser, path string, form url.Values) {
		t.Helper()
		page := b.get(t, at+"/review")
		form.Set("_csrf", page.csrf(t))
		if a := b.post(t, path, form); a.Code != http.StatusSeeOther {
			t.Fatalf("POST %s: %d %s", path, a.Code, a.Body)
		}
	}
	shows := func(b browser, path string, texts ...string) {
		t.Helper()
		a := b.get(t, path)
		for _, text := range texts {
			if !strings.Contains(a.Body.String(), text) {
				t.Errorf("%s lacks %q: %d %s", path, text, a.Code, a.Body)
			}
		}
	}
	shows(root, at+"/review", "not asked", "Nobody has commented yet.", "need 1 approval before",
		"No version was approved or published before.", "Without one, nobody is notified")
	submit(root, at+"/review", url.Values{"reviewers": {"", ada}, "note": {"Please look."}, "due": {"2030-01-31"}})
	shows(reviewer, "/tasks", "Opening", "Please look.", "31\u00a0Jan\u00a02030")
	const badge = `<span class="badge">1<span class="hidden"> open</span></span>`
	shows(reviewer, "/media", badge)
	if a := root.get(t, "/media"); contains(a, badge) {
		t.Errorf("the menu of who has no tasks: %s", a.Body)
	}
	shows(reviewer, "/planned?from=2030-01-31&model=news", `<time datetime="2030-01-31"></time> Opening`, "due: Review",
		at+"/review")
	shows(reviewer, "/planned?from=2029-12-31", `<time datetime="2030-01-31"></time> Opening`) // in the last week
	if a := reviewer.get(t, "/planned?from=2030-02-01"); strings.Contains(a.Body.String(), "Opening") {
		t.Errorf("due a day later: %s", a.Body)
	}
	shows(reviewer, "/", "Waits for me: 1")
	shows(root, "/models/news/entries", ">In review</a>")
	shows(root, "/models/news/entries?filter%5Breview%5D=requested", "Opening", `aria-current="page">In review`)
	shows(reviewer, at+"/review", "in review", "<button class=\"primary\">Approve</button>")
	shows(root, at+"/review", "somebody else approves it", ">Withdraw the request<")
	if a := root.get(t, at+"/review"); contains(a, ">Send back<") {
		t.Errorf("who asked decides on it: %s", a.Body)
	}

	submit(reviewer, at+"/comments", url.Values{"text": {"Nine o'clock?"}, "field": {"data.body"}, "quote": {"nine"},
		"assignee": {""}, "due": {""}})
	thread := c.must(t, 200, "GET", at+"/comments", nil).text(t, 0, "id")
	submit(root, at+"/comments", url.Values{"text": {"Yes, @" + ada + "."}, "parent": {thread}})
	shows(root, at+"/review", "Yes, @Ada.", "nine</a></blockquote>", at+"/edit#f-data.body", "c-"+thread)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "vera@example.com", "name": "Vera", "role": "viewer",
		"password": password})
	shows(s.browseAs(t, "vera@example.com"), at+"/review", at+"#f-data.body") // who may not open the form
	page := root.get(t, at+"/review").Body.String()
	if strings.Index(page, `id="decision"`) > strings.Index(page, `id="comments"`) {
		t.Error("who asks for a review or decides scrolls past all comments")
	}
	if contains(root.get(t, at+"/review"), "no longer in the text") {
		t.Error("a passage that is in the text is shown as lost")
	}
	if alone := root.get(t, at+"/comments"); !contains(alone, "Yes, @Ada.") || contains(alone, "Ask for review") {
		t.Errorf("the page of the comments: %s", alone.Body)
	}
	submit(root, at+"/comments/"+thread, url.Values{"_method": {"PATCH"}, "resolved": {"true"}})
	shows(root, at+"/review", "resolved", "Reopen")

	version := c.must(t, 200, "GET", at+"/review", nil).text(t, "version")
	submit(reviewer, at+"/review/return", url.Values{"version": {version}, "note": {"Add the day."}})
	shows(root, "/tasks", "Sent back to you", "Add the day.")
	submit(root, at+"/review", url.Values{"reviewers": {"", ada}, "note": {""}, "due": {""}})
	submit(reviewer, at+"/review/approve", url.Values{"version": {version}})
	if a := reviewer.get(t, "/media"); contains(a, badge) {
		t.Errorf("the menu after the task has ended: %s", a.Body)
	}
	shows(root, at+"/review", "approved", "Ada")
	c.must(t, 200, "PUT", at+"/draft", `{"title":"Opened","data":{"body":"We open at ten."}}`)
	shows(reviewer, at+"/review", "in review", "Changed since the approved version", "<del>nine</del><ins>ten</ins>",
		"no longer in the text")
	release := "/releases/" + c.must(t, 201, "POST", "/releases",
		map[string]any{"name": "R", "items": []any{map[string]any{"model": "news", "id": e, "action": "publish"}}}).text(t,
		"id")
	shows(root, release, "Not approved yet", "1 of 1", "in review")
	version = c.must(t, 200, "GET", at+"/review", nil).text(t, "version")
	submit(reviewer, at+"/review/approve", url.Values{"version": {version}})
	if a := reviewer.get(t, at+"/review"); !contains(a, `action="/admin`+at+`/publish"`) || contains(a, ">Approve<") {
		t.Errorf("who has approved cannot go on to publish, or approves again: %s", a.Body)
	}
	if a := root.get(t, release); contains(a, "Not approved yet") || !contains(a, ">approved<") {
		t.Errorf("the release: %s", a.Body)
	}
	c.must(t, 200, "PUT", at+"/draft", `{"title":"Opened","data":{"body":"We open at ten, always."}}`)
	if a := reviewer.get(t, at+"/review"); strings.Contains(a.Body.String(), "<del>") ||
		!contains(a, "<ins>, always</ins>") {
		t.Errorf("since the approved draft: %s", a.Body)
	}
	submit(root, at+"/review", url.Values{"_method": {"DELETE"}})
	shows(root, at+"/review", "not asked")
}

// TestReviewBetween decides on a review that was withdrawn, withdraws it twice, and asks again: the page shows the
// present state, keeps the typed text, and does not offer people who cannot approve.
func TestReviewBetween(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"news","name":"News","review":1,"fields":[]}`)
	ada := c.must(t, 201, "POST", "/users", map[string]any{"email": "ada@example.com", "name": "Ada", "role": "editor",
		"password": password}).text(t, "id")
	at := "/models/news/entries/" + c.must(t, 201, "POST", "/models/news/entries", `{"title":"Opening"}`).text(t, "id")
	root, reviewer := s.browse(t), s.browseAs(t, "ada@example.com")
	csrf := root.get(t, at+"/review").csrf(t)
	ask := url.Values{"_csrf": {csrf}, "reviewers": {"", ada}, "note": {"By noon"}, "due": {"2030-01-31"}}
	if a := root.post(t, at+"/review", ask); a.Code != 303 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	form := root.get(t, at+"/review").Body.String()
	if strings.Count(form, `name="reviewers" value="`) != 2 || !strings.Contains(form, `value="`+ada+`" checked`) ||
		!strings.Contains(form, `value="2030-01-31"`) || strings.Count(form, "By noon") != 2 {
		t.Errorf("the form to ask again: %s", form)
	}
	version := c.must(t, 200, "GET", at+"/review", nil).text(t, "version")
	seen := reviewer.get(t, at+"/review").csrf(t)
	withdraw := url.Values{"_csrf": {csrf}, "_method": {"DELETE"}}
	if a := root.post(t, at+"/review", withdraw); a.Code != 303 ||
		!strings.HasSuffix(a.Header().Get("Location"), "ok=saved") {
		t.Errorf("withdrawn: %d %s", a.Code, a.Header())
	}
	if a := root.post(t, at+"/review", withdraw); a.Code != 404 || !contains(a, "Nobody asked for a review") ||
		!contains(a, "Ask for review") {
		t.Errorf("withdrawn twice: %d %s", a.Code, a.Body)
	}
	for path, typed := range map[string]string{"/approve": "", "/return": "Add the day."} {
		a := reviewer.post(t, at+"/review"+path, url.Values{"_csrf": {seen}, "version": {version}, "note": {typed}})
		if a.Code != 409 || !contains(a, "Nobody asked for a review of this version.") || !contains(a, "Ask for review") ||
			!contains(a, typed+"</textarea>") {
			t.Errorf("%s of what was withdrawn: %d %s", path, a.Code, a.Body)
		}
	}
}

// TestCommentsBetween answers, edits and deletes a comment that somebody has deleted: the typed text stays.
func TestCommentsBetween(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"news","name":"News","fields":[]}`)
	at := "/models/news/entries/" + c.must(t, 201, "POST", "/models/news/entries", `{"title":"Opening"}`).text(t, "id")
	gone := c.must(t, 201, "POST", at+"/comments", `{"text":"Nine?"}`).text(t, "id")
	csrf := b.get(t, at+"/review").csrf(t)
	c.must(t, 204, "DELETE", at+"/comments/"+gone, nil)
	for name, form := range map[string]url.Values{
		"/comments":         {"parent": {gone}, "text": {"At nine."}},
		"/comments/" + gone: {"_method": {"PATCH"}, "text": {"At nine."}},
	} {
		form.Set("_csrf", csrf)
		if a := b.post(t, at+name, form); a.Code != 409 && a.Code != 404 || !contains(a, "Nobody has commented yet.") ||
			!contains(a, "At nine.</textarea>") {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
	deleted := b.post(t, at+"/comments/"+gone, url.Values{"_csrf": {csrf}, "_method": {"DELETE"}})
	if deleted.Code != 404 || !contains(deleted, "There is no such comment.") || !contains(deleted, "New comment") {
		t.Errorf("deleted twice: %d %s", deleted.Code, deleted.Body)
	}
}

// TestCalendarOfManyTasks shows what is due in March after a hundred tasks that are due before.
func TestCalendarOfManyTasks(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"news","name":"News","fields":[]}`)
	at := "/models/news/entries/" + c.must(t, 201, "POST", "/models/news/entries", `{"title":"Opening"}`).text(t, "id")
	me := c.must(t, 200, "GET", "/me", nil).text(t, "id")
	for i := range 102 {
		due := "2030-01-31"
		if i > 100 {
			due = "2030-03-05"
		}
		c.must(t, 201, "POST", at+"/comments", map[string]any{"text": "See to it", "assignee": me, "due": due})
	}
	b := s.browse(t)
	if a := b.get(t, "/planned?from=2030-03-01"); strings.Count(a.Body.String(), "due: Assigned to you") != 2 {
		t.Errorf("in March: %s", a.Body)
	}
	if a := b.get(t, "/planned?from=2030-02-01&to=2030-03-01"); contains(a, "due: Assigned to you") {
		t.Errorf("in February: %s", a.Body)
	}
}

// TestReleaseWhoseApprovalsEnd has a release whose approver leaves and whose entry is changed by
// somebody who may not publish it: its page names both, and binds the item to the change.
func TestReleaseWhoseApprovalsEnd(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"news","name":"News","review":1,"fields":[]}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"writer","name":"Writer","rules":[{"actions":["read","write"]}]}`)
	user := func(name, role string) string {
		return c.must(t, 201, "POST", "/users", map[string]any{
			"email": name + "@example.com", "name": name, "role": role,
			"password": password}).text(t, "id")
	}
	ada := user("ada", "editor")
	user("bob", "writer")
	e := c.must(t, 201, "POST", "/models/news/entries", `{"title":"Opening"}`).text(t, "id")
	at := "/models/news/entries/" + e
	c.must(t, 201, "POST", at+"/review", `{}`)
	s.as(t, "ada@example.com").must(t, 200, "POST", at+"/review/approve", `{"version":"1"}`)
	release := "/releases/" + c.must(t, 201, "POST", "/releases", map[string]any{"name": "Launch",
		"items": []any{map[string]any{"model": "news", "id": e, "action": "publish"}}}).text(t, "id")
	b := s.browse(t)
	if a := b.get(t, release); contains(a, "Not approved yet") || contains(a, "Publish as it is now") {
		t.Errorf("an approved item: %s", a.Body)
	}
	c.must(t, 201, "POST", "/locales", `{"code":"de","name":"German"}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"german","name":"German","rules":[
		{"actions":["read"]},{"locales":["de"],"actions":["approve"]}]}`)
	c.must(t, 200, "PUT", "/users/"+ada, `{"role":"german"}`)
	if a := b.get(t, release); !contains(a, "1 of 1") || !contains(a, "an approval no longer counts") {
		t.Errorf("after its approver may approve German only: %s", a.Body)
	}
	if a := b.get(t, "/models/news/entries?filter%5Breview%5D=requested"); !contains(a, "Opening") {
		t.Errorf("in review: %s", a.Body)
	}
	c.must(t, 200, "PUT", "/users/"+ada, `{"is_active":false}`)
	if a := b.get(t, release); !contains(a, "1 of 1") || !contains(a, "an approval no longer counts") {
		t.Errorf("after its approver left: %s", a.Body)
	}
	if a := b.get(t, at+"/review"); !contains(a, "1 approval does not count any more") {
		t.Errorf("the review: %s", a.Body)
	}
	s.as(t, "bob@example.com").must(t, 200, "PUT", at+"/draft", `{"title":"Opened"}`)
	page := b.get(t, release)
	if !contains(page, "by bob, who may not publish it") {
		t.Fatalf("the change is not shown: %s", page.Body)
	}
	form := url.Values{"_csrf": {page.csrf(t)}, "to": {release[len("/releases/"):]},
		"items": {"news " + e + " publish d1"}}
	if !contains(page, form.Get("items")) {
		t.Fatalf("there is no button for the present version: %s", page.Body)
	}
	if a := b.post(t, "/releases", form); a.Code != http.StatusSeeOther {
		t.Fatalf("binding it anew: %d %s", a.Code, a.Body)
	}
	if a := b.get(t, release); contains(a, "who may not publish it") {
		t.Errorf("still bound to what was before: %s", a.Body)
	}
	user("eve", "editor")
	eve := s.browseAs(t, "eve@example.com")
	token := eve.get(t, release).csrf(t)
	for path, form := range map[string]url.Values{release + "/check": {}, at: {"_method": {"PUT"}, "title": {"Live"}}} {
		form.Set("_csrf", token)
		form.Set("status", "published")
		a := eve.post(t, path, form)
		if !contains(a, "This version is not approved.") || contains(a, "approvals is missing") {
			t.Errorf("%s tells what programs read: %s", path, a.Body)
		}
		if path == at && !contains(a, `<a href="/admin`+at+`/review">Ask for review</a>`) {
			t.Errorf("no link to the review stands beside the message: %s", a.Body)
		}
	}
}

// TestMentionByName: people could not mention a colleague in a form, since only ids were mentions, and tasks and forms
// showed the ids.
func TestMentionByName(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"news","name":"News"}`)
	ada := c.must(t, 201, "POST", "/users", map[string]any{"email": "ada@example.com", "name": "Ada West",
		"role": "editor", "password": password}).text(t, "id")
	at := "/models/news/entries/" + c.must(t, 201, "POST", "/models/news/entries", `{"title":"Opening"}`).text(t, "id")
	root, reader := s.browse(t), s.browseAs(t, "ada@example.com")
	a := root.post(t, at+"/comments",
		url.Values{"_csrf": {root.get(t, at+"/review").csrf(t)}, "text": {"Look, @Ada West!"}})
	if a.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	for path, b := range map[string]browser{at + "/review": root, "/tasks": reader} {
		if a := b.get(t, path); !contains(a, "Look, @Ada West!") || contains(a, "@"+ada) {
			t.Errorf("%s: %s", path, a.Body)
		}
	}
}

// TestDueIsReadable: the page of a review shows a day, or a time that the page puts into the reader's zone, not the
// stored text.
func TestDueIsReadable(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"news","name":"News","fields":[]}`)
	at := "/models/news/entries/" + c.must(t, 201, "POST", "/models/news/entries", `{"title":"Opening"}`).text(t, "id")
	for due, want := range map[string]string{"2030-01-31": "<dt>Due</dt><dd><span>31\u00a0Jan\u00a02030</span>",
		"2030-01-31T10:00:00Z": `<dt>Due</dt><dd><time datetime="2030-01-31T10:00:00.000Z"`} {
		c.must(t, 201, "POST", at+"/review", map[string]any{"due": due})
		if page := b.get(t, at+"/review"); !contains(page, want) {
			t.Errorf("the page lacks %q: %s", want, page.Body)
		}
	}
	c.must(t, 201, "POST", at+"/comments", map[string]any{"text": "See to it", "due": "2030-03-05"})
	if page := b.get(t, at+"/review"); !contains(page, "· due <span>5\u00a0Mar\u00a02030</span>") {
		t.Errorf("the comment does not say when it is due: %s", page.Body)
	}
}
