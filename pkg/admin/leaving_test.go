package admin_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
)

// leaver is a user with one of everything that a user may have under way.
type leaver struct {
	client
	id, entry, release, job, preview string
	token                            client
}

func (s *site) newLeaver(t *testing.T) leaver {
	t.Helper()
	u := leaver{client: s.newUser(t, "editor")}
	u.id = u.must(t, 200, "GET", "/me", nil).text(t, "id")
	draft := func() string {
		return u.must(t, 201, "POST", "/models/posts/entries", `{"title":"Post"}`).text(t, "id")
	}
	u.entry = draft()
	at := s.now().Add(time.Hour).UTC().Format(time.RFC3339)
	u.must(t, 200, "PUT", "/models/posts/entries/"+u.entry+"/schedule", `{"publish_at":"`+at+`"}`)
	item := `{"model":"posts","id":"` + draft() + `","action":"publish"}`
	u.release = u.must(t, 201, "POST", "/releases", `{"name":"R","publish_at":"`+at+`","items":[`+item+`]}`).text(t, "id")
	u.job = u.must(t, 202, "POST", "/jobs", `{"action":"publish","model":"posts","ids":["`+draft()+`"]}`).text(t, "id")
	u.preview = u.must(t, 201, "POST", "/models/posts/entries/"+u.entry+"/preview", `{}`).text(t, "token")
	u.must(t, 201, "POST", "/models/posts/entries/"+draft()+"/review", `{}`)
	s.as(t, adminEmail).must(t, 201, "POST", "/models/posts/entries/"+draft()+"/review", `{"reviewers":["`+u.id+`"]}`)
	u.must(t, 201, "POST", "/models/posts/entries/"+u.entry+"/comments", `{"text":"Mine","assignee":"`+u.id+`"}`)
	u.token = u.newToken(t, "content")
	return u
}

// due does what is due in an hour, and returns the states of the plan, the release and the job.
func (s *site) due(t *testing.T, c client, u leaver) (plan, release, job string) {
	t.Helper()
	s.ahead.Add(int64(61 * time.Minute))
	m, err := s.store.Site.Site(t.Context())
	must.Do(t, err)
	if _, err := s.on.Schedules.Fire(t.Context(), m.Models["posts"].ID+"/"+u.entry); err != nil {
		t.Fatal(err)
	}
	if _, err := s.on.Releases.Work(t.Context(), u.release); err != nil {
		t.Fatal(err)
	}
	if _, err := s.on.Jobs.Work(t.Context(), u.job); err != nil {
		t.Fatal(err)
	}
	plan = c.must(t, 200, "GET", "/models/posts/entries/"+u.entry, nil).text(t, "status")
	if plan == "draft" {
		plan = c.must(t, 200, "GET", "/models/posts/entries/"+u.entry+"/schedule", nil).text(t, "error", "code")
	}
	r := c.must(t, 200, "GET", "/releases/"+u.release, nil)
	if release = r.text(t, "status"); release == "failed" {
		release = r.text(t, "problems", 0, "code")
	}
	j := c.must(t, 200, "GET", "/jobs/"+u.job, nil)
	if job = j.text(t, "status"); job == "failed" {
		job = j.text(t, "code")
	}
	return plan, release, job
}

// TestLeaving: what users have under way is shown, ends with their account, and does not come back;
// or another user takes it.
func TestLeaving(t *testing.T) {
	for name, leave := range map[string]struct {
		do   func(t *testing.T, c client, u leaver, taker string)
		want string
	}{
		"stays": {func(*testing.T, client, leaver, string) {}, "published published done"},
		"deactivated": {func(t *testing.T, c client, u leaver, _ string) {
			c.must(t, 200, "PUT", "/users/"+u.id, map[string]any{"is_active": false, "reassign": nil})
		}, "FORBIDDEN FORBIDDEN FORBIDDEN"},
		"activated again": {func(t *testing.T, c client, u leaver, _ string) {
			c.must(t, 200, "PUT", "/users/"+u.id, map[string]any{"is_active": false})
			c.must(t, 200, "PUT", "/users/"+u.id, map[string]any{"is_active": true})
		}, "FORBIDDEN FORBIDDEN FORBIDDEN"},
		"deleted": {func(t *testing.T, c client, u leaver, _ string) {
			c.must(t, 204, "DELETE", "/users/"+u.id, nil)
		}, "FORBIDDEN FORBIDDEN FORBIDDEN"},
		"deactivated, reassigned": {func(t *testing.T, c client, u leaver, taker string) {
			c.must(t, 200, "PUT", "/users/"+u.id, map[string]any{"is_active": false, "reassign": taker})
		}, "published published done"},
		"deactivated, reassigned by a query": {func(t *testing.T, c client, u leaver, taker string) {
			c.must(t, 200, "PUT", "/users/"+u.id+"?reassign="+taker, map[string]any{"is_active": false})
		}, "published published done"},
		"deleted, reassigned": {func(t *testing.T, c client, u leaver, taker string) {
			c.must(t, 204, "DELETE", "/users/"+u.id+"?reassign="+taker, nil)
		}, "published published done"},
		"deleted, reassigned by a body": {func(t *testing.T, c client, u leaver, taker string) {
			c.must(t, 204, "DELETE", "/users/"+u.id, map[string]any{"reassign": taker})
		}, "published published done"},
		"a new password": {func(t *testing.T, c client, u leaver, _ string) {
			c.must(t, 200, "PUT", "/users/"+u.id, map[string]any{"password": "another battery"})
		}, "published published done"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			c := s.as(t, adminEmail)
			c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts"}`)
			u := s.newLeaver(t)
			other := s.newUser(t, "editor")
			taker := other.must(t, 200, "GET", "/me", nil).text(t, "id")
			open := c.must(t, 200, "GET", "/users/"+u.id+"/open", nil)
			order := `"plans".*"releases".*"jobs".*"reviews".*"comments".*"tokens".*"grants".*"previews".*"sessions"`
			if !regexp.MustCompile(order).Match(open.Body.Bytes()) {
				t.Errorf("the keys do not have the order of extensions §11: %s", open.Body)
			}
			for key, want := range map[string]int{"plans": 1, "releases": 1, "jobs": 1, "reviews": 2,
				"comments": 1, "tokens": 1, "grants": 0, "previews": 1, "sessions": 1} {
				if list, ok := open.at(t, key).([]any); !ok || len(list) != want {
					t.Errorf("%s: %v, want %d", key, open.at(t, key), want)
				}
			}
			leave.do(t, c, u, taker)
			left := name != "stays"
			if links, err := s.on.Leaving.Links.ByUser(t.Context(), u.id); err != nil || len(links) == 0 != left {
				t.Errorf("%d preview links, %v", len(links), err)
			}
			for _, ended := range []client{u.client, u.token} {
				if a := ended.do(t, "GET", "/me", nil); a.Code == 401 != left {
					t.Errorf("GET /me gives %d", a.Code)
				}
			}
			waiting := other.must(t, 200, "GET", "/tasks", nil).Body.String()
			if taken := strings.Contains(name, "reassigned"); strings.Contains(waiting, `"assigned":1`) != taken ||
				strings.Contains(waiting, `"review":1`) != taken {
				t.Errorf("the other user has the tasks %s", waiting)
			}
			plan, release, job := s.due(t, c, u)
			if got := strings.Join([]string{plan, release, job}, " "); got != leave.want {
				t.Errorf("plan, release and job: %s, want %s", got, leave.want)
			}
		})
	}
}

// TestReassignRefused: only an active user who may do all of it takes over, and nothing changes
// before that is known.
func TestReassignRefused(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"pages","name":"Pages"}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"pages","name":"Pages","rules":[{"models":["pages"]}]}`)
	u := s.newLeaver(t)
	id := func(c client) string { return c.must(t, 200, "GET", "/me", nil).text(t, "id") }
	inactive := id(s.newUser(t, "editor"))
	c.must(t, 200, "PUT", "/users/"+inactive, map[string]any{"is_active": false})
	for name, taker := range map[string]string{"themselves": u.id, "nobody": "none", "empty": "", "inactive": inactive,
		"a viewer": id(s.newUser(t, "viewer")), "of another model": id(s.newUser(t, "pages"))} {
		for _, r := range []struct {
			method string
			body   map[string]any
		}{{"PUT", map[string]any{"is_active": false, "reassign": taker}}, {"DELETE", map[string]any{"reassign": taker}}} {
			if a := c.must(t, 422, r.method, "/users/"+u.id, r.body); len(a.Error.Details["reassign"]) == 0 {
				t.Errorf("%s: %s", name, a.Body)
			}
		}
	}
	if a := c.must(t, 422, "DELETE", "/users/"+u.id+"?reassign=", nil); len(a.Error.Details["reassign"]) == 0 {
		t.Errorf("an empty parameter: %s", a.Body)
	}
	c.must(t, 422, "PUT", "/users/"+u.id, map[string]any{"name": "Ada", "reassign": inactive})
	if links, err := s.on.Leaving.Links.ByUser(t.Context(), u.id); err != nil || len(links) != 1 {
		t.Errorf("%d preview links, %v", len(links), err)
	}
	held, err := s.on.Schedules.PlannedBy(t.Context(), u.id)
	if err != nil || len(held) != 1 {
		t.Errorf("plans %v, %v", held, err)
	}
	b := s.browse(t)
	page := b.get(t, "/users/"+u.id+"/open")
	for _, text := range []string{"Who takes over", "/previews?filter%5Bby%5D=" + u.id, "1 valid link"} {
		if !contains(page, text) {
			t.Errorf("no %s in %s", text, page.Body)
		}
	}
	if !contains(b.get(t, "/previews?filter[by]="+u.id), "End this preview link?") {
		t.Error("the page of the links of a user is empty")
	}
}

// TestReassignEach hands one thing over to somebody who may not read the model of it.
func TestReassignEach(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"pages","name":"Pages"}`)
	c.must(t, 201, "POST", "/roles", `{"slug":"pages","name":"Pages","rules":[{"models":["pages"]}]}`)
	taker := s.newUser(t, "pages").must(t, 200, "GET", "/me", nil).text(t, "id")
	at := s.now().Add(time.Hour).UTC().Format(time.RFC3339)
	for name, begin := range map[string]func(u client, id, entry string){
		"a plan": func(u client, _, entry string) {
			u.must(t, 200, "PUT", "/models/posts/entries/"+entry+"/schedule", `{"publish_at":"`+at+`"}`)
		},
		"a release": func(u client, _, entry string) {
			u.must(t, 201, "POST", "/releases", `{"name":"R","publish_at":"`+at+`","items":[{"model":"posts","id":"`+
				entry+`","action":"publish"}]}`)
		},
		"a job": func(u client, _, entry string) {
			u.must(t, 202, "POST", "/jobs", `{"action":"publish","model":"posts","ids":["`+entry+`"]}`)
		},
		"a request for a review": func(u client, _, entry string) {
			u.must(t, 201, "POST", "/models/posts/entries/"+entry+"/review", `{}`)
		},
		"a review": func(_ client, id, entry string) {
			c.must(t, 201, "POST", "/models/posts/entries/"+entry+"/review", `{"reviewers":["`+id+`"]}`)
		},
		"a comment": func(_ client, id, entry string) {
			c.must(t, 201, "POST", "/models/posts/entries/"+entry+"/comments", `{"text":"Yours","assignee":"`+id+`"}`)
		},
	} {
		u := s.newUser(t, "editor")
		id := u.must(t, 200, "GET", "/me", nil).text(t, "id")
		begin(u, id, u.must(t, 201, "POST", "/models/posts/entries", `{"title":"Post"}`).text(t, "id"))
		a := c.do(t, "PUT", "/users/"+id, `{"is_active":false,"reassign":"`+taker+`"}`)
		if a.Code != 422 || len(a.Error.Details["reassign"]) == 0 {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
}
