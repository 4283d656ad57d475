package admin_test

import (
	"net/url"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/forms"
	"headless/pkg/must"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
)

// TestPeople finds an address in each place that may hold it, whatever its case.
func TestPeople(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	id := c.must(t, 201, "POST", "/forms",
		`{"slug":"contact","name":"Write to us","fields":[{"name":"mail","type":"email"}]}`).text(t, "id")
	tx := s.store.Begin()
	for i, mail := range []string{"Ada@Example.com", "other@example.com"} {
		forms.PutSubmission(tx, forms.Submission{FormID: id, Submission: cms.Submission{
			ID:         []string{"018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f", "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e40"}[i],
			ReceivedAt: tx.At(), Status: cms.SubmissionNew,
			Fields: cms.SubmissionFields{{Name: "mail", Type: "email", Value: mail}}}})
	}
	must.Do(t, s.store.Commit(t.Context(), tx))
	counts := func(email string) (n []int) {
		a := c.must(t, 200, "GET", "/people?email="+email, nil)
		for _, key := range []string{"users", "submissions", "comments", "activity", "invitations"} {
			list, ok := a.at(t, key).([]any)
			if !ok {
				t.Fatalf("%s: %s", key, a.Body)
			}
			n = append(n, len(list))
		}
		return n
	}
	c.must(t, 201, "POST", "/invitations", map[string]any{"email": "ada@example.com", "role": "editor"})
	if got := counts("ADA@example.com"); got[0] != 0 || got[1] != 1 || got[4] != 1 {
		t.Errorf("invited: %v", got)
	}
	if got := counts(adminEmail); got[0] != 1 || got[1] != 0 || got[3] < 2 {
		t.Errorf("a user: %v", got)
	}
	if got := counts("nobody@example.com"); got[0]+got[1]+got[2]+got[3]+got[4] != 0 {
		t.Errorf("nobody: %v", got)
	}
	c.must(t, 422, "GET", "/people?email=x", nil)
	c.must(t, 422, "GET", "/people", nil)
	b := s.browse(t)
	if page := b.get(t, "/people?email=ada@example.com").Body.String(); !strings.Contains(page, "Write to us") ||
		!strings.Contains(page, "Invitation") || !strings.Contains(page, "Erase") {
		t.Errorf("the page: %s", page)
	}
	form := url.Values{"_csrf": {b.get(t, "/people").csrf(t)}, "_method": {"DELETE"}}
	if a := b.post(t, "/people?email=ADA@example.com", form); a.Code != 303 ||
		!contains(b.get(t, strings.TrimPrefix(a.Header().Get("Location"), "/admin")), "Deleted.") {
		t.Errorf("erasing: %d %s", a.Code, a.Body)
	}
	if got := counts("ada@example.com"); got[0]+got[1]+got[2]+got[3]+got[4] != 0 {
		t.Errorf("erased: %v", got)
	}
}

// TestErasePlans takes an address out of the plans, releases and jobs of somebody whose account is deleted.
func TestErasePlans(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	model := c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts"}`).text(t, "id")
	u := s.newLeaver(t)
	email := u.must(t, 200, "GET", "/me", nil).text(t, "email")
	plan := c.must(t, 200, "GET", "/users/"+u.id+"/open", nil).text(t, "plans", 0, "id")
	names := func(name string) (found int) {
		for _, rows := range []db.Rows{planning.RowsOfPlanner(model, plan), planning.RowsOfRelease(u.release),
			bulk.RowsOfStarter(u.job)} {
			must.Do(t, s.store.RewriteRows(t.Context(), rows, func(doc []byte) ([]byte, error) {
				found += strings.Count(string(doc), name)
				return doc, nil
			}))
		}
		return found
	}
	c.must(t, 204, "DELETE", "/users/"+u.id, nil)
	if n := names(email); n < 3 {
		t.Fatalf("the address stands in %d places, want 3 and more", n)
	}
	c.must(t, 204, "DELETE", "/people?email="+email, nil)
	if n, erased := names(email), names("erased-"); n != 0 || erased < 3 {
		t.Errorf("the address stands in %d places, the name in %d", n, erased)
	}
	if name := c.must(t, 200, "GET", "/jobs/"+u.job, nil).text(t, "actor"); !strings.HasPrefix(name, "erased-") {
		t.Errorf("the job is of %s", name)
	}
}
