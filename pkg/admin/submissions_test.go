package admin_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/forms"
)

func TestSubmissionPages(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/forms",
		`{"name":"Contact","slug":"contact","fields":[{"name":"email","label":"Your address","type":"email"},
		{"name":"news","label":"Newsletter","type":"checkbox"},{"name":"terms","label":"Terms","type":"checkbox"},{"name":"website","type":"honeypot"}]}`)
	if a := b.get(t, "/forms"); !contains(a, `<span class="muted">none</span>`) ||
		!contains(a, "New submissions") {
		t.Errorf("forms %s", a.Body)
	}
	submissions := &forms.Submissions{Store: s.store.Forms}
	for _, body := range []map[string]any{{"email": "a@example.com", "terms": true},
		{"email": "b@example.com", "terms": true}, {"email": "c@example.com", "website": "spam"}} {
		if _, err := submissions.Submit(t.Context(), cms.Actor{}, nil, "contact", body,
			forms.Visitor{Address: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}
	if a := b.get(t, "/forms"); !contains(a, `<a href="/admin/forms/contact/submissions?status=new">3</a>`) {
		t.Errorf("forms %s", a.Body)
	}
	page := b.get(t, "/forms/contact/submissions")
	if !contains(page, `<a href="/admin/forms/contact">Contact</a>`) {
		t.Error("the page of submissions does not name its form")
	}
	if !contains(b.get(t, "/forms/contact/submissions?q=nobody"), "Nothing matches these filters.") {
		t.Error("a search without a result says that the inbox is empty")
	}
	if !contains(page, "Your address: a@example.com · Terms: ✓</span>") ||
		contains(page, "Newsletter") || !contains(page, `name="status"`) {
		t.Errorf("submissions %s", page.Body)
	}
	if !contains(page, `aria-sort="descending"><a href="?sort=received_at">Received`) ||
		!contains(b.get(t, "/forms/contact/submissions?sort=status"),
			`aria-sort="ascending"><a href="?sort=-status">Status`) {
		t.Error("the columns do not sort")
	}
	id := c.must(t, 200, "GET", "/forms/contact/submissions?sort=-received_at", nil).text(t, 2, "id")
	detail := b.get(t, "/forms/contact/submissions/"+id)
	if !contains(detail, "<dd><span>Yes</span>") || !contains(detail, "<dd><span>No</span>") {
		t.Errorf("boxes of a submission %s", detail.Body)
	}
	c.must(t, 200, "PATCH", "/forms/contact/submissions/"+id, `{"status":"read"}`)
	for query, want := range map[string]int{"?status=read": 1, "?status=new": 2,
		"?status=new&spam=false": 1, "?status=&spam=": 3, "?q=+B@Example": 1, "?q=example.com": 3,
		"?q=example.com&status=read": 1, "?q=nobody": 0, "?q=yes": 0, "?q=": 3, "?q=example&per_page=1": 3} {
		if a := c.must(t, 200, "GET", "/forms/contact/submissions"+query, nil); a.Meta["total"] != float64(want) ||
			len(a.Data.([]any)) != want && !strings.Contains(query, "per_page") {
			t.Errorf("%s: %s", query, a.Body)
		}
	}
	if a := b.get(t, "/forms/contact/submissions?status=read"); !contains(a, "a@example.com") ||
		contains(a, "b@example.com") || !contains(a, `<option value="read" selected>`) {
		t.Errorf("read ones %s", a.Body)
	}
	if a := b.get(t, "/forms/contact/submissions?q=b%40ex"); contains(a, "a@example.com") ||
		!contains(a, "b@example.com") || !contains(a, `type="search"`) {
		t.Errorf("found ones %s", a.Body)
	}
	if a := c.must(t, 200, "GET", "/forms/contact/submissions.csv?q=b%40ex", nil); contains(a, "a@example.com") ||
		!contains(a, "b@example.com") {
		t.Errorf("the CSV file of found ones %s", a.Body)
	}
}

// TestDeleteInInbox: the pane of an opened submission had no button that deletes it, and the form did not say that a
// number of days also concerns what is there.
func TestDeleteInInbox(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/forms", `{"name":"Contact","slug":"contact","fields":[{"name":"text","type":"text"}]}`)
	submissions := &forms.Submissions{Store: s.store.Forms}
	if _, err := submissions.Submit(t.Context(), cms.Actor{}, nil, "contact", map[string]any{"text": "Hello"},
		forms.Visitor{Address: "192.0.2.1"}); err != nil {
		t.Fatal(err)
	}
	const inbox = "/forms/contact/submissions"
	id := c.must(t, 200, "GET", inbox, nil).text(t, 0, "id")
	page := b.get(t, inbox+"?status=new&open="+id)
	if !contains(page, "Delete this submission? This cannot be undone.") {
		t.Fatalf("the pane: %s", page.Body)
	}
	a := b.post(t, inbox+"/"+id, url.Values{"_csrf": {page.csrf(t)}, "_method": {"DELETE"}, "_back": {"status=new"}})
	if to := a.Header().Get("Location"); to != "/admin"+inbox+"?ok=deleted&status=new" {
		t.Errorf("deleted: %d to %q", a.Code, to)
	}
	if !contains(b.get(t, "/forms/contact/edit"), "older ones are deleted for good") {
		t.Error("the form does not say what its number of days removes")
	}
}

// TestDeleteSeveralInInbox: the bar of the inbox deletes the chosen submissions, after a page that shows them, and
// leaves the others.
func TestDeleteSeveralInInbox(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/forms", `{"name":"Contact","slug":"contact","fields":[{"name":"text","type":"text"}]}`)
	submissions := &forms.Submissions{Store: s.store.Forms}
	for _, text := range []string{"first", "second", "third"} {
		if _, err := submissions.Submit(t.Context(), cms.Actor{}, nil, "contact", map[string]any{"text": text},
			forms.Visitor{Address: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}
	const inbox = "/forms/contact/submissions"
	all := c.must(t, 200, "GET", inbox+"?sort=received_at", nil)
	page := b.get(t, inbox+"?status=new")
	if !contains(page, `value="delete" class="danger">Delete…</button>`) {
		t.Fatalf("the bar: %s", page.Body)
	}
	form := url.Values{"_csrf": {page.csrf(t)}, "status": {"delete"}, "_back": {"status=new"},
		"ids": {all.text(t, 0, "id"), all.text(t, 1, "id")}}
	asked := b.post(t, inbox, form)
	if asked.Code != 200 || !contains(asked, "Delete 2 submissions? This cannot be undone.") ||
		!contains(asked, "first") || contains(asked, "third") ||
		c.must(t, 200, "GET", inbox, nil).Meta["total"] != float64(3) {
		t.Fatalf("asked: %d %s", asked.Code, asked.Body)
	}
	sent := hiddenInputs(asked.Body.String())
	if a := b.post(t, inbox, sent); a.Header().Get("Location") != "/admin"+inbox+"?ok=deleted&status=new" {
		t.Errorf("deleted: %d to %q", a.Code, a.Header().Get("Location"))
	}
	left := c.must(t, 200, "GET", inbox, nil)
	if left.Meta["total"] != float64(1) || left.text(t, 0, "id") != all.text(t, 2, "id") {
		t.Errorf("left: %s", left.Body)
	}
	form["ids"] = nil
	if a := b.post(t, inbox, form); !strings.Contains(a.Header().Get("Location"), "ok=none") {
		t.Errorf("none chosen: %d %s", a.Code, a.Header().Get("Location"))
	}
}

// TestLastPageIsEmptied: who archives all of the last page of a filter sees the page before it, not that nothing
// matches.
func TestLastPageIsEmptied(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/forms", `{"name":"Contact","slug":"contact","fields":[{"name":"email","type":"email"}]}`)
	submissions := &forms.Submissions{Store: s.store.Forms}
	for range 3 {
		if _, err := submissions.Submit(t.Context(), cms.Actor{}, nil, "contact", map[string]any{"email": "a@example.com"},
			forms.Visitor{Address: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}
	const inbox = "/forms/contact/submissions"
	const last = "?page=3&per_page=1&status=new"
	id := c.must(t, 200, "GET", inbox+last, nil).text(t, 0, "id")
	changed := b.post(t, inbox, url.Values{"_csrf": {b.get(t, inbox).csrf(t)}, "ids": {id}, "status": {"archived"},
		"_back": {last[1:]}})
	page := b.get(t, strings.TrimPrefix(changed.Header().Get("Location"), "/admin"))
	if want := "/admin" + inbox + "?ok=saved&page=2&per_page=1&status=new"; page.Code != 303 ||
		page.Header().Get("Location") != want {
		t.Errorf("%d %s, want %s", page.Code, page.Header().Get("Location"), want)
	}
	if a := b.get(t, inbox+"?page=2&status=spam"); a.Code != 303 && !contains(a, "Nothing matches these filters.") {
		t.Errorf("nothing at all: %d %s", a.Code, a.Body)
	}
	for path, want := range map[string]string{"/sessions?page=4": "/admin/sessions?page=1",
		"/tasks?page=4": "/admin/tasks?page=1"} {
		if a := b.get(t, path); a.Header().Get("Location") != want {
			t.Errorf("%s: %d %s", path, a.Code, a.Header().Get("Location"))
		}
	}
}

// TestSpamStaysSpam: to file several submissions takes the mark of spam off none of them, which would send the mails
// that were held back. Only "Not spam" does.
func TestSpamStaysSpam(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/forms", `{"name":"Contact","slug":"contact","fields":[{"name":"email","type":"email"},
		{"name":"website","type":"honeypot"}]}`)
	submissions := &forms.Submissions{Store: s.store.Forms}
	for _, body := range []map[string]any{{"email": "a@example.com"}, {"email": "b@example.com", "website": "spam"}} {
		if _, err := submissions.Submit(t.Context(), cms.Actor{}, nil, "contact", body,
			forms.Visitor{Address: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}
	const at = "/forms/contact/submissions"
	spam := c.must(t, 200, "GET", at+"?spam=true", nil).text(t, 0, "id")
	other := c.must(t, 200, "GET", at+"?spam=false", nil).text(t, 0, "id")
	mark := func(status, ok, want string) {
		t.Helper()
		form := url.Values{"_csrf": {b.get(t, at).csrf(t)}, "ids": {spam, other}, "status": {status}}
		if a := b.post(t, at, form); !strings.HasSuffix(a.Header().Get("Location"), "?ok="+ok) {
			t.Errorf("%s: %d %s", status, a.Code, a.Header().Get("Location"))
		}
		got := c.must(t, 200, "GET", at+"/"+spam, nil)
		if marks := fmt.Sprintf("%v %v", got.at(t, "status"), got.at(t, "spam")); marks != want {
			t.Errorf("after %s, the spam is %s, want %s", status, marks, want)
		}
	}
	mark("read", "some", "new true")
	mark("archived", "some", "new true")
	if c.must(t, 200, "GET", at+"/"+other, nil).text(t, "status") != "archived" {
		t.Error("the other was not archived")
	}
	pane := b.get(t, at+"?open="+spam)
	if !contains(pane, `value="not_spam">Not spam</button>`) || strings.Count(pane.Body.String(), ">Archive<") != 1 {
		t.Errorf("the pane of spam: %s", pane.Body)
	}
	mark("spam", "saved", "spam true")
	mark("not_spam", "saved", "new false")
	if contains(b.get(t, at), "Not spam") {
		t.Error("an inbox without spam offers to release it")
	}
}
