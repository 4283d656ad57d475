package people

import (
	"testing"

	"headless/pkg/e2e/kit"
)

// leaving: what a user has under way is shown, stops with the account, and does not come back.
func leaving(t *testing.T, s *kit.Suite) {
	admin, model := s.Admin(t), s.Model(t, nil)
	entries := "/models/" + model + "/entries"
	for _, reassigned := range []bool{false, true} {
		_, id, c := s.User(t, "editor")
		_, taker, other := s.User(t, "editor")
		_, viewer, _ := s.User(t, "viewer")
		draft := func() string { return c.Post(t, entries, kit.Obj{"title": "Post"}).Str(t, "data.id") }
		planned, released, asked := draft(), draft(), draft()
		at := kit.FromNow(2 * s.Target.Soon) // after all that the user begins before leaving
		c.Put(t, entries+"/"+planned+"/schedule", kit.Obj{"publish_at": at})
		release := c.Post(t, "/releases", kit.Obj{"name": "R", "publish_at": at,
			"items": kit.List{kit.Obj{"model": model, "id": released, "action": "publish"}}}).Str(t, "data.id")
		c.Post(t, entries+"/"+planned+"/preview", kit.Obj{})
		c.Post(t, entries+"/"+planned+"/comments", kit.Obj{"text": "Check this", "assignee": id})
		c.Post(t, entries+"/"+asked+"/review", kit.Obj{"reviewers": kit.List{id}})
		admin.Run(t,
			kit.Step{Name: "open work", Call: "GET /users/" + id + "/open", Want: kit.Obj{
				"data.plans.#": 1, "data.plans.0.id": planned, "data.releases.#": 1, "data.releases.0.id": release,
				"data.jobs.#": 0, "data.reviews.#": 1, "data.reviews.0.id": asked, "data.comments.#": 1,
				"data.comments.0.entry": planned, "data.tokens.#": 0,
				"data.grants.#": 0, "data.previews.#": 1, "data.sessions.#": 1}},
			kit.Step{Name: "nobody's", Call: "GET /users/none/open", Code: "NOT_FOUND"},
			kit.Step{Name: "a viewer takes nothing", Call: "PUT /users/" + id,
				Body: kit.Obj{"is_active": false, "reassign": viewer}, Invalid: "reassign"},
		)
		c.Step(t, kit.Step{Call: "GET /users/" + id + "/open", Code: "FORBIDDEN"})
		leave, want := kit.Obj{"is_active": false}, "FORBIDDEN"
		if reassigned {
			leave, want = kit.Obj{"is_active": false, "reassign": taker}, ""
		}
		admin.Put(t, "/users/"+id, leave)
		waiting := 0
		if reassigned {
			waiting = 1
		}
		other.Step(t, kit.Step{Name: "what waits for the other user", Call: "GET /tasks",
			Want: kit.Obj{"meta.counts.assigned": waiting, "meta.counts.review": waiting}})
		c.Step(t, kit.Step{Call: "GET /me", Code: "UNAUTHORIZED"})
		admin.Step(t, kit.Step{Call: "GET /users/" + id + "/open",
			Want: kit.Obj{"data.previews.#": 0, "data.sessions.#": 0, "data.tokens.#": 0}})
		admin.Put(t, "/users/"+id, kit.Obj{"is_active": true})
		s.Eventually(t, "the plan and the release of a user who left", func() bool {
			plan := admin.Do(t, "GET "+entries+"/"+planned+"/schedule", nil)
			r := admin.Get(t, "/releases/"+release)
			if reassigned {
				return plan.Status == 404 && r.Get("data.status") == "published"
			}
			return plan.Get("data.error.code") == want && r.Get("data.problems.0.code") == want
		})
	}
}
